"""Describe items: what is returned, ordered by or compared, in plain words."""

from __future__ import annotations

from collections.abc import Mapping

from trellis.automata.cypher.meaning.items import (
    ArithmeticOperator,
    ArithmeticTerm,
    ReturnItem,
    ReturnOrder,
)
from trellis.steps.describe.queries.filters import write_property_name
from trellis.steps.describe.queries.names import PatternNames

_FORM_TEXTS: Mapping[str, str] = {
    "list": "{}",
    "show": "the {}",
    "list distinct": "the different {}",
    "show distinct": "the different values of the {}",
    "count": "the number of {}",
    "count distinct": "the number of different values of the {}",
    "count all": "the number of matches of {}",
    "count values": "the number of values of the {}",
    "minimum": "the lowest {}",
    "maximum": "the highest {}",
    "sum": "the sum of the {}",
    "average": "the average {}",
    "collect": "a list of the {}",
    "collect distinct": "a list of the different values of the {}",
    "collect nodes": "a list of {}",
    "collect distinct nodes": "a list of the different {}",
}

_TIME_TEXTS = {**_FORM_TEXTS, "minimum": "the earliest {}", "maximum": "the latest {}"}
"""The same of dates and times."""

_KEY_TEXTS: Mapping[str, str] = {"minimum": "minimum {}", "maximum": "maximum {}"}
"""How what nodes are ordered by is said behind `highest`, where that is not as usual."""

_EXTREMES, _TIME_EXTREMES = ("highest", "lowest"), ("latest", "earliest")

TERM_TEXTS: Mapping[ArithmeticOperator, str] = {
    "+": "plus the",
    "-": "minus the",
    "*": "times the",
    "/": "divided by the",
}


def has_one_owner(item: ReturnItem) -> bool:
    """Whether what an item is combined with is of the same node, or of the same relationship."""
    term = item.term
    return term is None or (term.node, term.edge) == (item.node, item.edge)


def write_first(nouns: str, key: str, modifiers: str = "", *, is_called: bool = False) -> str:
    """`the river (that is in a country) with the highest length`: the first nodes in an order.

    `key`: what they are ordered by, behind `highest`; `modifiers`: what held of them before;
    `is_called`: whether the nouns say the order, too: `the longest river (highest length)`.
    """
    notes = "; ".join(filter(None, (modifiers, key if is_called else "")))
    behind = "" if is_called else f" with the {key}"
    return f"the {nouns}".rstrip() + (f" ({notes})" if notes else "") + behind


class ItemDescriber:
    """Describes items of a pattern's nodes and relationships."""

    def __init__(self, names: PatternNames) -> None:
        self._names = names

    def describe_item(self, item: ReturnItem, owner: str) -> str:
        """An item of an owner that is described in full."""
        text = self._get_form_text(item)
        if owner.startswith("the "):
            text = text.replace("different {}", "different ones of {}")
        return text.format(self._write_value(item, owner))

    def refer_to_item(self, item: ReturnItem, has_root: bool = False) -> str:
        """An item of what was described before. `has_root`: the first node is what `its` is of."""
        is_of_root = item.edge is None and item.node == 0 and not item.is_aggregate
        if has_root and is_of_root and has_one_owner(item) and item.key:
            return f"its {self.write_property(item)}"
        return self.describe_item(item, self._refer_to_owner(item, item))

    def describe_key(self, order: ReturnOrder, owner: int) -> str:
        """`highest age`: what nodes are ordered by; `owner`: the node that is ordered."""
        return f"{self.write_extreme(order)} {self._describe_key(order.item, owner)}"

    def _describe_key(self, item: ReturnItem, owner: int) -> str:
        is_own = item.node == owner and item.edge is None and has_one_owner(item)
        if is_own and not item.is_aggregate:
            return self.write_property(item)
        text = _KEY_TEXTS.get(item.form.word) or self._get_form_text(item).removeprefix("the ")
        return text.format(self._write_value(item, self._refer_to_owner(item, item)))

    def describe_best(self, order: ReturnOrder, limit: int | None, place: str, noun: str) -> str:
        """`the 3 oldest astronauts (earliest born)`: the first ones by a property of their own, in
        an order; `place`: as in `second `; `noun`: empty where it was said before."""
        key = f"{place}{self.write_extreme(order)} {self.write_property(order.item)}"
        count = "" if limit == 1 else f"{limit} "
        if superlative := self._names.find_superlative(order):
            return write_first(f"{count}{place}{superlative} {noun}", key, is_called=True)
        return write_first(f"{count}{noun}" or "one", key)

    def write_extreme(self, order: ReturnOrder) -> str:
        """What comes first in an order: `highest`, or `latest` of a time."""
        highest, lowest = _TIME_EXTREMES if self._names.is_time(order.item) else _EXTREMES
        return highest if order.descending else lowest

    def write_property(self, item: ReturnItem) -> str:
        """The property of an item, with what it is combined with of the same owner."""
        own = self._write_name(item)
        term = item.term
        return f"{own} {TERM_TEXTS[term.operator]} {self._write_name(term)}" if term else own

    def _write_value(self, item: ReturnItem, owner: str) -> str:
        """What an item is made of: an owner, a property of it, or two that are combined."""
        if not item.key:
            return owner
        if item.term is None:
            return f"{self._write_name(item)} of {owner}"
        if has_one_owner(item):
            text = self.write_property(item)
            return f"({text}) of {owner}" if item.is_aggregate else f"{text} of {owner}"
        other = f"{self._write_name(item.term)} of {self._refer_to_owner(item.term, item)}"
        text = f"{self._write_name(item)} of {owner} {TERM_TEXTS[item.term.operator]} {other}"
        return f"({text})" if item.is_aggregate else text

    def _refer_to_owner(self, owner: ReturnItem | ArithmeticTerm, item: ReturnItem) -> str:
        """The node or relationship whose property it is that an item is made of."""
        if owner.edge is not None:
            return self._names.refer_to_edge(owner.edge)
        is_many = item.is_aggregate or item.form.distinct
        refer = self._names.refer_to_nodes if is_many else self._names.refer_to_node
        return refer(owner.node)

    def _write_name(self, owner: ReturnItem | ArithmeticTerm) -> str:
        return write_property_name(self._names.get_property_word(owner.key), owner.part)

    def _get_form_text(self, item: ReturnItem) -> str:
        texts = _TIME_TEXTS if self._names.is_time(item) else _FORM_TEXTS
        return texts.get(item.form.word, f"the {item.form.word} of {{}}")
