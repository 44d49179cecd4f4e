"""Wider paths: the KG-Trie of the schema, in place of that of the linked nodes.

Its nodes are the labels, its relationships the kinds that the schema has. So it holds every path of
the neighbourhood's trie in the same words, and those that nodes of these labels could have and the
linked ones do not: what a model would have said there (`domain.models.decoding.Support`).
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.paths.adjacency import build_adjacency
from trellis.automata.paths.segments import step_text
from trellis.automata.paths.walks import Start, Walks
from trellis.domain.graphs.graph import Neighbourhood, Step
from trellis.domain.graphs.links import Mention
from trellis.domain.graphs.schema import Schema
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.link.mask_mentions import mention_placeholder
from trellis.steps.retrieve.paths.settings import PathSettings

_MOST_MENTIONS = 8
"""How many mentions a question has at most, for the texts that a path may begin with."""


SCHEMA_PATHS = PathSettings(hops=3, meets=True)
"""The paths over a schema that a model may say other sentences by."""


def list_path_texts(schema: Schema, settings: PathSettings) -> tuple[str, ...]:
    """All texts that paths over a schema consist of; none where they name nodes, which may be
    called anything."""
    if settings.rendering == "full":
        return ()
    starts = (f" {mention_placeholder(number)}" for number in range(_MOST_MENTIONS))
    steps = (Step(kind, way) for kind in schema.relation_types for way in (False, True))
    return (*starts, *(f" &{start}" for start in starts), *map(step_text, steps))


def widen_trie(schema: Schema, mentions: Sequence[Mention], settings: PathSettings) -> Walks:
    """The paths that nodes of the mentions' labels could have, in the words of relations."""
    around = _draw_schema(schema)
    index = {label: at for at, label in enumerate(around.nodes)}
    starts = [
        Start(f" {mention_placeholder(number)}", _list_labels(mention, index), number)
        for number, mention in enumerate(mentions)
    ]
    return Walks(
        around,
        [start for start in starts if start.nodes],
        hops=settings.hops,
        revisit="any",
        meets=settings.meets,
        alphabet=list_path_texts(schema, settings),
        like=schema.list_like_relations(),
    )


def _list_labels(mention: Mention, index: dict[str, int]) -> tuple[int, ...]:
    anchors = set(list_anchor_ids(mention))
    labels = (
        label
        for link in mention.links
        if link.node.id in anchors
        for label in link.node.labels or ("",)
    )
    return tuple(dict.fromkeys(index[label] for label in labels if label in index))


def _draw_schema(schema: Schema) -> Neighbourhood:
    """The schema as a graph of labels."""
    pairs = [(kind.start_label, kind.type, kind.end_label) for kind in schema.relationships]
    labels = sorted({label for start, _, end in pairs for label in (start, end)})
    index = {label: at for at, label in enumerate(labels)}
    triples = sorted({(index[start], type_, index[end]) for start, type_, end in pairs})
    return build_adjacency(labels, labels, triples)
