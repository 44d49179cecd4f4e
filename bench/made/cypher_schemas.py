"""Languages of Cypher over schemas that are made up: wide ones, and ones with many queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from random import Random

from trellis.automata.cypher.grammar.grounding import Grounding
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.reachable import ReachablePath, ReachablePaths
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema


def make_wide_schema(labels: int, types: int) -> Schema:
    """Labels with five properties each; each type between a few of them, and all at the first."""
    random = Random(1)
    properties = tuple(PropertyKind(f"property {i}", "STRING") for i in range(5))
    kinds = tuple(LabelKind(f"Label{i}", 10, None, properties) for i in range(labels))
    names = [kind.label for kind in kinds]
    edges = {
        (f"TYPE_{i}", start, random.choice(names))
        for i in range(types)
        for start in (names[0], *random.sample(names, 2))
    }
    relationships = tuple(RelationshipKind(*edge, 5) for edge in sorted(edges))
    return Schema(kinds, relationships, 10 * labels, 5 * len(edges), "wide")


def prepare_grounded_language(count: int) -> Callable[[], CypherLanguage]:
    """`count` paths of up to three steps, reachable from the node of one value."""
    width = max(2, round(count ** (1 / 3)))
    paths = [
        (*before, Step(f"TYPE_{i}", i % 2 == 1))
        for before in _iterate_paths(width, 2)
        for i in range(width)
    ][:count]
    reached = tuple(ReachablePath(path, (f"Label{len(path)}",), 2, 2) for path in paths)
    labels = tuple(
        LabelKind(f"Label{i}", 9, "name", (PropertyKind("name", "STRING"),)) for i in range(4)
    )
    joined = {
        (step.relation, *(ends[::-1] if step.reversed else ends))
        for path in paths
        for ends, step in zip(pairwise(f"Label{i}" for i in range(4)), path, strict=False)
    }
    kinds = tuple(RelationshipKind(*each, 3) for each in sorted(joined))
    values = number_values([StoredValue("Label0", "name", "a"), StoredValue("Label3", "name", "b")])
    schema = Schema(labels, kinds, 99, 99, "grounded")
    grounding = Grounding(0, ReachablePaths(reached), 3)
    return partial(CypherLanguage, schema, values, RenderingOptions(), [grounding])


def _iterate_paths(width: int, steps: int) -> Iterator[tuple[Step, ...]]:
    """All paths of up to some steps, shorter ones first."""
    level: list[tuple[Step, ...]] = [()]
    for _ in range(steps + 1):
        yield from level
        level = [(*path, Step(f"TYPE_{i}", i % 2 == 1)) for path in level for i in range(width)]
