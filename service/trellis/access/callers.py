"""Who asks, with scopes and graphs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

from trellis.domain.errors import ScopeError

Scope = Literal["ask", "retrieve", "cypher", "feedback", "admin"]
"""What a caller may do; no scope includes another."""

SCOPES: tuple[Scope, ...] = get_args(Scope)


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who was recognised, or anybody where no key is asked for.

    `id`: of a key, or `oidc:` and the token's subject; empty where no key is asked for. `address`:
    where the caller asks from. `graphs`: those that may be asked; empty: all. `rate_limit`: in the
    notation of the settings; empty: that of the service.
    """

    id: str
    scopes: frozenset[str]
    graphs: frozenset[str] = frozenset()
    address: str = ""
    rate_limit: str = ""

    @property
    def is_known(self) -> bool:
        return bool(self.id)

    @property
    def asker(self) -> str | None:
        """Whose answers this caller may see: None for all, of everybody."""
        return self.id if self.is_known and "admin" not in self.scopes else None

    def check_scope(self, wanted: Collection[Scope]) -> None:
        """Raise ScopeError unless the caller has one of the scopes, or none is wanted."""
        if wanted and self.scopes.isdisjoint(wanted):
            names = " or ".join(f"`{scope}`" for scope in wanted)
            has = ", ".join(f"`{scope}`" for scope in SCOPES if scope in self.scopes) or "none"
            raise ScopeError(
                f"this needs the scope {names}, and the key has {has}",
                "ask with a key that has it (`trellis keys create --scope …`)",
                wanted,
            )

    def check_graph(self, graph: str) -> None:
        """Raise ScopeError unless the caller may ask the graph."""
        if self.graphs and graph not in self.graphs:
            raise ScopeError(
                f"the key may not ask the graph {graph!r}",
                f"it may ask {', '.join(sorted(self.graphs))}",
            )


def build_unknown_caller(address: str) -> Caller:
    """Anybody, where no key is asked for: all scopes, all graphs."""
    return Caller("", frozenset(SCOPES), address=address)
