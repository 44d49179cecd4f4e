"""A typed client of the service: `from trellis import Client`.

    client    the methods of the client, one for each resource
    sending   sends requests, with retries
    streams   reads server-sent events

For users' programs; the commands and the load test use it too. Imports neither FastAPI nor Neo4j
nor torch. Errors are those of `trellis.domain.errors`.
"""

from trellis.client.client import Client

__all__ = ["Client"]
