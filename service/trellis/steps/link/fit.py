"""Fit: order nodes that share a name by how well they fit the question's other words.

A node fits by the number of question words that occur in its labels and relationship types.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from trellis.domain.graphs.graph import NodeId
from trellis.domain.graphs.links import Link
from trellis.domain.identifiers import split_identifier
from trellis.domain.ports import Graph
from trellis.linking.names.candidates import MOST_LINKS, LinkedSpan
from trellis.linking.names.spans import FUNCTION_WORDS, ParsedQuestion
from trellis.linking.text import bare_words

_TIED = 0.95  # share of the best score from which a node counts as tied with the best
_UNFIT = 0.94  # factor on the score of a tied node that does not fit at all
_MOST_EDGES = 2_000  # relationships that are read around the tied nodes
_STEM, _ENDING = (
    4,
    2,
)  # letters: forms of a word share at least _STEM, and differ in at most _ENDING


async def rank_spans_by_fit(
    question: ParsedQuestion, linked_spans: Sequence[LinkedSpan], graph: Graph
) -> list[LinkedSpan]:
    """The same spans; where several links of one are tied, these are ordered by their fit."""
    tied = {link.node for f in linked_spans for link in _find_tied_links(f)}
    if not tied:
        return list(linked_spans)
    relations = await _find_relation_types(graph, [node.id for node in tied])
    return [
        _rank_links_by_fit(question, f, relations) if _find_tied_links(f) else f
        for f in linked_spans
    ]


def _find_tied_links(linked: LinkedSpan) -> list[Link]:
    """The links that are as good as the best; none where it is alone or too many are tied.

    Links found by likeness alone (text or vector search) are tied only at equal scores.
    """
    best = linked.links[0]
    least = best.score if best.is_similar else _TIED * best.score
    tied = [link for link in linked.links if link.score >= least]
    return tied if 1 < len(tied) <= MOST_LINKS else []


async def _find_relation_types(graph: Graph, ids: Sequence[NodeId]) -> dict[NodeId, set[str]]:
    """The relationship types at each node, as far as the budget of relationships goes."""
    around = await graph.neighbourhood(ids, 1, edge_budget=_MOST_EDGES, names=False)
    wanted = [(row, node) for row, node in enumerate(around.nodes) if node in ids]
    return {node: {entry.relation for entry in around.entries_of(row)} for row, node in wanted}


def _rank_links_by_fit(
    question: ParsedQuestion, linked: LinkedSpan, relations: Mapping[NodeId, Collection[str]]
) -> LinkedSpan:
    """Take up to 6 % from the scores of tied links that fit less, and sort by score."""
    rest = question.text[: linked.span.start] + " " + question.text[linked.span.end :]
    words = set(bare_words(rest)) - FUNCTION_WORDS
    tied = _find_tied_links(linked)
    fits = [
        count_fitting_words(words, link.node.labels, relations.get(link.node.id, ()))
        for link in tied
    ]
    most = max(fits)
    if min(fits) == most:
        return linked
    ranked = [
        replace(link, score=link.score * (1 - (1 - _UNFIT) * (1 - fits[i] / most)))
        for i, link in enumerate(tied)
    ]
    links = sorted([*ranked, *linked.links[len(tied) :]], key=lambda link: -link.score)
    return replace(linked, links=tuple(links))


def count_fitting_words(
    question_words: Collection[str], labels: Iterable[str], relations: Iterable[str]
) -> int:
    """Count the question's words that also occur, in any form, in labels or relationship types."""
    names = (" ".join(split_identifier(name)) for name in (*labels, *relations))
    own = {word for name in names for word in bare_words(name)}
    return sum(any(_is_same_word(word, other) for other in own) for word in question_words)


def _is_same_word(word: str, other: str) -> bool:
    """Whether two words are forms of one: `borders`, `bordering`; `countries`, `country`."""
    most = max(_STEM, min(len(word), len(other)) - _ENDING)
    return word == other or (len(word) >= most and word[:most] == other[:most])
