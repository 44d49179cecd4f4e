"""Properties of relationships, and questions by flags and texts of few among them: the captain of a
club, players without a red card."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.automata.cypher.words.property_types import DATES
from trellis.domain.grammar_words import BEING
from trellis.domain.graphs.schema import PropertyKind, RelationshipKind
from trellis.domain.identifiers import quote_name
from trellis.lexicon.flag_phrases import FlagPhrases, make_flag_phrases
from trellis.lexicon.label_kinds import is_person
from trellis.lexicon.names import read_name
from trellis.lexicon.property_phrases import is_number, is_year
from trellis.training.synthesis.operators.kinds.flags import has_both_truths, write_truth
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.patterns import Hop, write_node
from trellis.training.synthesis.operators.parts.topics import QuestionDraft, make_draft
from trellis.training.synthesis.operators.parts.verb_phrases import (
    find_behind_be,
    is_past,
    make_base,
)

SET_SHARE = 0.75  # probability that a flag is asked for, and not that it is not set
_BACK = 0.3  # probability that a relationship with a value is one to a node, not from it
_LACKED = 0.3  # probability that nodes without a value are asked for
_BY_VERB = 0.3  # probability that a text is said as a place behind the relationship's verb
_PLACES = ("in", "at", "on")
_BEFORE = 0.3  # probability that a flag is said in front of a noun
COUNTED = 0.15  # probability that the nodes by a property are counted
_GRADES = frozenset(("grade", "mark", "marks", "points", "rating", "score", "stars", "vote"))
_WHEN = frozenset(
    """at began begin created date datetime day from happened on since start started time timestamp
    when year""".split()  # noqa: SIM905
)
"""Words of properties for when a relationship came about."""


@dataclass(frozen=True, slots=True)
class EdgeProperty:
    """A property of a relationship type, and a noun for it."""

    relation: RelationshipKind
    kind: PropertyKind
    noun: str

    @property
    def column(self) -> str:
        """The property of a relationship `r` in Cypher."""
        return f"r.{quote_name(self.kind.name)}"

    @property
    def is_kind(self) -> bool:
        """Whether it is a flag, or a text of few."""
        return self.kind.is_flag or (self.kind.type == "STRING" and bool(self.kind.values))

    @property
    def is_grade(self) -> bool:
        """Whether somebody gives it to something: three stars."""
        return not _GRADES.isdisjoint(read_name(self.kind.name).words)

    @property
    def is_time(self) -> bool:
        """Whether it is a year, a day or a time."""
        return is_year(self.kind) or self.kind.type in DATES

    @property
    def is_amount(self) -> bool:
        """Whether it is stored as a number, and says no time."""
        return is_number(self.kind) and self.kind.type != "STRING" and not self.is_time

    @property
    def is_when(self) -> bool:
        """Whether it says when what the relationship's verb says was done, and not when something
        else was: when it was checked."""
        own = {*_WHEN, *read_name(self.relation.type).words}
        return self.is_time and own.issuperset(read_name(self.kind.name).words)


def ask_role(drawing: Drawing, found: EdgeProperty) -> QuestionDraft | None:
    """What a value says that a node is to a named one: the captain of a club, its head coach."""
    label, hop = draw_side(drawing, found)
    said = draw_kind(drawing, found, is_set=True)
    node = drawing.draw_node(hop.label)
    if node is None or not said.phrases.roles:
        return None
    words = drawing.words
    slots = {
        "n": drawing.sets.pick_noun(label),
        "r": words.pick(said.phrases.roles),
        "x": node.text,
    }
    match = f"MATCH {write_node('n', label)}{hop.write(node.write(), 'r')}"
    text = words.fill("edge_role", **slots)
    return make_draft(text, f"{match} WHERE {said.condition} RETURN DISTINCT n")


def ask_any(drawing: Drawing, found: EdgeProperty) -> QuestionDraft | None:
    """The nodes that have a relationship with a value, whatever it leads to, or that have none."""
    words = drawing.words
    label, hop = draw_side(drawing, found)
    is_lacked = words.flip(_LACKED)
    said = draw_kind(drawing, found, is_set=is_lacked or words.flip(SET_SHARE))
    noun = drawing.sets.pick_noun(label)
    behind = said.phrases.not_behind if is_lacked else said.phrases.behind
    may_be_place = said.value and not is_lacked
    verb = find_verb_of_place(drawing, label, hop) if may_be_place else None
    if verb and words.flip(_BY_VERB):
        relative = words.pick(("that", "which"))
        text = f"{noun} {relative} {verb.verb} {verb.preposition} {said.value}"
    elif said.phrases.before and not is_lacked and words.flip(_BEFORE):
        text = f"{words.pick(said.phrases.before)} {noun}"
    elif behind:
        text = f"{noun} {words.pick(behind)}"
    else:
        kind = "edge_lack" if is_lacked else "edge_have"
        text = words.fill(kind, n=noun, v=said.value, p=found.noun) or noun
    node, end = write_node("n", label), write_node("", hop.label)
    if is_lacked:
        inner = f"(n){hop.write(end, 'r')} WHERE {said.condition}"
        return QuestionDraft(
            words.ask_list(text), f"MATCH {node} WHERE NOT EXISTS {{ {inner} }} RETURN n"
        )
    match = f"MATCH {node}{hop.write(end, 'r')} WHERE {said.condition}"
    if words.flip(COUNTED):
        return make_draft(words.fill("count", s=text), f"{match} RETURN count(DISTINCT n)")
    return QuestionDraft(words.ask_list(text), f"{match} RETURN DISTINCT n")


def ask_whether_kind(drawing: Drawing, found: EdgeProperty) -> QuestionDraft | None:
    """Whether a named node has a relationship with a value."""
    words = drawing.words
    label, hop = draw_side(drawing, found)
    node = drawing.draw_node(label)
    if node is None:
        return None
    said = draw_kind(drawing, found, is_set=True)
    if said.phrases.asks:
        text: str | None = words.pick(said.phrases.asks).replace("{}", node.text)
    else:
        text = words.fill("edge_whether", x=node.text, v=said.value, p=found.noun)
    inner = f"(n){hop.write(write_node('', hop.label), 'r')} WHERE {said.condition}"
    return make_draft(text, f"MATCH {node.write('n')} RETURN EXISTS {{ {inner} }}")


@dataclass(frozen=True, slots=True)
class VerbOfPlace:
    """A verb phrase, and the preposition behind it with which it says where: `is shown`, `in`."""

    verb: str
    preposition: str

    def ask(self, name: str) -> str:
        """What asks for a place of something, behind that: `was t0 shown`."""
        if state := find_behind_be(self.verb):
            return f"was {name} {state}"
        auxiliary = "did" if is_past(self.verb.partition(" ")[0]) else "does"
        return f"{auxiliary} {name} {make_base(self.verb)}"


def find_verb_of_place(drawing: Drawing, label: str, hop: Hop) -> VerbOfPlace | None:
    """A verb of nodes of a label that says in, at or on what they are; None where a relationship
    has none."""
    predicate = drawing.sets.pick_bare_predicate(label, hop) or ""
    verb, _, preposition = predicate.rpartition(" ")
    is_of_place = preposition in _PLACES and verb and verb not in BEING
    return VerbOfPlace(verb, preposition) if is_of_place else None


def draw_side(drawing: Drawing, found: EdgeProperty, back_share: float = _BACK) -> tuple[str, Hop]:
    """The label of a node that has the relationship, and the relationship from there."""
    relation, back = found.relation, drawing.words.flip(back_share)
    start, end = relation.start_label, relation.end_label
    label, other = (end, start) if back else (start, end)
    return label, Hop(relation.type, back, other)


@dataclass(frozen=True, slots=True)
class SaidKind:
    """A flag or a text of few, as its condition and its phrases; `value`: the topic of a text."""

    condition: str
    phrases: FlagPhrases
    value: str = ""


def draw_kind(drawing: Drawing, found: EdgeProperty, *, is_set: bool) -> SaidKind:
    """A value that relationships may have; of a flag that it is set, or is not."""
    if not has_both_truths(found.kind):
        value = drawing.topics.add_value(found.relation.type, found.kind.name)
        return SaidKind(f"{found.column} = '{value}'", FlagPhrases(roles=(value,)), value)
    phrases = make_flag_phrases(found.kind.name, of_person=is_person([found.relation.start_label]))
    condition = f"{found.column} = {write_truth(found.kind, is_set=is_set)}"
    return SaidKind(condition, phrases if is_set else phrases.deny())
