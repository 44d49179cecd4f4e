"""Asks how many there are, and for totals, averages and extremes of a property: of all, or of each
node of a label, as the films of each studio and their average length."""

from __future__ import annotations

from trellis.domain.identifiers import quote_name
from trellis.lexicon.plurals import is_plural
from trellis.lexicon.property_phrases import is_number, is_year, list_numbers
from trellis.training.synthesis.operators.kinds.edge_kinds import EdgeProperty
from trellis.training.synthesis.operators.kinds.edge_properties import list_edge_properties
from trellis.training.synthesis.operators.kinds.set_questions import draw_filtered_set
from trellis.training.synthesis.operators.parts.asked_properties import (
    AskedProperty,
    draw_property,
    draw_property_of,
)
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.patterns import AskedSet, Hop, write_node
from trellis.training.synthesis.operators.parts.topics import QuestionDraft, make_draft

_VERB = 0.4  # probability that a number of things is asked by their verb phrase
_AGGREGATES = (
    ("total", "sum"),
    ("average", "avg"),
    ("highest_value", "max"),
    ("lowest_value", "min"),
)
"""Kinds of frames, and Cypher's functions."""

_AGGREGATED = 0.5  # probability that nodes by a value are not counted
_OF_EDGES = 0.5  # probability that numbers of relationships are added up, where they have any
_MOST = 0.75  # share of the highest, beside the lowest
_SEVERAL = 0.2  # probability that several nodes are asked for
_ROWS = (2, 3, 3, 3, 5, 5, 10)
_RANKED_BY = {"sum": 0.6, "avg": 0.4}

_WORDS = {
    "avg": ("average", "average", "mean"),
    "sum": ("total", "overall", "summed"),
    "max": ("highest", "maximum", "largest"),
    "min": ("lowest", "minimum", "smallest"),
}
"""Cypher's functions, and what people call them."""


def ask_count(drawing: Drawing) -> QuestionDraft | None:
    """How many nodes a set has."""
    asked = draw_filtered_set(drawing)
    if asked is None:
        return None
    text = drawing.words.fill("count", s=asked.text)
    return make_draft(text, f"{asked.write()}RETURN count(DISTINCT n)")


def ask_how_many(drawing: Drawing) -> QuestionDraft | None:
    """How many of something a named node has."""
    sets, words = drawing.sets, drawing.words
    kind = sets.draw_label()
    chain = drawing.draw_chain(kind.label, 1)
    if chain is None:
        return None
    label, chain = sets.open_label(kind.label, chain)
    nouns = chain.phrases.nouns or chain.phrases.types
    if not nouns:
        return None
    noun = words.make_plural(words.pick(nouns))
    text = words.fill("how_many_of", o=noun, x=chain.inner)
    predicate = sets.pick_predicate(chain)
    if predicate and words.flip(_VERB):
        start = words.pick(("how many", "what number of"))
        text = f"{start} {sets.pick_noun(kind.label)} {predicate}"
        label = kind.label
    asked = AskedSet(label, "", "", (chain.write(),))
    return make_draft(text, f"{asked.write()}RETURN count(DISTINCT n)")


def ask_aggregate(drawing: Drawing) -> QuestionDraft | None:
    """The total, average, highest or lowest value of a property in a set."""
    found = draw_property(drawing, ordered=True)
    if found is None or not is_number(found.kind):
        return None
    asked = drawing.draw_set(found.owner)
    if asked is None:
        return None
    kind, function = drawing.words.choice.choice(_AGGREGATES)
    text = drawing.words.fill(kind, p=found.noun, s=asked.text)
    return make_draft(text, f"{asked.write()}RETURN {function}({found.measure})")


def ask_count_each(drawing: Drawing) -> QuestionDraft | None:
    """How many nodes each node of a label is related to by one relationship type: none, too."""
    drawn = _draw_group(drawing)
    if drawn is None:
        return None
    label, noun, many = drawn
    others = drawing.words.make_plural(drawing.sets.find_noun(label, many))
    text = drawing.words.fill("count_each", n=noun, o=others)
    optional = f"MATCH {write_node('n', label)} OPTIONAL MATCH (n){_write_end(many)}"
    return make_draft(text, f"{optional} RETURN n, count(DISTINCT m)")


def ask_aggregate_each(drawing: Drawing) -> QuestionDraft | None:
    """The average, sum or an extreme of a property of the nodes that each node is related to."""
    drawn = _draw_group(drawing)
    if drawn is None:
        return None
    label, noun, many = drawn
    measured = _draw_amount(drawing, many)
    if measured is None:
        return None
    column, said = measured
    function = drawing.words.choice.choice(tuple(_WORDS))
    others = drawing.words.make_plural(drawing.sets.pick_noun(many.label))
    slots = {"n": noun, "o": others, "p": said, "g": drawing.words.pick(_WORDS[function])}
    text = drawing.words.fill("aggregate_each", **slots)
    match = f"MATCH {write_node('n', label)}{_write_end(many)}"
    return make_draft(text, f"{match} RETURN n, {function}({column})")


def ask_most_total(drawing: Drawing) -> QuestionDraft | None:
    """The node of a label for which the sum or the average of a property is the highest or the
    lowest: of the nodes that it is related to, or of its relationships to them."""
    drawn = _draw_group(drawing)
    if drawn is None:
        return None
    label, noun, many = drawn
    words = drawing.words
    measured = _draw_edge_amount(drawing, many) if words.flip(_OF_EDGES) else None
    measured = measured or _draw_amount(drawing, many)
    if measured is None:
        return None
    column, said = measured
    function = words.draw_option(_RANKED_BY)
    is_most = words.flip(_MOST)
    several = words.flip(_SEVERAL)
    rows = words.choice.choice(_ROWS) if several else 1
    others = words.make_plural(drawing.sets.find_noun(label, many))
    slots = {"n": noun, "o": others, "p": said, "g": words.pick(_WORDS[function])}
    kind = "most_total" if is_most else "least_total"
    if several:
        slots |= {"n": words.make_plural(noun), "k": drawing.topics.add_number(rows)}
        kind += "_k"
    edge = many.write(write_node("m", many.label), "r")
    order = f"ORDER BY {function}({column}){' DESC' if is_most else ''} LIMIT {rows}"
    return make_draft(
        words.fill(kind, **slots), f"MATCH {write_node('n', label)}{edge} RETURN n {order}"
    )


def _draw_amount(drawing: Drawing, many: Hop) -> tuple[str, str] | None:
    """A number of the nodes `m` that a relationship leads to, in Cypher, and a noun for it."""
    found = draw_property_of(drawing, many.label) if many.label else None
    return (found.other_measure, found.noun) if found and _is_amount(found) else None


def _draw_edge_amount(drawing: Drawing, many: Hop) -> tuple[str, str] | None:
    """A number of the relationships `r` themselves, and a noun for it."""
    owned = [
        found
        for relation, kind in list_edge_properties(drawing)
        if relation.type == many.type
        and (found := EdgeProperty(relation, kind, "")).is_amount
        and list_numbers(kind)
    ]
    if not owned:
        return None
    found = drawing.words.choice.choice(owned)
    phrases = drawing.book.property_phrases(found.relation.type, found.kind)
    return found.column, drawing.words.pick(phrases.nouns or (found.kind.name,))


def ask_each_value(drawing: Drawing) -> QuestionDraft | None:
    """How many nodes of a label have each value of a property with few, or the average or the like
    of another property of theirs: the average height by position."""
    kind = drawing.sets.draw_label()
    owned = [
        each
        for each in kind.properties
        if each.type in ("STRING", "BOOLEAN") and each.values and each.name != kind.naming
    ]
    if not owned:
        return None
    words, group = drawing.words, drawing.words.choice.choice(owned)
    phrases = drawing.book.property_phrases(kind.label, group)
    noun, things = words.pick(phrases.nouns), words.make_plural(drawing.sets.pick_noun(kind.label))
    match, column = f"MATCH {write_node('n', kind.label)}", f"n.{quote_name(group.name)}"
    found = draw_property_of(drawing, kind.label) if words.flip(_AGGREGATED) else None
    if found is None:
        text = words.fill("count_each_value", p=noun, o=things)
        return make_draft(text, f"{match} RETURN {column}, count(n)")
    if not _is_amount(found):
        return None
    function = words.choice.choice(tuple(_WORDS))
    slots = {"n": noun, "o": things, "p": found.noun, "g": words.pick(_WORDS[function])}
    text = words.fill("aggregate_each", **slots)
    return make_draft(text, f"{match} RETURN {column}, {function}({found.column})")


def _draw_group(drawing: Drawing) -> tuple[str, str, Hop] | None:
    """A label, its noun for one node, and a relationship of which a node may have several."""
    label = drawing.sets.draw_label().label
    hop = drawing.sets.hops.draw_many(label)
    nouns = [noun for noun in drawing.book.type_nouns(label) if not is_plural(noun)]
    return (label, drawing.words.pick(nouns), hop) if hop and nouns else None


def _write_end(hop: Hop) -> str:
    return hop.write(write_node("m", hop.label))


def _is_amount(found: AskedProperty) -> bool:
    """Whether a property is a number that can be summed, and no year."""
    return found.kind.type in ("INTEGER", "FLOAT") and not is_year(found.kind)
