"""The pattern that was matched so far: its nodes, relationships and filters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from trellis.automata.cypher.meaning.items import ReturnOrder
from trellis.automata.cypher.meaning.query import (
    QueryEdge,
    QueryFilter,
    QueryGraph,
    QueryNode,
    QueryScope,
)
from trellis.automata.cypher.reading.expressions import (
    Expression,
    MatchClause,
    RelationshipPattern,
    Variable,
)
from trellis.domain.errors import CypherReadError


class MatchedPattern:
    """A query that grows. Its variables stand for nodes and relationships by their indices."""

    def __init__(self) -> None:
        self.query = QueryGraph()
        self._nodes: dict[str, int] = {}
        self._edges: dict[str, int] = {}
        self._clauses: dict[int, int] = {}  # the number of the last clause of each scope
        self._outer_nodes = 0  # so many first nodes get no filter in the scope being read

    def find_node(self, expression: Expression) -> int | None:
        """The node that a variable stands for."""
        return self._nodes.get(expression.name) if isinstance(expression, Variable) else None

    def find_edge(self, expression: Expression) -> int | None:
        """The relationship that a variable stands for."""
        return self._edges.get(expression.name) if isinstance(expression, Variable) else None

    def find_owner(self, variable: Variable) -> tuple[str, bool]:
        """The label or the type of what a variable stands for, and whether it is a relationship."""
        if variable.name in self._edges:
            return self.query.edges[self._edges[variable.name]].type, True
        if variable.name not in self._nodes:
            raise CypherReadError(f"{variable.name!r} is no node of the pattern")
        return self.query.nodes[self._nodes[variable.name]].label, False

    def find_optional_scope(self, clause: MatchClause) -> int:
        """The optional scope that an optional clause goes on with; 0 where it begins one."""
        nodes = [
            self._nodes[each.variable] for each in clause.nodes if each.variable in self._nodes
        ]
        return next((scope for node in nodes if (scope := self.query.nodes[node].scope)), 0)

    def begin_scope(self, scope: QueryScope) -> int:
        """Add a scope, and return its number."""
        scopes = (*self.query.scopes, scope)
        self.query = replace(self.query, scopes=scopes)
        return len(scopes)

    def begin_clause(self, scope: int) -> int:
        """Begin one more clause of a scope, and return its number."""
        number = self._clauses.get(scope, -1) + 1
        self._clauses[scope] = number
        return number

    @contextmanager
    def protect_outer_nodes(self, is_protected: bool = True) -> Iterator[None]:
        """Refuse filters of the nodes that are there now, as long as the context lasts.

        `is_protected`: without it all nodes get filters in the context.
        """
        before = self._outer_nodes
        self._outer_nodes = len(self.query.nodes) if is_protected else 0
        yield
        self._outer_nodes = before

    @contextmanager
    def forget_variables(self) -> Iterator[None]:
        """Forget behind the context the nodes that get variables in it."""
        before = dict(self._nodes)
        yield
        self._nodes = before

    def add_node(self, variable: str, label: str, scope: int = 0) -> None:
        """Add a node, or a label to the node that a variable stands for already."""
        nodes = list(self.query.nodes)
        if variable not in self._nodes:
            self._nodes[variable] = len(nodes)
            nodes.append(QueryNode(label, scope=scope))
        elif label:
            index = self._nodes[variable]
            if nodes[index].label not in ("", label):
                raise CypherReadError(f"{variable!r} has two labels, of which one can be said")
            if index < self._outer_nodes and not nodes[index].label:
                raise CypherReadError(f"{variable!r} has a label in a condition only")
            nodes[index] = replace(nodes[index], label=label)
        self.query = replace(self.query, nodes=tuple(nodes))

    def add_label(self, variable: str, label: str) -> None:
        """Add a label to the node that a variable stands for."""
        if variable not in self._nodes:
            raise CypherReadError(f"{variable!r} is no node of the pattern")
        self.add_node(variable, label)

    def add_relationship(self, pattern: RelationshipPattern, clause: int, scope: int) -> None:
        """Add a relationship between two nodes that are there already."""
        if pattern.variable in self._edges:
            raise CypherReadError(f"the relationship {pattern.variable!r} stands in two places")
        self._edges[pattern.variable] = len(self.query.edges)
        edge = QueryEdge(
            self._nodes[pattern.source],
            self._nodes[pattern.target],
            pattern.type,
            pattern.direction,
            clause,
            scope=scope,
        )
        self.query = replace(self.query, edges=(*self.query.edges, edge))

    def add_filter(self, owner: Variable, each: QueryFilter) -> None:
        """Add a filter to what a variable stands for, once."""
        self.find_owner(owner)
        if owner.name in self._edges:
            index = self._edges[owner.name]
            edges = list(self.query.edges)
            edges[index] = replace(edges[index], filters=_add_once(edges[index].filters, each))
            self.query = replace(self.query, edges=tuple(edges))
        else:
            index = self._nodes[owner.name]
            if index < self._outer_nodes:
                raise CypherReadError("a condition inside says something of a node outside of it")
            nodes = list(self.query.nodes)
            nodes[index] = replace(nodes[index], filters=_add_once(nodes[index].filters, each))
            self.query = replace(self.query, nodes=tuple(nodes))

    def rank_node(self, node: int, order: ReturnOrder, limit: int, skip: int) -> None:
        """Keep only the first of the nodes that one node of the pattern matches.

        All else that was matched then serves to find these, and is forgotten.
        """
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
        self._nodes = {name: index for name, index in self._nodes.items() if index == node}
        self._edges = {}
        self._clauses = {1: self._clauses.get(0, 0)}


def _add_once(filters: tuple[QueryFilter, ...], each: QueryFilter) -> tuple[QueryFilter, ...]:
    return filters if each in filters else (*filters, each)
