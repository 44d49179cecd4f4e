"""Link: find the question's mentions, and the nodes of the graph that each may stand for.

Stages: all spans of the question are looked up at once, by name and by other spellings and names;
of spans that overlap, the most informative one is kept. Spans that look like names but were not
found are searched by full text, and by vectors where spelling does not decide. A mention that is
only the question's own wording (a film called `What`, a tag `director`) gives way to any other.
Nodes of one name are ranked by how well they fit the question's other words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import islice

from trellis.domain.errors import UnknownTopicError
from trellis.domain.graph import Node
from trellis.domain.links import Link, Mention
from trellis.domain.ports import Embedder, Graph
from trellis.linking.candidates import (
    FUZZY,
    MOST_LINKS,
    Found,
    fused,
    lasting,
    named_links,
    winners,
)
from trellis.linking.spans import (
    Atom,
    Parsed,
    Span,
    keys,
    name_like,
    occurrences,
    parsed,
    same_case,
    spans,
)
from trellis.linking.spellings import singulars, spellings
from trellis.linking.text import bare_words
from trellis.steps.shared.fit import fitted

_ENOUGH = 0.75  # likeness to a name that makes a span that stands alone a mention
_SURE = 0.85  # likeness that makes a span a mention where exact names compete with it
_MOSTLY = 0.85  # share of a name's letters; a text with fewer is only a part of the name
_LONGEST_SPELT = 12  # atoms of the longest span whose other spellings are looked up
_MOST_FUZZY = 40  # spans of one question that are searched by full text
_MOST_MEANT = 8  # spans of one question that are searched by vectors


async def link(
    question: str,
    graph: Graph,
    embedder: Embedder | None,
    wording: Collection[str] = (),
) -> tuple[Mention, ...]:
    """The mentions of a question in the order of their spans, none overlapping.

    Each carries its candidate nodes, best first, with scores in (0, 1]; empty where nothing was
    found. `wording`: lower-case words that questions over this graph use, rather than names.
    """
    asked = parsed(question, wording)
    found = winners(await _named(asked, graph))
    named = [f.span for f in found if f.standing > 1]
    unknown = dict(islice(name_like(asked, named).items(), _MOST_FUZZY))
    if unknown:
        found = winners([*found, *await _fuzzy(asked, unknown, graph, embedder)])
    stranger = any(asked.worth(span).shaped for span in unknown)
    kept = lasting(found, stranger=stranger)
    return tuple(_mention(asked, f) for f in await fitted(asked, kept, graph))


async def given(question: str, topics: Sequence[str], graph: Graph) -> tuple[Mention, ...]:
    """Mentions of the topics that the asker gives, in the order of their spans.

    A topic that does not occur in the question is an empty mention at its end. Raises
    UnknownTopicError for a topic that is no node's name, in any spelling.
    """
    nodes = await _given_nodes(topics, graph)
    places = _places(question, topics)
    mentions = []
    for topic in dict.fromkeys(topics):
        links = _given_links(topic, nodes[topic])
        span = places[topic]
        text = question[span.start : span.end] or topic
        mentions.append(Mention(span.start, span.end, text, links))
    return tuple(sorted(mentions, key=lambda mention: mention.start))


async def _named(asked: Parsed, graph: Graph) -> list[Found]:
    """All spans that name a node, whatever their case, spacing, underscores or spelling.

    Other spellings and aliases are looked up for the names found, which may be ambiguous, and for
    all spans that have more informative words than any of these.
    """
    nodes = await _exact(asked, graph)
    exact = [Found(s, named_links(asked, s, n, ()), asked.worth(s)) for s, n in nodes.items()]
    settled = {best.span: frozenset(asked.within(best.span)) for best in winners(exact)}
    spelt = {
        span: _spelt(asked, span)
        for span in spans(asked)
        if span in settled or _may_be_spelt(asked.within(span), settled.values())
    }
    wanted = list(dict.fromkeys(key for each in spelt.values() for key in each))
    called = await graph.also(wanted) if wanted else {}
    linked = [name for name in exact if name.span not in spelt]
    for span, span_keys in spelt.items():
        names = [name for key in span_keys for name in called.get(key, ())]
        if links := named_links(asked, span, nodes.get(span, ()), names):
            linked.append(Found(span, links, asked.worth(span)))
    return linked


async def _exact(asked: Parsed, graph: Graph) -> dict[Span, list[Node]]:
    """The nodes whose name each span is; only spans that name one."""
    looked_up = {span: sorted(keys(asked.read(span))) for span in spans(asked)}
    wanted = list(dict.fromkeys(key for each in looked_up.values() for key in each))
    nodes = await graph.exact(wanted) if wanted else {}
    named = {s: [n for key in ks for n in nodes.get(key, ())] for s, ks in looked_up.items()}
    return {span: span_nodes for span, span_nodes in named.items() if span_nodes}


def _may_be_spelt(atoms: Sequence[Atom], settled: Iterable[Set[Atom]]) -> bool:
    """Whether a span begins and ends in words and is more informative than any name found."""
    if not (atoms[0].counts and atoms[-1].counts and len(atoms) <= _LONGEST_SPELT):
        return False
    telling = {atom for atom in atoms if atom.telling}
    return bool(telling) and not any(telling <= name for name in settled)


def _spelt(asked: Parsed, span: Span) -> tuple[str, ...]:
    text = asked.read(span)
    worth = asked.worth(span)  # one word in the plural is like its singular anyway
    return (*spellings(text), *(singulars(text) if worth.shaped and worth.words > 1 else ()))


async def _fuzzy(
    asked: Parsed, unknown: Mapping[Span, bool], graph: Graph, embedder: Embedder | None
) -> list[Found]:
    """What full-text and vector search find for spans that look like names.

    A span that stands alone (True in `unknown`) may differ more from the name than one that
    competes with names. Vectors are searched for spans that full text does not decide.
    """
    texts = [asked.read(span) for span in unknown]
    by_text = await graph.by_text(texts, MOST_LINKS)
    settled = [s for s, links in zip(unknown, by_text, strict=True) if _is_sure(links)]
    unsettled = [s for s in unknown if not any(map(s.overlaps, settled))]
    likeliest = sorted(unsettled, key=lambda s: not unknown[s])[:_MOST_MEANT]
    by_vector = await _by_vector(asked, likeliest, graph, embedder)
    linked = []
    for span, text, text_links in zip(unknown, texts, by_text, strict=True):
        links = fused(text, text_links, by_vector.get(span, ()))
        if links and links[0].score >= FUZZY * _enough(text, links[0].node, unknown[span]):
            linked.append(Found(span, links, asked.worth(span)))
    return linked


def _enough(text: str, node: Node, alone: bool) -> float:
    """The likeness that a text needs to be a mention of a node.

    Where other names compete with it, a part of the name is not enough: common words are part of
    many names.
    """
    if alone:
        return _ENOUGH
    words, name = bare_words(text), bare_words(node.name)
    is_part = len(words) < len(name) and len("".join(words)) < _MOSTLY * len("".join(name))
    return 1.0 if is_part else _SURE


def _is_sure(links: Sequence[Link]) -> bool:
    return bool(links) and links[0].score >= _SURE


async def _by_vector(
    asked: Parsed, wanted: Sequence[Span], graph: Graph, embedder: Embedder | None
) -> dict[Span, Sequence[Link]]:
    if embedder is None or not wanted:
        return {}
    vectors = await asyncio.to_thread(embedder.embed, [asked.read(span) for span in wanted])
    return dict(zip(wanted, await graph.by_vector(vectors, MOST_LINKS), strict=True))


def _mention(asked: Parsed, found: Found) -> Mention:
    alike = sum(link.how == found.links[0].how for link in found.links)
    links = found.links[: max(alike, MOST_LINKS)]
    return Mention(found.span.start, found.span.end, asked.read(found.span), links)


async def _given_nodes(topics: Sequence[str], graph: Graph) -> dict[str, list[Node]]:
    """The nodes of each topic: those of this name, else those with it in another spelling."""
    exact = await graph.exact(sorted({key for topic in topics for key in keys(topic)}))
    nodes = {t: [n for key in keys(t) for n in exact.get(key, ())] for t in topics}
    missing = {topic: spellings(topic) for topic, found in nodes.items() if not found}
    if wanted := sorted({key for each in missing.values() for key in each}):
        called = await graph.also(wanted)
        nodes |= {t: [c.node for k in ks for c in called.get(k, ())] for t, ks in missing.items()}
    return nodes


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
    """The span of each topic in the question, longer names first; else the question's empty end."""
    placed: dict[str, Span] = {}
    for topic in sorted(set(topics), key=len, reverse=True):
        free = (
            span
            for span in occurrences(question, topic)
            if not any(map(span.overlaps, placed.values()))
        )
        placed[topic] = next(free, Span(len(question), len(question)))
    return placed
