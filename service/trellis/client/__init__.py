"""A typed client of the service: `from trellis import Client`.

Imports neither FastAPI nor Neo4j nor torch. Errors are those of `trellis.domain.errors`.
"""

from trellis.client.client import Client

__all__ = ["Client"]
