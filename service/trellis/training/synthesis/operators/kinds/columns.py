"""Asks for several columns: the countries of a continent, each with its capital and its area."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from trellis.training.synthesis.operators.kinds.property_questions import frame_property
from trellis.training.synthesis.operators.parts.asked_properties import draw_shown_property
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.patterns import AskedSet, write_node
from trellis.training.synthesis.operators.parts.topics import QuestionDraft, make_draft

_NAMED = 0.5  # probability that columns of one named node are asked for
_NUMBERS = (0.35, 0.55, 0.1)  # shares of one column, two and three
_RELATED = 0.5  # probability that a column is a related node, not a property
_OF_END = 0.15  # probability that it then is a property of that node
_TRIES = 8
_MOST_NODES = 6  # of a pattern
_JOINTS = (" and ", " and ", " and the ", " as well as ", " , and ", " & ")


@dataclass(frozen=True, slots=True)
class AskedColumn:
    """What is shown of a node `n`: its `noun`, the item that is returned, and the pattern behind
    `n` that leads to it, empty where it is a property of `n` itself."""

    noun: str
    item: str
    match: str = ""
    is_many: bool = False


def ask_columns(drawing: Drawing) -> QuestionDraft | None:
    """Two or three of a node's properties and related nodes, of a named node or of all of a set."""
    return _ask_of_named(drawing) if drawing.words.flip(_NAMED) else _ask_of_set(drawing)


def _ask_of_named(drawing: Drawing) -> QuestionDraft | None:
    label = drawing.sets.draw_label().label
    node = drawing.draw_node(label)
    if node is None:
        return None
    told = [name for name, _ in node.values]
    columns = _draw_columns(drawing, label, max(2, _draw_number(drawing)), told)
    if len(columns) < 2:
        return None
    text = frame_property(drawing, _join_nouns(drawing, columns), node.text)
    named = AskedSet(label, "", "", tuple(column.match for column in columns if column.match))
    node_text, items = node.write("n"), ", ".join(column.item for column in columns)
    pattern = named.write().replace(write_node("n", label), node_text, 1)
    return QuestionDraft(text, f"{pattern}RETURN DISTINCT {items}")


def _ask_of_set(drawing: Drawing) -> QuestionDraft | None:
    label = drawing.sets.draw_label().label
    found = drawing.draw_set(label)
    columns = _draw_columns(drawing, label, _draw_number(drawing))
    if found is None or (len(columns) < 2 and not any(column.match for column in columns)):
        return None  # one property of each is a kind of question of its own
    text = drawing.words.fill("property_each", p=_join_nouns(drawing, columns), s=found.text)
    for column in columns:
        found = found.restrict(found.text, match=column.match)
    if found.count_nodes() > _MOST_NODES:
        return None
    items = ", ".join(column.item for column in columns)
    return make_draft(text, f"{found.write()}RETURN DISTINCT n, {items}")


def _draw_number(drawing: Drawing) -> int:
    return drawing.words.choice.choices((1, 2, 3), _NUMBERS)[0]


def _draw_columns(
    drawing: Drawing, label: str, count: int, without: Collection[str] = ()
) -> list[AskedColumn]:
    """Up to so many columns of nodes of a label, without some properties; of relations of which a
    node may have several at most one, as its nodes would be shown beside all those of another."""
    columns: list[AskedColumn] = []
    for _ in range(_TRIES):
        if len(columns) == count:
            break
        if drawing.words.flip(_RELATED):
            column = _draw_related(drawing, label, f"m{len(columns)}")
        else:
            column = _draw_own(drawing, label, without)
        if column and not any(_is_too_alike(column, other) for other in columns):
            columns.append(column)
    return columns


def _is_too_alike(one: AskedColumn, other: AskedColumn) -> bool:
    return one.noun == other.noun or one.item == other.item or (one.is_many and other.is_many)


def _draw_own(drawing: Drawing, label: str, without: Collection[str]) -> AskedColumn | None:
    asked = draw_shown_property(drawing, label, without)
    return AskedColumn(asked.noun, asked.column) if asked else None


def _draw_related(drawing: Drawing, label: str, variable: str) -> AskedColumn | None:
    hop = drawing.sets.hops.draw_hop(label)
    if hop is None or not hop.label:
        return None
    noun, is_many = drawing.sets.find_noun(label, hop), drawing.sets.hops.may_be_several(label, hop)
    end = "" if drawing.sets.hops.has_several_ends(label, hop) else hop.label
    match, item = hop.write(write_node(variable, end)), variable
    shown = draw_shown_property(drawing, end) if end and drawing.words.flip(_OF_END) else None
    if shown:
        noun, item = f"{shown.noun} of the {noun}", shown.column.replace("n.", f"{variable}.", 1)
    elif is_many:
        noun = drawing.words.make_plural(noun)
    return AskedColumn(noun, item, match, is_many)


def _join_nouns(drawing: Drawing, columns: Sequence[AskedColumn]) -> str:
    *others, last = [column.noun for column in columns]
    if not others:
        return last
    return f"{' , '.join(others)}{drawing.words.pick(_JOINTS)}{last}"
