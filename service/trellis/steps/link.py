"""Link: the question's mentions, and the nodes of the graph that each may stand for.

Stages: all spans of the question are looked up by name in one call; among the names found,
those that say most win over what they overlap. What still looks like a name, and was not found,
goes to full-text and vector search. A mention that is only the question's own wording (a film
called `What`, a tag `director`) yields to any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from trellis.domain.closeness import closeness
from trellis.domain.errors import UnknownTopicError
from trellis.domain.ports import Embedder, Graph
from trellis.domain.spans import (
    Parsed,
    Span,
    Worth,
    keys,
    name_like,
    occurrences,
    parsed,
    same_case,
    spans,
)
from trellis.domain.values import Link, Mention, Node

MOST_LINKS = 20
"""How many links a mention keeps, unless more nodes carry exactly its name."""

_OTHER_CASE = 0.9
_SMALL_WORD = 0.9  # a single word written small may be no name at all
_WORDING = 0.6
_GRAMMAR = 0.3
_FUZZY = 0.85  # the most that a search by likeness is trusted
_SECOND = 0.3  # how much the other search adds
_MEANT = 0.8  # cosine from which two names may mean one thing
_LEAST = 0.6  # likeness from which a node is a candidate at all
_ENOUGH = 0.75  # likeness from which a span that stands alone is a mention
_SURE = 0.85  # likeness from which it is one where it contends with exact names
_MOST_FUZZY = 16  # spans of one question that are searched by likeness


class Grade(NamedTuple):
    """How much a found span says; a greater grade wins over what it overlaps."""

    telling: int
    cased: bool  # has capitals, and they are the name's
    length: int


@dataclass(frozen=True, slots=True)
class Found:
    """A span, the nodes found for it, best first, and what the span is worth."""

    span: Span
    links: tuple[Link, ...]
    worth: Worth

    @property
    def grade(self) -> Grade:
        best = self.links[0]
        cased = best.how == "exact-case" and best.node.name != best.node.name.lower()
        return Grade(self.worth.telling, cased, self.span.end - self.span.start)

    @property
    def standing(self) -> int:
        """2: a name. 1: the question's own wording. 0: grammar."""
        if self.worth.rare or (self.worth.shaped and self.links[0].how == "exact-case"):
            return 2
        return 0 if self.worth.functions == self.worth.words else 1


async def link(
    question: str,
    graph: Graph,
    embedder: Embedder | None,
    wording: Collection[str] = (),
) -> tuple[Mention, ...]:
    """The mentions of a question in the order of their spans, none overlapping.

    Each carries its candidate nodes, best first, with scores in (0, 1]. `wording`: words in
    lower case that are the questions' own in this graph. Empty where nothing was found.
    """
    asked = parsed(question, wording)
    found = winners(await _exact(asked, graph))
    named = [f.span for f in found if f.standing > 1]
    unknown = dict(islice(name_like(asked, named).items(), _MOST_FUZZY))
    if unknown:
        found = winners([*found, *await _fuzzy(asked, unknown, graph, embedder)])
    stranger = any(asked.worth(span).shaped for span in unknown)
    return tuple(_mention(asked, f) for f in lasting(found, stranger=stranger))


async def given(question: str, topics: Sequence[str], graph: Graph) -> tuple[Mention, ...]:
    """Mentions of the topics that the asker names, in the order of their spans.

    A topic that the text does not say is a mention of no characters at its end. Raises
    UnknownTopicError for a topic that is no node's name.
    """
    nodes = await graph.exact(sorted({key for topic in topics for key in keys(topic)}))
    places = _places(question, topics)
    mentions = []
    for topic in dict.fromkeys(topics):
        links = _given_links(topic, [n for key in keys(topic) for n in nodes.get(key, ())])
        span = places[topic]
        text = question[span.start : span.end] or topic
        mentions.append(Mention(span.start, span.end, text, links))
    return tuple(sorted(mentions, key=lambda mention: mention.start))


def winners(found: Iterable[Found]) -> list[Found]:
    """The best of what was found such that none overlaps, in the order of the spans."""
    kept: list[Found] = []
    for candidate in sorted(_tightest(found), key=lambda f: (f.grade, -f.span.start), reverse=True):
        if not any(candidate.span.overlaps(other.span) for other in kept):
            kept.append(candidate)
    return sorted(kept, key=lambda f: f.span)


def _tightest(found: Iterable[Found]) -> list[Found]:
    """Of overlapping spans with one best node those that say its name best.

    `cast of Mr. Smith` is like the name `Mr. Smith`, and holds more words.
    """
    kept: list[Found] = []
    for candidate in sorted(found, key=lambda f: -f.links[0].score):
        best = candidate.links[0].node.id
        if not any(
            best == other.links[0].node.id and candidate.span.overlaps(other.span) for other in kept
        ):
            kept.append(candidate)
    return kept


def lasting(found: Sequence[Found], *, stranger: bool = False) -> list[Found]:
    """What is kept once wording yields to names, and one weak word to several.

    Of grammar alone only the last; nothing but names where a `stranger` was asked about, which
    has the shape of a name and is not in the graph.
    """
    names = [f for f in found if f.standing > 1]
    several = [f for f in found if f.worth.words > 1]
    if names or stranger:
        return names
    best = max((f.standing for f in found), default=0)
    kept = [f for f in found if f.standing == best]
    kept = [f for f in kept if f.links[0].how == "exact-case"] or kept
    return several or (kept if best else kept[-1:])


async def _exact(asked: Parsed, graph: Graph) -> list[Found]:
    """All spans that are the name of a node, up to case, spacing and underscores."""
    looked = {span: keys(asked.read(span)) for span in spans(asked)}
    wanted = dict.fromkeys(key for those in looked.values() for key in sorted(those))
    nodes = await graph.exact(list(wanted)) if wanted else {}
    found = []
    for span, those in looked.items():
        named = {node.id: node for key in sorted(those) for node in nodes.get(key, ())}
        if named:
            worth = asked.worth(span)
            found.append(Found(span, _named_links(asked.read(span), named.values(), worth), worth))
    return found


def _named_links(text: str, nodes: Iterable[Node], worth: Worth) -> tuple[Link, ...]:
    trust = _trust(worth)
    links = [
        Link(node, trust, "exact-case")
        if same_case(text, node.name)
        else Link(node, trust * _OTHER_CASE, "exact")
        for node in nodes
    ]
    return tuple(sorted(links, key=lambda one: -one.score))


def _trust(worth: Worth) -> float:
    if worth.functions == worth.words and not worth.shaped:
        return _GRAMMAR
    if not worth.telling:
        return _WORDING
    return 1.0 if worth.shaped or worth.words > 1 else _SMALL_WORD


async def _fuzzy(
    asked: Parsed, unknown: Mapping[Span, bool], graph: Graph, embedder: Embedder | None
) -> list[Found]:
    """What full-text and vector search find for spans that look like names.

    A span that stands alone may be far from the name; one that contends with names, less.
    """
    texts = [asked.read(span) for span in unknown]
    by_text = await graph.by_text(texts, MOST_LINKS)
    by_vector: Sequence[Sequence[Link]] = [()] * len(texts)
    if embedder is not None:
        vectors = await asyncio.to_thread(embedder.embed, texts)
        by_vector = await graph.by_vector(vectors, MOST_LINKS)
    found = []
    for span, text, told, near in zip(unknown, texts, by_text, by_vector, strict=True):
        links = fused(text, told, near, _ENOUGH if unknown[span] else _SURE)
        if links:
            found.append(Found(span, links, asked.worth(span)))
    return found


def fused(
    text: str, told: Sequence[Link], near: Sequence[Link], enough: float = 0.0
) -> tuple[Link, ...]:
    """One list of what two searches found: by the better of spelling and meaning.

    The searches choose the nodes; how like a name is to the text is measured here, so that
    scores of different indexes compare. Empty where the best is less like it than `enough`.
    """
    meaning = {link.node.id: link.score for link in near}
    nodes = {link.node.id: link.node for link in (*told, *near)}
    links = []
    for node in nodes.values():
        spelling, meant = closeness(text, node.name), meaning.get(node.id, 0.0)
        if meant < _MEANT:  # kin in meaning, as Prague and Czechia are
            meant = min(meant, spelling)
        best, second = sorted((spelling, meant), reverse=True)
        likeness = best + (1 - best) * _SECOND * second
        if likeness >= _LEAST:
            links.append(Link(node, _FUZZY * likeness, "text" if spelling == best else "vector"))
    links.sort(key=lambda one: -one.score)
    return tuple(links[:MOST_LINKS]) if links and links[0].score >= _FUZZY * enough else ()


def _mention(asked: Parsed, found: Found) -> Mention:
    named = sum(one.how == found.links[0].how for one in found.links)
    kept = found.links[: max(named, MOST_LINKS)]
    return Mention(found.span.start, found.span.end, asked.read(found.span), kept)


def _given_links(topic: str, nodes: Iterable[Node]) -> tuple[Link, ...]:
    known = {node.id: node for node in nodes}
    same = [node for node in known.values() if node.name == topic]
    same = same or [node for node in known.values() if same_case(topic, node.name)]
    links = tuple(Link(node, 1.0, "given") for node in same or known.values())
    if not links:
        raise UnknownTopicError(
            f"no node of the graph is called {topic!r}",
            "give the name as it stands in the graph, or leave topics out to have them linked",
        )
    return links


def _places(question: str, topics: Iterable[str]) -> dict[str, Span]:
    """Where each topic stands in the question, longer names first; else its empty end."""
    placed: dict[str, Span] = {}
    for topic in sorted(set(topics), key=len, reverse=True):
        free = (
            span
            for span in occurrences(question, topic)
            if not any(map(span.overlaps, placed.values()))
        )
        placed[topic] = next(free, Span(len(question), len(question)))
    return placed
