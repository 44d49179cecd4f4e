"""Scores the nodes that spans of a question may stand for, and chooses among overlapping spans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, NodeName
from trellis.linking.names.closeness import measure_closeness
from trellis.linking.names.spans import ParsedQuestion, Span, SpanFeatures, is_same_case
from trellis.linking.names.spellings import make_spelling_keys
from trellis.linking.text import bare_words, name_key

MOST_LINKS = 20
"""How many links a mention keeps, unless more nodes carry exactly its name."""

FUZZY = 0.85
"""The highest score of a link that was found by similarity."""

_OTHER_CASE = 0.9
_ALIAS = 0.96  # the text is that of a property other than the name
_SPELLING = 0.85  # another spelling of the name
_SMALL_WORD = 0.9  # a single word written small may be no name at all
_WORDING = 0.6
_GRAMMAR = 0.3
_SECOND = 0.3  # weight of the search that found the lower likeness
_MEANT = 0.8  # the least cosine at which two names may mean one thing
_LEAST = 0.75
"""The least likeness of a candidate: of 250 names that a graph of 5,728 had not, 41 % were .6 and
more like one of its names, and 1 % .75; of its own names with two letters wrong 99 % were."""
_CODE = 3  # the most letters of an alias that is a code, which in small letters means nothing


class SpanGrade(NamedTuple):
    """How strong a linked span is; of overlapping spans the one with the greater grade wins."""

    informative: int
    is_cased: bool  # it has capitals, the same as the name
    length: int


@dataclass(frozen=True, slots=True)
class LinkedSpan:
    """A span, the nodes found for it, best first, and the features of the span."""

    span: Span
    links: tuple[Link, ...]
    features: SpanFeatures

    @property
    def grade(self) -> SpanGrade:
        best = self.links[0]
        cased = best.how == "exact-case" and best.node.name != best.node.name.lower()
        return SpanGrade(self.features.informative, cased, self.span.end - self.span.start)

    @property
    def name_level(self) -> int:
        """How likely the span is a name: 2 a name, 1 wording of the question, 0 grammar."""
        as_it_stands = self.links[0].how in ("exact-case", "alias")
        if self.features.rare or (self.features.shaped and as_it_stands):
            return 2
        return 0 if self.features.function_words == self.features.words else 1


def choose_spans(spans: Iterable[LinkedSpan]) -> list[LinkedSpan]:
    """The best spans of which no two overlap, in the order of the question."""
    kept: list[LinkedSpan] = []
    for candidate in sorted(
        _drop_looser_spans(spans), key=lambda f: (f.grade, -f.span.start), reverse=True
    ):
        if not any(candidate.span.overlaps(other.span) for other in kept):
            kept.append(candidate)
    return sorted(kept, key=lambda f: f.span)


def _drop_looser_spans(spans: Iterable[LinkedSpan]) -> Iterator[LinkedSpan]:
    """The spans without those that overlap a better span whose best node has the same name.

    `cast of Mr. Smith` is similar to the name `Mr. Smith` too, but has words that do not belong.
    Names are compared up to case: `perl recommend` is a package `perl` and a language `Perl` alike.
    """
    kept: list[tuple[str, Span]] = []
    for candidate in sorted(spans, key=lambda f: -f.links[0].score):
        name = name_key(candidate.links[0].node.name)
        if not any(name == other and candidate.span.overlaps(span) for other, span in kept):
            kept.append((name, candidate.span))
            yield candidate


def drop_weak_spans(
    spans: Sequence[LinkedSpan], *, has_unknown_name: bool = False
) -> list[LinkedSpan]:
    """The spans that remain when wording gives way to names, and single weak words to longer spans.

    Where all spans are grammar, only the last remains. `has_unknown_name`: whether the question
    contains a text with the shape of a name that is not in the graph; then only names remain.
    """
    names = [f for f in spans if f.name_level > 1]
    several = [f for f in spans if f.features.words > 1]
    if names or has_unknown_name:
        return names
    best = max((f.name_level for f in spans), default=0)
    kept = [f for f in spans if f.name_level == best]
    kept = [f for f in kept if f.links[0].how == "exact-case"] or kept
    return several or (kept if best else kept[-1:])


def link_by_name(
    question: ParsedQuestion, span: Span, nodes: Iterable[Node], names: Iterable[NodeName]
) -> tuple[Link, ...]:
    """Links of a span to the `nodes` of exactly this name, and to those `names` nearly the
    same."""
    text, trust = question.text_of(span), _estimate_trust(question.count_features(span))
    links = {
        node.id: Link(node, trust, "exact-case")
        if is_same_case(text, node.name)
        else Link(node, trust * _OTHER_CASE, "exact")
        for node in nodes
    }
    for each in names:
        link = _link_name(text, each, trust)
        if _may_name(question, span, each) and link.score > _score_or_zero(links.get(each.node.id)):
            links[each.node.id] = link
    alike = {link.node.id: measure_closeness(text, link.node.name) for link in links.values()}
    return tuple(sorted(links.values(), key=lambda link: (-link.score, -alike[link.node.id])))


def _score_or_zero(link: Link | None) -> float:
    return link.score if link else 0.0


def _link_name(text: str, node_name: NodeName, trust: float) -> Link:
    if not node_name.is_alias:
        return Link(node_name.node, trust * _SPELLING, "spelling")
    cased = 1.0 if is_same_case(text, node_name.text) else _OTHER_CASE
    same = (
        1.0
        if set(make_spelling_keys(text)) & set(make_spelling_keys(node_name.text))
        else _SPELLING
    )
    return Link(node_name.node, trust * _ALIAS * cased * same, "alias")


def _may_name(question: ParsedQuestion, span: Span, node_name: NodeName) -> bool:
    """Whether a span can mean a node by that name, rather than match it by chance.

    `it` does not mean a country, `who is Land` not an island, `93` not a dialling code. A code of a
    few letters has to stand in capitals, in a question that is not all in capitals.
    """
    text = question.text_of(span)
    if node_name.is_alias and len(node_name.text) <= _CODE:
        return text == node_name.text and text.isupper() and not question.text.isupper()
    if node_name.is_alias and not any(map(str.isalpha, node_name.text)):
        return text == node_name.text or len(node_name.text) > 2 * _CODE
    words = [atom for atom in question.atoms_in(span) if atom.is_nameable]
    edges = words[0].is_function_word or words[-1].is_function_word
    return not edges or len(bare_words(text)) == len(bare_words(node_name.text))


def _estimate_trust(features: SpanFeatures) -> float:
    if features.function_words == features.words and not features.shaped:
        return _GRAMMAR
    if not features.informative:
        return _WORDING
    return 1.0 if features.shaped or features.words > 1 else _SMALL_WORD


def fuse_links(text: str, by_text: Sequence[Link], by_vector: Sequence[Link]) -> tuple[Link, ...]:
    """The links of two searches as one list, ranked by spelling and meaning together.

    `by_text`: those of full-text search; `by_vector`: those of vector search. Both have scores in
    [0, 1]. For nodes that only the vector search found, the likeness in spelling is computed here.
    """
    spelt = {link.node.id: link.score for link in by_text}
    meaning = {link.node.id: link.score for link in by_vector}
    nodes = {link.node.id: link.node for link in (*by_text, *by_vector)}
    links = []
    for key, node in nodes.items():
        spelling = spelt[key] if key in spelt else measure_closeness(text, node.name)
        meant = meaning.get(key, 0.0)
        if meant < _MEANT:  # related but not the same, as Prague and Czechia are
            meant = min(meant, spelling)
        best, second = sorted((spelling, meant), reverse=True)
        likeness = best + (1 - best) * _SECOND * second
        if likeness >= _LEAST:
            links.append(Link(node, FUZZY * likeness, "text" if spelling == best else "vector"))
    links.sort(key=lambda link: -link.score)
    if text.isdecimal() and len(links) > 1:  # a number is in many a name
        return ()
    return tuple(links[:MOST_LINKS])
