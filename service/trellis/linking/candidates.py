"""Scores the nodes that spans of a question may stand for, and chooses among overlapping spans."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trellis.domain.graph import Node
from trellis.domain.links import Called, Link
from trellis.linking.closeness import closeness
from trellis.linking.spans import Parsed, Span, Worth, same_case
from trellis.linking.spellings import spellings
from trellis.linking.text import bare_words

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
_LEAST = 0.6  # the least likeness of a candidate
_CODE = 3  # the most letters of an alias that is a code, which in small letters means nothing


class Grade(NamedTuple):
    """How strong a linked span is; of overlapping spans the one with the greater grade wins."""

    telling: int
    cased: bool  # it has capitals, the same as the name
    length: int


@dataclass(frozen=True, slots=True)
class Found:
    """A span, the nodes found for it, best first, and the features of the span."""

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
        """How likely the span is a name: 2 a name, 1 wording of the question, 0 grammar."""
        as_it_stands = self.links[0].how in ("exact-case", "alias")
        if self.worth.rare or (self.worth.shaped and as_it_stands):
            return 2
        return 0 if self.worth.functions == self.worth.words else 1


def winners(found: Iterable[Found]) -> list[Found]:
    """The best spans of which no two overlap, in the order of the question."""
    kept: list[Found] = []
    for candidate in sorted(_tightest(found), key=lambda f: (f.grade, -f.span.start), reverse=True):
        if not any(candidate.span.overlaps(other.span) for other in kept):
            kept.append(candidate)
    return sorted(kept, key=lambda f: f.span)


def _tightest(found: Iterable[Found]) -> list[Found]:
    """The spans without those that overlap a better span with the same best node.

    `cast of Mr. Smith` is similar to the name `Mr. Smith` too, but has words that do not belong.
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
    """The spans that remain when wording gives way to names, and single weak words to longer spans.

    Where all spans are grammar, only the last remains. `stranger`: whether the question contains a
    text with the shape of a name that is not in the graph; then only names remain.
    """
    names = [f for f in found if f.standing > 1]
    several = [f for f in found if f.worth.words > 1]
    if names or stranger:
        return names
    best = max((f.standing for f in found), default=0)
    kept = [f for f in found if f.standing == best]
    kept = [f for f in kept if f.links[0].how == "exact-case"] or kept
    return several or (kept if best else kept[-1:])


def named_links(
    asked: Parsed, span: Span, nodes: Iterable[Node], called: Iterable[Called]
) -> tuple[Link, ...]:
    """Links of a span to the `nodes` of exactly this name, and to those `called` nearly the
    same."""
    text, trust = asked.read(span), _trust(asked.worth(span))
    links = {
        node.id: Link(node, trust, "exact-case")
        if same_case(text, node.name)
        else Link(node, trust * _OTHER_CASE, "exact")
        for node in nodes
    }
    for each in called:
        link = _called_link(text, each, trust)
        if _may_call(asked, span, each) and link.score > _score(links.get(each.node.id)):
            links[each.node.id] = link
    alike = {link.node.id: closeness(text, link.node.name) for link in links.values()}
    return tuple(sorted(links.values(), key=lambda link: (-link.score, -alike[link.node.id])))


def _score(link: Link | None) -> float:
    return link.score if link else 0.0


def _called_link(text: str, called: Called, trust: float) -> Link:
    if not called.is_alias:
        return Link(called.node, trust * _SPELLING, "spelling")
    cased = 1.0 if same_case(text, called.text) else _OTHER_CASE
    same = 1.0 if set(spellings(text)) & set(spellings(called.text)) else _SPELLING
    return Link(called.node, trust * _ALIAS * cased * same, "alias")


def _may_call(asked: Parsed, span: Span, called: Called) -> bool:
    """Whether a span can mean a node by that name, rather than match it by chance.

    `it` does not mean a country, `who is Land` not an island, `93` not a dialling code. A code of a
    few letters has to stand in capitals, in a question that is not all in capitals.
    """
    text = asked.read(span)
    if called.is_alias and len(called.text) <= _CODE:
        return text == called.text and text.isupper() and not asked.text.isupper()
    if called.is_alias and not any(map(str.isalpha, called.text)):
        return text == called.text or len(called.text) > 2 * _CODE
    words = [atom for atom in asked.within(span) if atom.counts]
    edges = words[0].function or words[-1].function
    return not edges or len(bare_words(text)) == len(bare_words(called.text))


def _trust(worth: Worth) -> float:
    if worth.functions == worth.words and not worth.shaped:
        return _GRAMMAR
    if not worth.telling:
        return _WORDING
    return 1.0 if worth.shaped or worth.words > 1 else _SMALL_WORD


def fused(text: str, told: Sequence[Link], near: Sequence[Link]) -> tuple[Link, ...]:
    """The links of two searches as one list, ranked by spelling and meaning together.

    `told`: those of full-text search; `near`: those of vector search. Both have scores in [0, 1].
    For nodes that only the vector search found, the likeness in spelling is computed here.
    """
    spelt = {link.node.id: link.score for link in told}
    meaning = {link.node.id: link.score for link in near}
    nodes = {link.node.id: link.node for link in (*told, *near)}
    links = []
    for key, node in nodes.items():
        spelling = spelt[key] if key in spelt else closeness(text, node.name)
        meant = meaning.get(key, 0.0)
        if meant < _MEANT:  # related but not the same, as Prague and Czechia are
            meant = min(meant, spelling)
        best, second = sorted((spelling, meant), reverse=True)
        likeness = best + (1 - best) * _SECOND * second
        if likeness >= _LEAST:
            links.append(Link(node, FUZZY * likeness, "text" if spelling == best else "vector"))
    links.sort(key=lambda link: -link.score)
    return tuple(links[:MOST_LINKS])
