"""Questions in plain language over a Neo4j graph; every answer carries the facts it stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trellis.client import Client as Client

__version__ = "0.1.0"
__all__ = ["Client", "__version__"]


def __getattr__(name: str) -> Any:
    """`from trellis import Client` loads the client then, and nothing else of ours."""
    if name != "Client":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from trellis.client import Client

    return Client
