"""Questions in plain language over a Neo4j graph; every answer carries the facts it stands on."""

__version__ = "0.1.0"
