"""Link: find the question's mentions, and the nodes of the graph that each may stand for.

Stages: all spans of the question are looked up at once, by name and by other spellings and names;
of spans that overlap, the most informative one is kept. Spans that look like names but were not
found are searched by full text, and by vectors where spelling does not decide. A mention that is
only the question's own wording (a film called `What`, a tag `director`) or an ordinary word (a tag
`seen`) gives way to any other.
Nodes of one name are ranked by how well they fit the question's other words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import islice

from trellis.domain.errors import NotIndexedError, UnknownTopicError
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.limits.sharing import do_once
from trellis.domain.ports import Embedder, Graph
from trellis.domain.replies.question import Question
from trellis.linking.names.candidates import (
    FUZZY,
    MOST_LINKS,
    LinkedSpan,
    choose_spans,
    drop_weak_spans,
    fuse_links,
    link_by_name,
)
from trellis.linking.names.demonyms import find_countries
from trellis.linking.names.name_like_spans import find_name_like_spans
from trellis.linking.names.ordinary_words import ORDINARY_WORDS
from trellis.linking.names.spans import (
    Atom,
    ParsedQuestion,
    Span,
    find_occurrences,
    find_spans,
    is_same_case,
    make_lookup_keys,
    parse_question,
)
from trellis.linking.names.spellings import make_singular_keys, make_spelling_keys
from trellis.linking.text import bare_words
from trellis.steps.link.fit import rank_spans_by_fit
from trellis.steps.link.given_nodes import narrow_mentions, read_given_topics

_ENOUGH_ALONE = 0.75  # likeness to a name that makes a span that stands alone a mention
_ENOUGH_AMONG_NAMES = 0.85  # likeness that makes a span a mention where exact names compete with it
_LEAST_SHARE_OF_NAME = (
    0.85  # share of a name's letters; a text with fewer is only a part of the name
)
_LONGEST_SPELT = 12  # atoms of the longest span whose other spellings are looked up
_MOST_FUZZY = 40  # spans of one question that are searched by full text
_MOST_MEANT = 8  # spans of one question that are searched by vectors


async def link_mentions(
    question: str,
    graph: Graph,
    embedder: Embedder | None,
    wording: Collection[str] = (),
) -> tuple[Mention, ...]:
    """The mentions of a question in the order of their spans, none overlapping.

    Each carries its candidate nodes, best first, with scores in (0, 1]; empty where nothing was
    found. `wording`: lower-case words that questions over this graph use, rather than names.
    Methods that are asked side by side share it.
    """
    key = ("links", question, tuple(wording), embedder is None)
    return await do_once(key, lambda: _find_mentions(question, graph, embedder, wording))


async def _find_mentions(
    question: str, graph: Graph, embedder: Embedder | None, wording: Collection[str]
) -> tuple[Mention, ...]:
    asked = parse_question(question, ORDINARY_WORDS.union(wording))
    found = choose_spans(await _find_named_spans(asked, graph))
    named = [f.span for f in found if f.name_level > 1]
    unknown = dict(islice(find_name_like_spans(asked, named).items(), _MOST_FUZZY))
    if unknown:
        found = choose_spans(
            [*found, *await _search_unknown_spans(asked, unknown, graph, embedder)]
        )
    stranger = any(asked.count_features(span).shaped for span in unknown)
    kept = drop_weak_spans(found, has_unknown_name=stranger)
    return tuple(_build_mention(asked, f) for f in await rank_spans_by_fit(asked, kept, graph))


async def link_question(
    question: Question,
    graph: Graph,
    embedder: Embedder | None,
    wording: Collection[str] = (),
) -> tuple[Mention, ...]:
    """The mentions of a question: of the names that its asker gives, else those that are found;
    nodes that are given by their ids narrow either."""
    given = await read_given_topics(question.topics, graph)
    if given.names:
        mentions = await link_topics(question.text, given.names, graph)
    else:
        mentions = await link_mentions(question.text, graph, embedder, wording)
    return narrow_mentions(question.text, mentions, given.nodes) if given.nodes else mentions


async def link_topics(question: str, topics: Sequence[str], graph: Graph) -> tuple[Mention, ...]:
    """Mentions of the topics that the asker gives, in the order of their spans.

    A topic that does not occur in the question is an empty mention at its end. Raises
    UnknownTopicError for a topic that is no node's name, in any spelling.
    """
    nodes = await _find_topic_nodes(topics, graph)
    places = _place_topics(question, topics)
    mentions = []
    for topic in dict.fromkeys(topics):
        links = _link_topic(topic, nodes[topic])
        span = places[topic]
        text = question[span.start : span.end] or topic
        mentions.append(Mention(span.start, span.end, text, links))
    return tuple(sorted(mentions, key=lambda mention: mention.start))


async def _find_named_spans(question: ParsedQuestion, graph: Graph) -> list[LinkedSpan]:
    """All spans that name a node, whatever their case, spacing, underscores or spelling.

    Other spellings and aliases are looked up for the names found, which may be ambiguous, and for
    all spans that have more informative words than any of these.
    """
    nodes = await _find_exact_nodes(question, graph)
    exact = [
        LinkedSpan(s, link_by_name(question, s, n, ()), question.count_features(s))
        for s, n in nodes.items()
    ]
    settled = {best.span: frozenset(question.atoms_in(best.span)) for best in choose_spans(exact)}
    spelt = {
        span: _make_span_spellings(question, span)
        for span in find_spans(question)
        if span in settled or _may_have_spelling(question.atoms_in(span), settled.values())
    }
    countries = {span: _make_country_keys(question, span) for span in spelt}
    wanted = list(
        dict.fromkeys(key for each in (*spelt.values(), *countries.values()) for key in each)
    )
    called = await graph.find_by_spelling(wanted) if wanted else {}
    linked = [name for name in exact if name.span not in spelt]
    for span, span_keys in spelt.items():
        names = [name for key in span_keys for name in called.get(key, ())]
        if not names and span not in nodes:  # nothing is called German, but there is a Germany
            names = [name for key in countries[span] for name in called.get(key, ())]
        if links := link_by_name(question, span, nodes.get(span, ()), names):
            linked.append(LinkedSpan(span, links, question.count_features(span)))
    return linked


async def _find_exact_nodes(question: ParsedQuestion, graph: Graph) -> dict[Span, list[Node]]:
    """The nodes whose name each span is; only spans that name one."""
    looked_up = {
        span: sorted(make_lookup_keys(question.text_of(span))) for span in find_spans(question)
    }
    wanted = list(dict.fromkeys(key for each in looked_up.values() for key in each))
    nodes = await graph.find_by_key(wanted) if wanted else {}
    named = {s: [n for key in ks for n in nodes.get(key, ())] for s, ks in looked_up.items()}
    return {span: span_nodes for span, span_nodes in named.items() if span_nodes}


def _may_have_spelling(atoms: Sequence[Atom], settled_names: Iterable[Set[Atom]]) -> bool:
    """Whether a span begins and ends in words and is more informative than any name found."""
    if not (atoms[0].is_nameable and atoms[-1].is_nameable and len(atoms) <= _LONGEST_SPELT):
        return False
    telling = {atom for atom in atoms if atom.is_informative}
    return bool(telling) and not any(telling <= name for name in settled_names)


def _make_span_spellings(question: ParsedQuestion, span: Span) -> tuple[str, ...]:
    text = question.text_of(span)
    worth = question.count_features(span)  # one word in the plural is like its singular anyway
    return (
        *make_spelling_keys(text),
        *(make_singular_keys(text) if worth.shaped and worth.words > 1 else ()),
    )


def _make_country_keys(question: ParsedQuestion, span: Span) -> tuple[str, ...]:
    """The keys of Germany for `German`."""
    countries = find_countries(question.text_of(span))
    return tuple(key for country in countries for key in make_spelling_keys(country))


async def _search_unknown_spans(
    question: ParsedQuestion, unknown: Mapping[Span, bool], graph: Graph, embedder: Embedder | None
) -> list[LinkedSpan]:
    """What full-text and vector search find for spans that look like names.

    A span that stands alone (True in `unknown`) may differ more from the name than one that
    competes with names. Vectors are searched for spans that full text does not decide.
    """
    texts = [question.text_of(span) for span in unknown]
    by_text = await graph.search_by_text(texts, MOST_LINKS)
    settled = [s for s, links in zip(unknown, by_text, strict=True) if _is_sure(links)]
    unsettled = [s for s in unknown if not any(map(s.overlaps, settled))]
    likeliest = sorted(unsettled, key=lambda s: not unknown[s])[:_MOST_MEANT]
    by_vector = await _search_by_vector(question, likeliest, graph, embedder)
    linked = []
    for span, text, text_links in zip(unknown, texts, by_text, strict=True):
        links = fuse_links(text, text_links, by_vector.get(span, ()))
        if links and links[0].score >= FUZZY * _choose_threshold(
            text, links[0].node, unknown[span]
        ):
            linked.append(LinkedSpan(span, links, question.count_features(span)))
    return linked


def _choose_threshold(text: str, node: Node, stands_alone: bool) -> float:
    """The likeness that a text needs to be a mention of a node.

    Where other names compete with it, a part of the name is not enough: common words are part of
    many names.
    """
    if stands_alone:
        return _ENOUGH_ALONE
    words, name = bare_words(text), bare_words(node.name)
    is_part = len(words) < len(name) and len("".join(words)) < _LEAST_SHARE_OF_NAME * len(
        "".join(name)
    )
    return 1.0 if is_part else _ENOUGH_AMONG_NAMES


def _is_sure(links: Sequence[Link]) -> bool:
    return bool(links) and links[0].score >= _ENOUGH_AMONG_NAMES


async def _search_by_vector(
    question: ParsedQuestion, wanted: Sequence[Span], graph: Graph, embedder: Embedder | None
) -> dict[Span, Sequence[Link]]:
    if embedder is None or not wanted:
        return {}
    vectors = await asyncio.to_thread(embedder.embed, [question.text_of(span) for span in wanted])
    try:
        return dict(zip(wanted, await graph.search_by_vector(vectors, MOST_LINKS), strict=True))
    except NotIndexedError:  # a graph without embeddings is linked by spelling alone
        return {}


def _build_mention(question: ParsedQuestion, linked: LinkedSpan) -> Mention:
    alike = sum(link.how == linked.links[0].how for link in linked.links)
    links = linked.links[: max(alike, MOST_LINKS)]
    return Mention(linked.span.start, linked.span.end, question.text_of(linked.span), links)


async def _find_topic_nodes(topics: Sequence[str], graph: Graph) -> dict[str, list[Node]]:
    """The nodes of each topic: those of this name, else those with it in another spelling."""
    exact = await graph.find_by_key(
        sorted({key for topic in topics for key in make_lookup_keys(topic)})
    )
    nodes = {t: [n for key in make_lookup_keys(t) for n in exact.get(key, ())] for t in topics}
    missing = {topic: make_spelling_keys(topic) for topic, found in nodes.items() if not found}
    if wanted := sorted({key for each in missing.values() for key in each}):
        called = await graph.find_by_spelling(wanted)
        nodes |= {t: [c.node for k in ks for c in called.get(k, ())] for t, ks in missing.items()}
    return nodes


def _link_topic(topic: str, nodes: Iterable[Node]) -> tuple[Link, ...]:
    known = {node.id: node for node in nodes}
    same = [node for node in known.values() if node.name == topic]
    same = same or [node for node in known.values() if is_same_case(topic, node.name)]
    links = tuple(Link(node, 1.0, "given") for node in same or known.values())
    if not links:
        raise UnknownTopicError(
            f"no node of the graph is called {topic!r}",
            "give the name as it stands in the graph, or leave topics out to have them linked",
        )
    return links


def _place_topics(question: str, topics: Iterable[str]) -> dict[str, Span]:
    """The span of each topic in the question, longer names first; else the question's empty end."""
    placed: dict[str, Span] = {}
    for topic in sorted(set(topics), key=len, reverse=True):
        free = (
            span
            for span in find_occurrences(question, topic)
            if not any(map(span.overlaps, placed.values()))
        )
        placed[topic] = next(free, Span(len(question), len(question)))
    return placed
