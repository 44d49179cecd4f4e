"""Fit: nodes of one name in order of how well what they are and have fits the question's words.

Simple and honest: words of their labels and relationship types that the question says too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from trellis.domain.graph import NodeId
from trellis.domain.identifiers import split_identifier
from trellis.domain.links import Link
from trellis.domain.ports import Graph
from trellis.linking.candidates import MOST_LINKS, Found
from trellis.linking.spans import FUNCTION_WORDS, Parsed
from trellis.linking.text import bare_words

_TIED = 0.95  # of the best score: nodes that are as good as the best
_UNFIT = 0.94  # what is left of the score of a tied node that does not fit at all
_MOST_EDGES = 2_000  # relationships of tied nodes that are looked at
_STEM, _ENDING = 4, 2  # letters: the least that forms of a word share, the most they do not


async def fitted(asked: Parsed, found: Sequence[Found], graph: Graph) -> list[Found]:
    """Each with its links in order of how they fit the question, where several are tied."""
    tied = {one.node for f in found for one in _tied(f)}
    if not tied:
        return list(found)
    relations = await _relations(graph, [node.id for node in tied])
    return [_by_fit(asked, f, relations) if _tied(f) else f for f in found]


def _tied(found: Found) -> list[Link]:
    """Links as good as the best, where there are several and few enough to look at.

    Names that are only like the text are tied where they are equally like it.
    """
    best = found.links[0]
    least = best.score if best.how in ("text", "vector") else _TIED * best.score
    tied = [one for one in found.links if one.score >= least]
    return tied if 1 < len(tied) <= MOST_LINKS else []


async def _relations(graph: Graph, ids: Sequence[NodeId]) -> dict[NodeId, set[str]]:
    """The relationship types at each node, as far as the budget goes."""
    around = await graph.neighbourhood(ids, 1, edge_budget=_MOST_EDGES, names=False)
    wanted = [(row, node) for row, node in enumerate(around.nodes) if node in ids]
    return {node: {entry.relation for entry in around.entries_of(row)} for row, node in wanted}


def _by_fit(asked: Parsed, found: Found, relations: Mapping[NodeId, Collection[str]]) -> Found:
    """Scores less by at most 6 % for what does not fit: tied nodes stay candidates, in order."""
    said = asked.text[: found.span.start] + " " + asked.text[found.span.end :]
    words = set(bare_words(said)) - FUNCTION_WORDS
    tied = _tied(found)
    fits = [fit(words, one.node.labels, relations.get(one.node.id, ())) for one in tied]
    most = max(fits)
    if min(fits) == most:
        return found
    ranked = [
        replace(one, score=one.score * (1 - (1 - _UNFIT) * (1 - fits[i] / most)))
        for i, one in enumerate(tied)
    ]
    links = sorted([*ranked, *found.links[len(tied) :]], key=lambda one: -one.score)
    return replace(found, links=tuple(links))


def fit(question: Collection[str], labels: Iterable[str], relations: Iterable[str]) -> int:
    """How many of the question's words are near a word of the node's labels and relations."""
    names = (" ".join(split_identifier(name)) for name in (*labels, *relations))
    own = {word for name in names for word in bare_words(name)}
    return sum(any(_near(word, other) for other in own) for word in question)


def _near(word: str, other: str) -> bool:
    """Two forms of one word: `borders` and `bordering`, `countries` and `country`."""
    most = max(_STEM, min(len(word), len(other)) - _ENDING)
    return word == other or (len(word) >= most and word[:most] == other[:most])
