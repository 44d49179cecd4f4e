"""The relation-type paths that exist from some anchors, which grounded Cypher is limited to."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.domain.graphs.graph import Step


@dataclass(frozen=True, slots=True)
class ReachablePath:
    """One relation-type path that at least one walk from the anchors takes.

    `labels`: all labels of the nodes at its end, sorted. `walks`: the number of its walks, which
    may come back anywhere (`revisit` any); at most 2**53. `ends`: the number of distinct nodes at
    its end. `has_exact_counts`: whether both are exact, as the edge budget left out no
    relationship. `is_followed`: whether all longer paths that begin with it were searched.
    """

    steps: tuple[Step, ...]
    labels: tuple[str, ...]
    walks: int
    ends: int
    has_exact_counts: bool = True
    is_followed: bool = True


@dataclass(frozen=True, slots=True)
class ReachablePaths:
    """All paths of up to some number of hops, shortest first, with every prefix of each path."""

    paths: tuple[ReachablePath, ...]

    @property
    def cut(self) -> bool:
        """Whether a budget left any path out, or made a count too small."""
        return not all(path.has_exact_counts and path.is_followed for path in self.paths)
