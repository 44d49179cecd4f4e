"""The relation-type paths that exist from some anchors, which grounded Cypher is limited to."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.domain.graph import Step


@dataclass(frozen=True, slots=True)
class ReachablePath:
    """One relation-type path that at least one walk from the anchors takes.

    `labels`: all labels of the nodes at its end, sorted. `walks`: the number of its walks, which
    may come back anywhere (`revisit` any); at most 2**53. `ends`: the number of distinct nodes at
    its end. `counted`: whether both are exact, as the edge budget left out no relationship.
    `followed`: whether all longer paths that begin with it were searched.
    """

    steps: tuple[Step, ...]
    labels: tuple[str, ...]
    walks: int
    ends: int
    counted: bool = True
    followed: bool = True


@dataclass(frozen=True, slots=True)
class Reachable:
    """All paths of up to some number of hops, shortest first, with every prefix of each path."""

    paths: tuple[ReachablePath, ...]

    @property
    def cut(self) -> bool:
        """Whether a budget left any path out, or made a count too small."""
        return not all(path.counted and path.followed for path in self.paths)
