"""Which relation-type paths exist from some anchors: what grounded Cypher may say."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.domain.graph import Step


@dataclass(frozen=True, slots=True)
class ReachablePath:
    """One relation-type path that at least one walk from the anchors takes.

    `labels`: all labels of the nodes at its end, sorted. `walks`: relationship by relationship,
    they may come back anywhere (`revisit` any); at most 2**53. `ends`: distinct nodes at its end.
    `counted`: whether both are exact, no relationship having been left out for the edge budget.
    `followed`: whether all longer paths that begin with it were looked for.
    """

    steps: tuple[Step, ...]
    labels: tuple[str, ...]
    walks: int
    ends: int
    counted: bool = True
    followed: bool = True


@dataclass(frozen=True, slots=True)
class Reachable:
    """All paths of 1 to some hops, shortest first; every path's beginnings are among them."""

    paths: tuple[ReachablePath, ...]

    @property
    def cut(self) -> bool:
        """Whether a budget left any path out, or made a count too small."""
        return not all(path.counted and path.followed for path in self.paths)
