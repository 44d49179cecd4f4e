"""Nodes that spans of a question may stand for: how much each is trusted, and which spans win."""

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
"""The most that a search by likeness is trusted."""

_OTHER_CASE = 0.9
_ALIAS = 0.96  # called so by a property other than the name
_SPELLING = 0.85  # another spelling of the name
_SMALL_WORD = 0.9  # a single word written small may be no name at all
_WORDING = 0.6
_GRAMMAR = 0.3
_SECOND = 0.3  # how much the other search adds
_MEANT = 0.8  # cosine from which two names may mean one thing
_LEAST = 0.6  # likeness from which a node is a candidate at all
_CODE = 3  # letters up to which an alias is a code, and means nothing in small letters


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
        as_it_stands = self.links[0].how in ("exact-case", "alias")
        if self.worth.rare or (self.worth.shaped and as_it_stands):
            return 2
        return 0 if self.worth.functions == self.worth.words else 1


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


def named_links(
    asked: Parsed, span: Span, nodes: Iterable[Node], called: Iterable[Called]
) -> tuple[Link, ...]:
    """Links to the nodes of exactly this name, and to those that are `called` nearly so."""
    text, trust = asked.read(span), _trust(asked.worth(span))
    links = {
        node.id: Link(node, trust, "exact-case")
        if same_case(text, node.name)
        else Link(node, trust * _OTHER_CASE, "exact")
        for node in nodes
    }
    for one in called:
        link = _called_link(text, one, trust)
        if _may_call(asked, span, one) and link.score > _score(links.get(one.node.id)):
            links[one.node.id] = link
    alike = {link.node.id: closeness(text, link.node.name) for link in links.values()}
    return tuple(sorted(links.values(), key=lambda one: (-one.score, -alike[one.node.id])))


def _score(link: Link | None) -> float:
    return link.score if link else 0.0


def _called_link(text: str, called: Called, trust: float) -> Link:
    if not called.is_alias:
        return Link(called.node, trust * _SPELLING, "spelling")
    cased = 1.0 if same_case(text, called.text) else _OTHER_CASE
    same = 1.0 if set(spellings(text)) & set(spellings(called.text)) else _SPELLING
    return Link(called.node, trust * _ALIAS * cased * same, "alias")


def _may_call(asked: Parsed, span: Span, called: Called) -> bool:
    """Not by chance: `it` is no country, `who is Land` asks of no island, `93` is no dialling code.

    A code of a few letters is a name in capitals only, where not all the question is in them.
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
    """One list of what two searches found: by the better of spelling and meaning.

    Scores of both are likeness in [0, 1]; the likeness in spelling of what only the other search
    found is measured here.
    """
    spelt = {link.node.id: link.score for link in told}
    meaning = {link.node.id: link.score for link in near}
    nodes = {link.node.id: link.node for link in (*told, *near)}
    links = []
    for key, node in nodes.items():
        spelling = spelt[key] if key in spelt else closeness(text, node.name)
        meant = meaning.get(key, 0.0)
        if meant < _MEANT:  # kin in meaning, as Prague and Czechia are
            meant = min(meant, spelling)
        best, second = sorted((spelling, meant), reverse=True)
        likeness = best + (1 - best) * _SECOND * second
        if likeness >= _LEAST:
            links.append(Link(node, FUZZY * likeness, "text" if spelling == best else "vector"))
    links.sort(key=lambda one: -one.score)
    return tuple(links[:MOST_LINKS])
