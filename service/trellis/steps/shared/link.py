"""Link: the question's mentions, and the nodes of the graph that each may stand for.

Stages: all spans of the question are looked up at once, by name and by other spellings and names;
among what is found, those that say most win over what they overlap. What still looks like a name,
and was not found, goes to full-text search, and to vector search where spelling does not settle
it. A mention that is only the question's own wording (a film called `What`, a tag `director`)
yields to any other. Nodes of one name are ranked by how they fit the question's other words.
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

_ENOUGH = 0.75  # likeness from which a span that stands alone is a mention
_SURE = 0.85  # likeness from which it is one where it contends with exact names
_MOSTLY = 0.85  # of the letters of a name: less is a mere part of it
_LONGEST_SPELT = 12  # atoms of a span that other spellings are looked up for
_MOST_FUZZY = 40  # spans of one question that are searched by likeness
_MOST_MEANT = 8  # spans that are searched by meaning


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
    found = winners(await _named(asked, graph))
    named = [f.span for f in found if f.standing > 1]
    unknown = dict(islice(name_like(asked, named).items(), _MOST_FUZZY))
    if unknown:
        found = winners([*found, *await _fuzzy(asked, unknown, graph, embedder)])
    stranger = any(asked.worth(span).shaped for span in unknown)
    kept = lasting(found, stranger=stranger)
    return tuple(_mention(asked, f) for f in await fitted(asked, kept, graph))


async def given(question: str, topics: Sequence[str], graph: Graph) -> tuple[Mention, ...]:
    """Mentions of the topics that the asker names, in the order of their spans.

    A topic that the text does not say is a mention of no characters at its end. Raises
    UnknownTopicError for a topic that no node is called by, in any spelling.
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
    """All spans that name a node, up to case, spacing and underscores, or are spelt like it.

    Other spellings and aliases are looked up for the names found, which may be ambiguous, and for
    all spans that say more than one of those.
    """
    nodes = await _exact(asked, graph)
    exact = [Found(s, named_links(asked, s, n, ()), asked.worth(s)) for s, n in nodes.items()]
    settled = {found.span: frozenset(asked.within(found.span)) for found in winners(exact)}
    spelt = {
        span: _spelt(asked, span)
        for span in spans(asked)
        if span in settled or _may_be_spelt(asked.within(span), settled.values())
    }
    wanted = list(dict.fromkeys(key for those in spelt.values() for key in those))
    called = await graph.also(wanted) if wanted else {}
    found = [one for one in exact if one.span not in spelt]
    for span, those in spelt.items():
        like = [one for key in those for one in called.get(key, ())]
        if links := named_links(asked, span, nodes.get(span, ()), like):
            found.append(Found(span, links, asked.worth(span)))
    return found


async def _exact(asked: Parsed, graph: Graph) -> dict[Span, list[Node]]:
    looked = {span: sorted(keys(asked.read(span))) for span in spans(asked)}
    wanted = list(dict.fromkeys(key for those in looked.values() for key in those))
    nodes = await graph.exact(wanted) if wanted else {}
    named = {s: [n for key in those for n in nodes.get(key, ())] for s, those in looked.items()}
    return {span: those for span, those in named.items() if those}


def _may_be_spelt(atoms: Sequence[Atom], settled: Iterable[Set[Atom]]) -> bool:
    """From word to word, telling more than any one name; marks at the ends spell nothing."""
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

    A span that stands alone may be far from the name; one that contends with names, less. Vectors
    are asked for what no span settles by its spelling.
    """
    texts = [asked.read(span) for span in unknown]
    by_text = await graph.by_text(texts, MOST_LINKS)
    settled = [s for s, links in zip(unknown, by_text, strict=True) if _is_sure(links)]
    unsettled = [s for s in unknown if not any(map(s.overlaps, settled))]
    likeliest = sorted(unsettled, key=lambda s: not unknown[s])[:_MOST_MEANT]
    by_vector = await _by_vector(asked, likeliest, graph, embedder)
    found = []
    for span, text, told in zip(unknown, texts, by_text, strict=True):
        near = by_vector.get(span, ())
        links = fused(text, told, near)
        if links and links[0].score >= FUZZY * _enough(text, links[0].node, unknown[span]):
            found.append(Found(span, links, asked.worth(span)))
    return found


def _enough(text: str, node: Node, alone: bool) -> float:
    """What contends with names is no mere part of one: common words are in many names."""
    if alone:
        return _ENOUGH
    said, whole = bare_words(text), bare_words(node.name)
    part = len(said) < len(whole) and len("".join(said)) < _MOSTLY * len("".join(whole))
    return 1.0 if part else _SURE


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
    named = sum(one.how == found.links[0].how for one in found.links)
    kept = found.links[: max(named, MOST_LINKS)]
    return Mention(found.span.start, found.span.end, asked.read(found.span), kept)


async def _given_nodes(topics: Sequence[str], graph: Graph) -> dict[str, list[Node]]:
    """The nodes of each topic: of exactly this name, else called so in another spelling."""
    exact = await graph.exact(sorted({key for topic in topics for key in keys(topic)}))
    nodes = {t: [n for key in keys(t) for n in exact.get(key, ())] for t in topics}
    missing = {topic: spellings(topic) for topic, found in nodes.items() if not found}
    if wanted := sorted({key for those in missing.values() for key in those}):
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
