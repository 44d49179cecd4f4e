"""A query as a tree of names: plain enough for any server's JSON schema.

It says one pattern, conditions on values of the question, what is returned and in which order. All
else is said by a whole query as Cypher in its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from trellis.domain.identifiers import quote_name

TreeDirection = Literal["out", "in", "any"]
TreeOperator = Literal["=", "<>", "<", "<=", ">", ">=", "CONTAINS", "STARTS WITH", "ENDS WITH"]
TreeFunction = Literal[
    "", "count", "count distinct", "min", "max", "sum", "avg", "collect", "collect distinct"
]

_MOST = 32  # parts of one kind
_ARROWS = {"out": ("-", "->"), "in": ("<-", "-"), "any": ("-", "-")}


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class TreeNode(_Part):
    """A node of the pattern; without a label any node."""

    name: str
    label: str = ""


class TreeEdge(_Part):
    """A relationship between two nodes; `out`: it runs from `source` to `target`."""

    source: str = Field(alias="from")
    type: str
    direction: TreeDirection = "out"
    target: str = Field(alias="to")


class TreeCondition(_Part):
    """A property of a node that is compared with a value of the question, which has a name."""

    node: str
    property: str
    operator: TreeOperator = "="
    value: str


class TreeItem(_Part):
    """A node, or one of its properties, or an aggregate of either."""

    function: TreeFunction = ""
    node: str
    property: str = ""

    def write_cypher(self) -> str:
        """The expression that it is."""
        of = quote_name(self.node)
        if self.property:
            of = f"{of}.{quote_name(self.property)}"
        name, _, distinct = self.function.partition(" ")
        return f"{name}({distinct.upper()} {of})" if name else of


class TreeOrder(TreeItem):
    """What rows are ordered by."""

    descending: bool = False

    def write_cypher(self) -> str:
        return super().write_cypher() + (" DESC" if self.descending else "")


class QueryTree(_Part):
    """A query. `limit`: 0 for all rows. `cypher`: the whole query, where parts do not say it."""

    nodes: Annotated[tuple[TreeNode, ...], Field(max_length=_MOST)] = ()
    match: Annotated[tuple[TreeEdge, ...], Field(max_length=_MOST)] = ()
    where: Annotated[tuple[TreeCondition, ...], Field(max_length=_MOST)] = ()
    distinct: bool = False
    items: Annotated[tuple[TreeItem, ...], Field(alias="return", max_length=_MOST)] = ()
    order: Annotated[tuple[TreeOrder, ...], Field(max_length=_MOST)] = ()
    limit: Annotated[int, Field(ge=0)] = 0
    cypher: str = ""

    @model_validator(mode="after")
    def _names_its_nodes(self) -> Self:
        if self.cypher.strip():
            return self
        if not self.items:
            raise ValueError("it returns nothing")
        known = {node.name for node in self.nodes}
        if len(known) < len(self.nodes):
            raise ValueError("two nodes have one name")
        for name in self._list_used():
            if name not in known:
                raise ValueError(f"{name!r} is none of its nodes")
        return self

    def write_cypher(self) -> str:
        """The query as Cypher, whose parameters are the names of values."""
        if self.cypher.strip():
            return self.cypher.strip()
        parts = [f"MATCH {', '.join(self._write_pattern())}"]
        if self.where:
            parts.append(f"WHERE {' AND '.join(map(_write_condition, self.where))}")
        returned = ", ".join(item.write_cypher() for item in self.items)
        parts.append(f"RETURN {'DISTINCT ' if self.distinct else ''}{returned}")
        if self.order:
            parts.append(f"ORDER BY {', '.join(each.write_cypher() for each in self.order)}")
        if self.limit:
            parts.append(f"LIMIT {self.limit}")
        return " ".join(parts)

    def _list_used(self) -> Iterator[str]:
        """The names of nodes that something is said of."""
        for edge in self.match:
            yield from (edge.source, edge.target)
        yield from (each.node for each in self.where)
        yield from (each.node for each in (*self.items, *self.order))

    def _write_pattern(self) -> Iterator[str]:
        """Its relationships, and the nodes that have none."""
        labels = {node.name: node.label for node in self.nodes}
        said: set[str] = set()

        def write_node(name: str) -> str:
            label = f":{quote_name(labels[name])}" if labels[name] and name not in said else ""
            said.add(name)
            return f"({quote_name(name)}{label})"

        for edge in self.match:
            before, after = _ARROWS[edge.direction]
            source, target = write_node(edge.source), write_node(edge.target)
            yield f"{source}{before}[:{quote_name(edge.type)}]{after}{target}"
        for name in dict.fromkeys(self._list_used()):
            if name not in said:
                yield write_node(name)


def _write_condition(each: TreeCondition) -> str:
    of = f"{quote_name(each.node)}.{quote_name(each.property)}"
    return f"{of} {each.operator} ${quote_name(each.value)}"
