"""Asks for properties of relationships, and for nodes by them: when Ann won a prize, who gave a
film more than three stars, who plays for a club as its captain."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trellis.automata.cypher.words.property_types import DATES
from trellis.domain.graphs.schema import PropertyKind, RelationshipKind
from trellis.lexicon.label_kinds import is_person
from trellis.lexicon.plurals import add_article, is_plural
from trellis.lexicon.property_phrases import list_numbers
from trellis.training.synthesis.operators.kinds.edge_kinds import (
    COUNTED,
    SET_SHARE,
    EdgeProperty,
    ask_any,
    ask_role,
    ask_whether_kind,
    draw_kind,
    draw_side,
    find_verb_of_place,
)
from trellis.training.synthesis.operators.kinds.flags import has_both_truths
from trellis.training.synthesis.operators.parts.asked_properties import (
    SIGNS,
    add_number,
    add_year,
    write_time,
)
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.named_nodes import NamedNode
from trellis.training.synthesis.operators.parts.patterns import Hop, write_node
from trellis.training.synthesis.operators.parts.topics import QuestionDraft, make_draft
from trellis.training.synthesis.operators.parts.verb_phrases import find_behind_be, make_base

_OWN_QUESTION = 0.8  # probability of a property's own question for two names, where it has one
_BY_VERB = 0.4  # probability that a text is asked for as a place, by the relationship's verb
_ANY_END = 0.4  # probability that a filtered relationship may come from any node
_FAR = 0.25  # probability that the other end is described by a relationship of its own
_GIVEN = 0.5  # probability that a grade is given, and not said behind what was graded
_DAY = 0.5  # probability that a day is told where days are stored
_YEAR = 0.5  # probability that a year is asked for by that word
_TIME_KINDS = ("equal", "above", "below")
_NUMBER_KINDS = (*_TIME_KINDS, "at_least", "at_most")
"""Kinds of comparisons, of times and of numbers."""

_AGGREGATES = (("average", "avg"), ("total", "sum"), ("highest", "max"), ("lowest", "min"))
_AGGREGATE_SHARES = (5, 2, 1.5, 1.5)


def ask_edge_property(drawing: Drawing) -> QuestionDraft | None:
    """A question by a property of relationships; None where the schema has none, or no words."""
    owned = list_edge_properties(drawing)
    if not owned:
        return None
    words = drawing.words
    relation, kind = words.choice.choice(owned)
    phrases = drawing.book.property_phrases(relation.type, kind)
    found = EdgeProperty(relation, kind, words.pick(phrases.nouns or (kind.name,)))
    sorts = _FLAG_SORTS if has_both_truths(kind) else _TEXT_SORTS if found.is_kind else _SORTS
    return words.draw_option(sorts)(drawing, found)


def list_edge_properties(drawing: Drawing) -> list[tuple[RelationshipKind, PropertyKind]]:
    """The properties of relationships between labels."""
    return [
        (kind, each)
        for kind in drawing.schema.relationships
        for each in drawing.schema.relationship_properties.get(kind.type, ())
        if kind.start_label and kind.end_label
    ]


def _ask_value(drawing: Drawing, found: EdgeProperty) -> QuestionDraft | None:
    """The property of the relationship between two named nodes."""
    relation = found.relation
    start = drawing.draw_node(relation.start_label)
    end = drawing.draw_node(relation.end_label)
    if start is None or end is None:
        return None
    edge = Hop(relation.type, False, relation.end_label).write(end.write(), "r")
    text = _say_value(drawing, found, start, end)
    return make_draft(text, f"MATCH {start.write('n')}{edge} RETURN {found.column}")


def _ask_own(drawing: Drawing, found: EdgeProperty) -> QuestionDraft | None:
    """The property of all relationships of a named node."""
    label, hop = draw_side(drawing, found)
    node = drawing.draw_node(label)
    if node is None:
        return None
    words = drawing.words
    verb = find_verb_of_place(drawing, label, hop) if found.is_kind else None
    if verb and words.flip(_BY_VERB):
        slots = {"w": verb.preposition, "a": verb.ask(node.text)}
        text = words.fill("edge_own_by_verb", p=found.noun, **slots)
    else:
        text = words.fill("edge_own", x=node.text, p=found.noun)
    edge = hop.write(write_node("", hop.label), "r")
    return make_draft(text, f"MATCH {node.write('n')}{edge} RETURN {found.column}")


def _say_value(
    drawing: Drawing, found: EdgeProperty, start: NamedNode, end: NamedNode
) -> str | None:
    words = drawing.words
    phrases = drawing.book.property_phrases(found.relation.type, found.kind)
    own = [ask for ask in (*phrases.between, *phrases.asks) if "{other}" in ask]
    if own and words.flip(_OWN_QUESTION):
        return words.pick(own).replace("{other}", end.text).replace("{}", start.text)
    hop = Hop(found.relation.type, False, found.relation.end_label)
    chain = drawing.sets.word_chain(found.relation.start_label, (hop,), end)
    predicate = drawing.sets.pick_predicate(chain)
    slots = {"x": start.text, "y": end.text, "p": found.noun, "a": predicate}
    if not found.is_when:
        return words.fill("edge_value", **slots)
    if predicate is None:
        return None
    is_year_asked = found.kind.type not in DATES and words.flip(_YEAR)
    state = find_behind_be(predicate)
    if state:
        return words.fill("edge_when_be", **slots, e=state)
    kind = "edge_year" if is_year_asked else "edge_when"
    return words.fill(kind, **slots, d=make_base(predicate))


def _ask_by_value(drawing: Drawing, found: EdgeProperty) -> QuestionDraft | None:
    """The nodes at one end whose relationship to a named node, or to any, has a value."""
    words, sets = drawing.words, drawing.sets
    said = _draw_condition(drawing, found)
    if said is None:
        return None
    behind, amount, condition = said
    label, hop = draw_side(drawing, found, 0.5)
    noun = sets.pick_noun(label)
    described = _describe_end(drawing, found, hop.label)
    if described is None:
        return None
    end, pattern = described
    text = sets.describe_hop(label, noun, hop, end)
    match = f"MATCH {write_node('n', label)}{hop.write(pattern, 'r')} WHERE {condition}"
    if found.is_grade and amount and words.flip(_GIVEN):
        kind = "edge_got" if hop.is_back else "edge_gave"
        given = words.fill(kind, n=noun, x=end, y=end, c=amount, p=found.noun)
        return make_draft(given, f"{match} RETURN DISTINCT n")
    if text is None:
        return None
    if words.flip(COUNTED):
        counted = words.fill("count", s=f"{text} {behind}")
        return make_draft(counted, f"{match} RETURN count(DISTINCT n)")
    return QuestionDraft(words.ask_list(f"{text} {behind}"), f"{match} RETURN DISTINCT n")


def _describe_end(drawing: Drawing, found: EdgeProperty, label: str) -> tuple[str, str] | None:
    """The words for the node at the other end, any of its label, or one by its name or by a
    relationship of its own, and its pattern; None where it has neither."""
    sets, words = drawing.sets, drawing.words
    if words.flip(_ANY_END):
        vague = ("somebody", "anyone") if is_person([label]) else ("something", "anything")
        noun = sets.pick_noun(label)
        one = f"some {noun}" if is_plural(noun) else add_article(noun)
        options = (words.pick(vague), f"any {words.make_plural(noun)}", one)
        return words.pick(options), write_node("", label)
    chain = drawing.draw_chain(label, 1) if words.flip(_FAR) else None
    if chain:
        is_same = chain.hops[0].type == found.relation.type
        return None if is_same else sets.describe_by_chain(label, chain)
    node = drawing.draw_node(label)
    return (node.text, node.write()) if node else None


def _draw_condition(drawing: Drawing, found: EdgeProperty) -> tuple[str, str, str] | None:
    """Words behind a noun phrase for a value, the amount alone where it is a number, and the
    condition; None for values that a question cannot say."""
    words, kind = drawing.words, found.kind
    if found.is_kind:
        said = draw_kind(drawing, found, is_set=words.flip(SET_SHARE))
        phrase = words.pick(said.phrases.beside) if said.phrases.beside else ""
        behind = phrase or words.fill("edge_text", v=said.value, p=found.noun)
        return (behind, "", said.condition) if behind else None
    if found.is_time:
        return _draw_time(drawing, found)
    if not found.is_amount:
        return None
    sign = words.pick(_NUMBER_KINDS)
    number = add_number(drawing, kind)
    behind = words.fill(f"edge_{sign}", v=number, p=found.noun)
    amount = words.fill(f"edge_amount_{sign}", v=number)
    condition = f"{found.column} {SIGNS[sign]} {number}"
    return (behind, amount, condition) if behind and amount else None


def _draw_time(drawing: Drawing, found: EdgeProperty) -> tuple[str, str, str] | None:
    """The same for a time: when something was done (`before t0`), or another (`with a contract end
    in t0`)."""
    words, kind = drawing.words, found.kind
    sign, frames = words.pick(_TIME_KINDS), "edge" if found.is_when else "edge_other"
    if kind.type in DATES and words.flip(_DAY):
        value = drawing.topics.add_time("", kind)
        behind = words.fill(f"{frames}_day_{sign}", v=value, p=found.noun)
        compared, literal = found.column, write_time(kind, value)
    else:
        value = literal = add_year(drawing, kind)
        behind = words.fill(f"{frames}_year_{sign}", v=value, p=found.noun)
        compared = f"{found.column}.year" if kind.type in DATES else found.column
    return (behind, "", f"{compared} {SIGNS[sign]} {literal}") if behind else None


def _ask_aggregate(drawing: Drawing, found: EdgeProperty) -> QuestionDraft | None:
    """The average, the sum or an extreme of the property over all relationships of a named node."""
    if not (found.is_amount and list_numbers(found.kind)):
        return None
    words = drawing.words
    label, hop = draw_side(drawing, found, 0.7)
    node = drawing.draw_node(label)
    if node is None:
        return None
    sort, function = words.choice.choices(_AGGREGATES, _AGGREGATE_SHARES)[0]
    noun = words.make_plural(drawing.sets.pick_noun(hop.label))
    text = words.fill(f"edge_{sort}", y=node.text, p=found.noun, n=noun)
    edge = hop.write(write_node("", hop.label), "r")
    return make_draft(text, f"MATCH {node.write('n')}{edge} RETURN {function}({found.column})")


def _ask_best(drawing: Drawing, found: EdgeProperty) -> QuestionDraft | None:
    """Which node had such a relationship to a named node first, last, or with the most of it."""
    if not (found.is_when or found.is_amount):
        return None
    relation, words, sets = found.relation, drawing.words, drawing.sets
    node = drawing.draw_node(relation.end_label)
    if node is None:
        return None
    hop = Hop(relation.type, False, relation.end_label)
    predicate = sets.pick_predicate(sets.word_chain(relation.start_label, (hop,), node))
    if predicate is None:
        return None
    is_most = words.flip(0.6)
    kind = ("last" if is_most else "first") if found.is_time else "most" if is_most else "least"
    noun = words.make_plural(sets.pick_noun(relation.start_label))
    slots = {"n": noun, "a": predicate, "d": make_base(predicate), "p": found.noun}
    text = words.fill(f"edge_{kind}", **slots)
    edge = f"{write_node('n', relation.start_label)}{hop.write(node.write(), 'r')}"
    order = f"ORDER BY {found.column}{' DESC' if is_most else ''} LIMIT 1"
    return make_draft(text, f"MATCH {edge} RETURN n {order}")


_Ask = Callable[[Drawing, EdgeProperty], QuestionDraft | None]

_SORTS: Mapping[_Ask, float] = {
    _ask_value: 4.0,
    _ask_own: 2.0,
    _ask_by_value: 5.0,
    _ask_aggregate: 1.5,
    _ask_best: 1.0,
}
"""What is asked, and its weights."""

_FLAG_SORTS: Mapping[_Ask, float] = {
    _ask_by_value: 4.0,
    ask_role: 2.5,
    ask_any: 3.0,
    ask_whether_kind: 1.5,
}
"""What is asked of a flag."""

_TEXT_SORTS: Mapping[_Ask, float] = {_ask_value: 1.5, _ask_own: 1.0, **_FLAG_SORTS}
"""What is asked of a text of few."""
