"""Reads what a query matches: nodes, relationships, and all that must hold of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trellis.automata.cypher.expressions import (
    Access,
    Comparison,
    Expression,
    FunctionCall,
    Junction,
    LabelTest,
    ListLiteral,
    Literal,
    MatchClause,
    Negation,
    NullTest,
    RelationshipPattern,
    Subquery,
    Variable,
)
from trellis.automata.cypher.meanings import ComparedProperty, Meanings
from trellis.automata.cypher.query import (
    SWAPPED,
    Operator,
    PropertyReference,
    QueryEdge,
    QueryFilter,
    QueryGraph,
    QueryNode,
    QueryScope,
    ReturnOrder,
    ScopeKind,
)
from trellis.automata.cypher.rendering import PART_FUNCTIONS
from trellis.domain.errors import CypherReadError

_PARTS = {"year": "year", "month": "month", "day": "day"}
_FUNCTION_PARTS = {function.lower(): part for part, function in PART_FUNCTIONS.items()}
_OPERATORS: dict[str, Operator] = {
    "=": "=",
    "<>": "<>",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "CONTAINS": "CONTAINS",
    "STARTS WITH": "STARTS WITH",
    "ENDS WITH": "ENDS WITH",
}
_NEGATED: dict[str, str] = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
"""The comparison that holds where another does not; of null neither does."""


class PatternReader:
    """What was matched so far. Variables stand for nodes and relationships by their indices."""

    def __init__(self, meanings: Meanings) -> None:
        self.meanings = meanings
        self.nodes: dict[str, int] = {}
        self.edges: dict[str, int] = {}
        self.query = QueryGraph()
        self._clauses: dict[int, int] = {}  # of each scope, the number of its clauses
        self._outer_nodes = 0  # nodes of which a condition of the scope being read says nothing

    def read_match(self, clause: MatchClause) -> None:
        """A clause of the main pattern, or an optional one."""
        scope = 0
        if clause.is_optional:
            scope = self._find_optional_scope(clause) or self._begin_scope("optional")
            self._outer_nodes = len(self.query.nodes)
        self._read_pattern(clause, scope)
        self._outer_nodes = 0

    def rank_node(self, node: int, order: ReturnOrder, limit: int, skip: int) -> None:
        """Keep of a node only the first ones; all else that was matched serves to find these."""
        query = self.query
        if query.scopes:
            raise CypherReadError("first nodes of a pattern with conditions cannot be said")
        nodes = (
            of if index == node else replace(of, scope=1) for index, of in enumerate(query.nodes)
        )
        self.query = replace(
            query,
            nodes=tuple(nodes),
            edges=tuple(replace(edge, scope=1) for edge in query.edges),
            scopes=(QueryScope("first", node=node, order=order, limit=limit, skip=skip),),
        )
        self.nodes = {name: index for name, index in self.nodes.items() if index == node}
        self.edges = {}
        self._clauses = {1: self._clauses.get(0, 0)}

    def read_conditions(self, conditions: Sequence[Expression]) -> None:
        """All that must hold."""
        for condition in conditions:
            self._read_condition(condition)

    def find_node(self, expression: Expression) -> int | None:
        """The node that a variable is."""
        return self.nodes.get(expression.name) if isinstance(expression, Variable) else None

    def find_edge(self, expression: Expression) -> int | None:
        """The relationship that a variable is."""
        return self.edges.get(expression.name) if isinstance(expression, Variable) else None

    def read_property(self, expression: Expression) -> tuple[Variable, str, str] | None:
        """A property: its variable, its name, what of its value; None for anything else."""
        match expression:
            case Access(of=Variable() as variable, name=name):
                return variable, name, ""
            case Access(of=Access(of=Variable() as variable, name=name), name=part):
                return (variable, name, _PARTS[part]) if part in _PARTS else None
            case FunctionCall(name=function, arguments=(Access(of=Variable() as variable),)) if (
                function in _FUNCTION_PARTS
            ):
                (of,) = expression.arguments
                assert isinstance(of, Access)
                return variable, of.name, _FUNCTION_PARTS[function]
        return None

    def _find_optional_scope(self, clause: MatchClause) -> int:
        """The optional scope that an optional clause goes on with; 0 where it begins one."""
        known = [self.nodes[node.variable] for node in clause.nodes if node.variable in self.nodes]
        return next((scope for node in known if (scope := self.query.nodes[node].scope)), 0)

    def _begin_scope(
        self, kind: ScopeKind, operator: Operator = ">", values: tuple[int, ...] = ()
    ) -> int:
        scopes = (*self.query.scopes, QueryScope(kind, operator, values))
        self.query = replace(self.query, scopes=scopes)
        return len(scopes)

    def _read_pattern(self, clause: MatchClause, scope: int) -> None:
        for node in clause.nodes:
            self._read_node(node.variable, node.label, scope)
        number = self._clauses.get(scope, -1) + 1
        self._clauses[scope] = number
        for relationship in clause.relationships:
            self._read_relationship(relationship, number, scope)
        self.read_conditions(clause.conditions)

    def _read_node(self, variable: str, label: str, scope: int = 0) -> None:
        nodes = list(self.query.nodes)
        if variable not in self.nodes:
            self.nodes[variable] = len(nodes)
            nodes.append(QueryNode(label, scope=scope))
        elif label:
            index = self.nodes[variable]
            if nodes[index].label not in ("", label):
                raise CypherReadError(f"{variable!r} has two labels, of which one can be said")
            if index < self._outer_nodes and not nodes[index].label:
                raise CypherReadError(f"{variable!r} has a label in a condition only")
            nodes[index] = replace(nodes[index], label=label)
        self.query = replace(self.query, nodes=tuple(nodes))

    def _read_relationship(self, pattern: RelationshipPattern, clause: int, scope: int) -> None:
        if pattern.variable in self.edges:
            raise CypherReadError(f"the relationship {pattern.variable!r} stands in two places")
        self.edges[pattern.variable] = len(self.query.edges)
        edge = QueryEdge(
            self.nodes[pattern.source],
            self.nodes[pattern.target],
            pattern.type,
            pattern.direction,
            clause,
            scope=scope,
        )
        self.query = replace(self.query, edges=(*self.query.edges, edge))

    def _read_condition(self, condition: Expression, is_negated: bool = False) -> None:
        match condition:
            case Negation(of=of):
                self._read_condition(of, not is_negated)
            case Junction(operator="AND", parts=parts) if not is_negated:
                self.read_conditions(parts)
            case Junction(operator="OR", parts=parts) if is_negated:
                for part in parts:
                    self._read_condition(part, is_negated=True)
            case Junction(operator="OR", parts=parts):
                self._read_alternatives(parts)
            case NullTest(of=of, is_negated=is_known):
                self._read_null_test(of, is_known != is_negated)
            case LabelTest(of=Variable(name=name), label=label) if not is_negated:
                self._read_label(name, label)
            case Subquery(is_count=False):
                self._read_scope(condition, "none" if is_negated else "some")
            case Comparison():
                self._read_comparison(condition, is_negated)
            case FunctionCall(name="exists", arguments=(of,)):
                self._read_null_test(of, not is_negated)
            case Access() | Variable():
                truth = Comparison("=", condition, Literal(not is_negated))
                self._read_comparison(truth, is_negated=False)
            case _:
                raise CypherReadError(f"a condition of this kind cannot be said: {condition}")

    def _read_label(self, variable: str, label: str) -> None:
        if variable not in self.nodes:
            raise CypherReadError(f"{variable!r} is no node of the pattern")
        self._read_node(variable, label)

    def _read_null_test(self, of: Expression, is_known: bool) -> None:
        operator: Operator = "IS NOT NULL" if is_known else "IS NULL"
        if (node := self.find_node(of)) is not None and self.query.nodes[node].scope:
            raise CypherReadError("whether an optional node is there cannot be said")
        owner, name, part = self._expect_property(of)
        self._add_filter(owner, QueryFilter(name, operator, part=part))

    def _read_alternatives(self, parts: Sequence[Expression]) -> None:
        """Comparisons of one property, of which one must hold."""
        compared = [part for part in parts if isinstance(part, Comparison)]
        same = {(part.operator, str(part.left)) for part in compared}
        if len(compared) < len(parts) or len(same) != 1:
            raise CypherReadError("OR joins different properties, which cannot be said")
        first = compared[0]
        rights = [item for part in compared for item in self._list_items(part)]
        operator = "=" if first.operator == "IN" else first.operator
        self._read_values(operator, first.left, rights, is_negated=False)

    def _list_items(self, compared: Comparison) -> Sequence[Expression]:
        if compared.operator == "IN" and isinstance(compared.right, ListLiteral):
            return compared.right.items
        return (compared.right,)

    def _read_comparison(self, condition: Comparison, is_negated: bool) -> None:
        operator, left, right = condition.operator, condition.left, condition.right
        if operator in _NEGATED and is_negated:
            operator, is_negated = _NEGATED[operator], False
        if isinstance(left, Literal) and operator in SWAPPED:
            left, right, operator = right, left, SWAPPED[_OPERATORS[operator]]
        if isinstance(right, Subquery) and isinstance(left, Literal) and operator in SWAPPED:
            left, right, operator = right, left, SWAPPED[_OPERATORS[operator]]
        if isinstance(left, Subquery):
            self._read_number(left, operator, right)
        elif operator == "IN":
            self._read_membership(left, right, is_negated)
        elif self.find_node(left) is not None and self.find_node(right) is not None:
            self._read_difference(left, operator, right)
        elif self.read_property(right) and self.read_property(left):
            self._read_reference(left, operator, right)
        else:
            self._read_values(operator, left, (right,), is_negated)

    def _read_membership(self, left: Expression, right: Expression, is_negated: bool) -> None:
        """A property among values, or a value among those of a list."""
        if isinstance(right, ListLiteral):
            operator = "<>" if is_negated else "="
            self._read_values(operator, left, right.items, is_negated=False)
        else:
            owner, name, part = self._expect_property(right)
            self._add_values(owner, name, "HAS", part, [left], is_negated)

    def _read_values(
        self, operator: str, left: Expression, rights: Sequence[Expression], is_negated: bool
    ) -> None:
        """A property compared with one value, or with several of which one holds."""
        if operator not in _OPERATORS:
            raise CypherReadError(f"the comparison {operator} cannot be said")
        owner, name, part = self._expect_property(left)
        literals = [self._unfold(right, part) for right in rights]
        if not literals:
            raise CypherReadError("a comparison with no value at all holds never")
        self._add_values(owner, name, _OPERATORS[operator], part, literals, is_negated)

    def _unfold(self, right: Expression, part: str) -> Expression:
        """The value that a folded property is compared with."""
        if part == "lower" and isinstance(right, FunctionCall) and right.name == "tolower":
            return right.arguments[0]
        return right

    def _add_values(
        self,
        owner: Variable,
        name: str,
        operator: Operator,
        part: str,
        values: Sequence[Expression],
        is_negated: bool,
    ) -> None:
        compared = ComparedProperty(*self._find_owner(owner), name, operator, part, is_negated)
        choices = [
            self.meanings.find_values(compared, self._expect_literal(value)) for value in values
        ]
        first, *others = dict.fromkeys(choices)
        self._add_filter(
            owner,
            QueryFilter(name, operator, first, tuple(others), is_negated=is_negated, part=part),
        )

    def _read_reference(self, left: Expression, operator: str, right: Expression) -> None:
        """Two properties that are compared."""
        owner, name, part = self._expect_property(left)
        other, other_name, other_part = self._expect_property(right)
        node = self.nodes.get(other.name)
        if operator not in SWAPPED or node is None or owner.name not in self.nodes:
            raise CypherReadError("only properties of nodes can be compared with one another")
        reference = PropertyReference(node, other_name, other_part)
        self._add_filter(
            owner, QueryFilter(name, _OPERATORS[operator], reference=reference, part=part)
        )

    def _read_difference(self, left: Expression, operator: str, right: Expression) -> None:
        """Two nodes that must not be one."""
        node = self.find_node(right)
        if operator != "<>" or node is None or not isinstance(left, Variable):
            raise CypherReadError("of two nodes only that they differ can be said")
        self._add_filter(left, QueryFilter("", "<>", reference=PropertyReference(node, "")))

    def _read_number(self, counted: Subquery, operator: str, right: Expression) -> None:
        """The number of a pattern's matches, compared."""
        if operator not in SWAPPED or not counted.is_count:
            raise CypherReadError("the number of matches is compared with a number only")
        number = self._expect_literal(right)
        is_zero = number.value == 0 and not isinstance(number.value, bool)
        if is_zero and operator in ("=", "<="):
            self._read_scope(counted, "none")
        elif is_zero and operator in (">", "<>"):
            self._read_scope(counted, "some")
        else:
            values = self.meanings.find_number(number)
            self._read_scope(counted, "number", _OPERATORS[operator], values)

    def _read_scope(
        self,
        subquery: Subquery,
        kind: ScopeKind,
        operator: Operator = ">",
        values: tuple[int, ...] = (),
    ) -> None:
        if not all(match.relationships for match in subquery.matches):
            raise CypherReadError("a condition that matches no relationship cannot be said")
        scope = self._begin_scope(kind, operator, values)
        known, outer = dict(self.nodes), self._outer_nodes
        self._outer_nodes = len(self.query.nodes) if kind != "some" else 0
        for match in subquery.matches:
            self._read_pattern(match, scope)
        self.nodes, self._outer_nodes = known, outer  # what is named inside is not known outside

    def _expect_property(self, expression: Expression) -> tuple[Variable, str, str]:
        found = self.read_property(expression)
        if found is None:
            raise CypherReadError(
                f"only properties can be compared, no {type(expression).__name__.lower()}"
            )
        return found

    def _expect_literal(self, expression: Expression) -> Literal:
        if not isinstance(expression, Literal):
            raise CypherReadError("a property is compared with something that is no value")
        return expression

    def _find_owner(self, variable: Variable) -> tuple[str, bool]:
        """The label or the type of what a variable stands for, and whether it is a relationship."""
        if variable.name in self.edges:
            return self.query.edges[self.edges[variable.name]].type, True
        if variable.name not in self.nodes:
            raise CypherReadError(f"{variable.name!r} is no node of the pattern")
        return self.query.nodes[self.nodes[variable.name]].label, False

    def _add_filter(self, owner: Variable, each: QueryFilter) -> None:
        """Add a filter to what a variable stands for, once."""
        self._find_owner(owner)
        if owner.name in self.edges:
            index = self.edges[owner.name]
            edges = list(self.query.edges)
            edges[index] = replace(edges[index], filters=_add_once(edges[index].filters, each))
            self.query = replace(self.query, edges=tuple(edges))
        else:
            index = self.nodes[owner.name]
            if index < self._outer_nodes:
                raise CypherReadError("a condition inside says something of a node outside of it")
            nodes = list(self.query.nodes)
            nodes[index] = replace(nodes[index], filters=_add_once(nodes[index].filters, each))
            self.query = replace(self.query, nodes=tuple(nodes))


def _add_once(filters: tuple[QueryFilter, ...], each: QueryFilter) -> tuple[QueryFilter, ...]:
    return filters if each in filters else (*filters, each)
