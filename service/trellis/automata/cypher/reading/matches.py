"""Reads what a query matches: paths of nodes and relationships, and what must hold of them."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.cypher.meaning.items import ReturnItem
from trellis.automata.cypher.meaning.query import QueryScope
from trellis.automata.cypher.reading.conditions import ConditionReader
from trellis.automata.cypher.reading.expressions import Expression, MatchClause, Subquery
from trellis.automata.cypher.reading.matched_pattern import MatchedPattern
from trellis.automata.cypher.reading.meanings import Meanings
from trellis.automata.cypher.reading.return_items import find_form
from trellis.domain.errors import CypherReadError


class MatchReader:
    """Reads MATCH clauses into `pattern`, literals by their `meanings`."""

    def __init__(self, meanings: Meanings) -> None:
        self.meanings = meanings
        self.pattern = MatchedPattern()
        self._conditions = ConditionReader(self.pattern, meanings, self._read_subquery)

    def read_match(self, clause: MatchClause) -> None:
        """Read a clause of the main pattern, or an optional one."""
        if not clause.is_optional:
            self._read_paths(clause, 0)
            return
        known = self.pattern.find_optional_scope(clause)
        scope = known or self.pattern.begin_scope(QueryScope("optional"))
        with self.pattern.protect_outer_nodes():
            self._read_paths(clause, scope)

    def read_conditions(self, conditions: Sequence[Expression]) -> None:
        """Read all that must hold of what was matched."""
        self._conditions.read_conditions(conditions)

    def read_match_number(self, subquery: Subquery) -> ReturnItem:
        """The number of a pattern's matches for each node, as a count over an optional part.

        The two are the same where the query matches a single node beside it.
        """
        query = self.pattern.query
        if len([node for node in query.nodes if not node.scope]) != 1:
            raise CypherReadError("a number of matches can be returned of one node only")
        self._read_subquery(subquery, QueryScope("optional"))
        scope = len(self.pattern.query.scopes)
        counted = [edge.target for edge in self.pattern.query.edges if edge.scope == scope]
        return ReturnItem(find_form("count", True, False), counted[-1], "")

    def _read_paths(self, clause: MatchClause, scope: int) -> None:
        for node in clause.nodes:
            self.pattern.add_node(node.variable, node.label, scope)
        number = self.pattern.begin_clause(scope)
        for relationship in clause.relationships:
            self.pattern.add_relationship(relationship, number, scope)
        self.read_conditions(clause.conditions)

    def _read_subquery(self, subquery: Subquery, scope: QueryScope) -> None:
        """Read a pattern inside a condition, as a scope of the query."""
        if not all(match.relationships for match in subquery.matches):
            raise CypherReadError("a condition that matches no relationship cannot be said")
        number = self.pattern.begin_scope(scope)
        is_protected = scope.kind != "some"  # a filter of an outer node may stand in EXISTS only
        with self.pattern.forget_variables(), self.pattern.protect_outer_nodes(is_protected):
            for match in subquery.matches:
                self._read_paths(match, number)
