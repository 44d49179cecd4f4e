"""What a query returns: items in their forms, and the orders of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ReturnForm:
    """The way in which an item is returned: its `word` in a sentence, and its `function` in Cypher.

    An item without a function is no aggregate. `distinct` stands inside an aggregate, and behind
    RETURN otherwise. `is_whole_node`: the item is a node, not one of its properties.
    `needs_numbers`: the property must be a number.
    """

    word: str
    function: str = ""
    distinct: bool = False
    is_whole_node: bool = False
    needs_numbers: bool = False


RETURN_FORMS = (
    ReturnForm("list", is_whole_node=True),
    ReturnForm("show"),
    ReturnForm("list distinct", distinct=True, is_whole_node=True),
    ReturnForm("show distinct", distinct=True),
    ReturnForm("count", "count", distinct=True, is_whole_node=True),
    ReturnForm("count distinct", "count", distinct=True),
    ReturnForm("count all", "count", is_whole_node=True),
    ReturnForm("count values", "count"),
    ReturnForm("minimum", "min"),
    ReturnForm("maximum", "max"),
    ReturnForm("sum", "sum", needs_numbers=True),
    ReturnForm("average", "avg", needs_numbers=True),
    ReturnForm("collect", "collect"),
    ReturnForm("collect distinct", "collect", distinct=True),
)

WIDE_FORMS = (
    ReturnForm("collect nodes", "collect", is_whole_node=True),
    ReturnForm("collect distinct nodes", "collect", distinct=True, is_whole_node=True),
)
"""Further forms of the wide language."""

WHETHER = ReturnForm("whether", "exists", is_whole_node=True)
"""Whether the pattern matches at all. It is the only item of its query, and true or false."""

LIST, SHOW = RETURN_FORMS[:2]

AGGREGATE_FORMS = tuple(form for form in RETURN_FORMS if form.function not in ("", "collect"))
"""The forms of aggregates that rows can be ordered by and groups chosen by."""

ArithmeticOperator = Literal["+", "-", "*", "/"]


@dataclass(frozen=True, slots=True)
class ArithmeticTerm:
    """The property that another one is combined with; its fields are those of `ReturnItem`."""

    operator: ArithmeticOperator
    node: int
    key: str
    part: str = ""
    edge: int | None = None


@dataclass(frozen=True, slots=True)
class ReturnItem:
    """What is returned: a node or one of its properties, or an aggregate of either.

    `key`: the name of the property, or empty for the node itself. `part`: the part of its value.
    `edge`: the relationship that has the property, in place of the node. `term`: what the property
    is combined with.
    """

    form: ReturnForm
    node: int
    key: str
    part: str = ""
    edge: int | None = None
    term: ArithmeticTerm | None = None

    @property
    def is_aggregate(self) -> bool:
        return bool(self.form.function)

    @property
    def column(self) -> tuple[object, ...]:
        """A key that is equal for two items with the same column."""
        inside = self.is_aggregate and self.form.distinct
        value = (self.node, self.key, self.part, self.edge, self.term)
        return self.form.function, inside, *value


@dataclass(frozen=True, slots=True)
class ReturnOrder:
    """An order of rows by an item, which need not be returned."""

    item: ReturnItem
    descending: bool

    @classmethod
    def by_property(cls, node: int, name: str, descending: bool) -> ReturnOrder:
        """The order of a node's property."""
        return cls(ReturnItem(SHOW, node, name), descending)
