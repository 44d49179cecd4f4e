"""Writes Cypher as trees: what examples say, in the form that is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import get_args

from trellis.automata.cypher.reading.expressions import (
    Access,
    Comparison,
    Expression,
    FunctionCall,
    Literal,
    MatchClause,
    Projection,
    Variable,
)
from trellis.automata.cypher.reading.query_parser import parse_query
from trellis.domain.errors import CypherReadError
from trellis.engines.chats.json_queries.tree import (
    QueryTree,
    TreeCondition,
    TreeEdge,
    TreeFunction,
    TreeItem,
    TreeNode,
    TreeOperator,
    TreeOrder,
)

_NAME = re.compile(r"\$(\w+)")


class _UntreelikeError(Exception):
    """Something that a tree does not say."""


def write_query_tree(text: str) -> QueryTree:
    """The tree of a query whose values are parameters; where no tree says it, the query itself."""
    names = {name: name for name in _NAME.findall(text)}
    try:
        match parse_query(text, names).clauses:
            case (MatchClause() as match, Projection() as returned):
                return _build_tree(match, returned, names)
    except (CypherReadError, _UntreelikeError):
        pass
    return QueryTree(cypher=text.strip())


def _build_tree(match: MatchClause, returned: Projection, names: Mapping[str, str]) -> QueryTree:
    if match.is_optional or returned.passes_all or returned.skip:
        raise _UntreelikeError
    labels: dict[str, str] = {}
    for node in match.nodes:
        labels[node.variable] = labels.get(node.variable) or node.label
    variables = {variable: f"n{at}" for at, variable in enumerate(labels)}
    edges = [
        TreeEdge(
            source=variables[each.source],
            type=each.type,
            direction=each.direction,
            target=variables[each.target],
        )
        for each in match.relationships
    ]
    writer = _PartWriter(variables, names)
    return QueryTree(
        nodes=tuple(TreeNode(name=variables[each], label=labels[each]) for each in labels),
        match=tuple(edges),
        where=tuple(map(writer.write_condition, match.conditions)),
        distinct=returned.distinct,
        items=tuple(writer.write_item(each.expression) for each in returned.items),
        order=tuple(
            writer.write_order(each.expression, each.descending) for each in returned.orders
        ),
        limit=returned.limit or 0,
    )


class _PartWriter:
    """Writes expressions; `variables`: the names of nodes by those of the text."""

    def __init__(self, variables: Mapping[str, str], values: Mapping[str, str]) -> None:
        self._variables, self._values = variables, values

    def write_condition(self, expression: Expression) -> TreeCondition:
        match expression:
            case Comparison(operator, Access(Variable(node), key), Literal(str() as value)) if (
                operator in get_args(TreeOperator) and value in self._values
            ):
                name = self._find_node(node)
                return TreeCondition.model_validate(
                    {"node": name, "property": key, "operator": operator, "value": value}
                )
        raise _UntreelikeError

    def write_item(self, expression: Expression) -> TreeItem:
        function = ""
        if isinstance(expression, FunctionCall) and len(expression.arguments) == 1:
            function = f"{expression.name}{' distinct' if expression.distinct else ''}"
            [expression] = expression.arguments
        if function not in get_args(TreeFunction):
            raise _UntreelikeError
        node, key = self._split_operand(expression)
        return TreeItem.model_validate({"function": function, "node": node, "property": key})

    def write_order(self, expression: Expression, descending: bool) -> TreeOrder:
        item = self.write_item(expression)
        return TreeOrder.model_validate({**item.model_dump(), "descending": descending})

    def _split_operand(self, expression: Expression) -> tuple[str, str]:
        """A node, and the property of it; empty for the node itself."""
        match expression:
            case Variable(name):
                return self._find_node(name), ""
            case Access(Variable(name), key):
                return self._find_node(name), key
        raise _UntreelikeError

    def _find_node(self, variable: str) -> str:
        if variable not in self._variables:
            raise _UntreelikeError
        return self._variables[variable]
