"""Joins the clauses of a sentence: MATCH, WHERE, OPTIONAL MATCH, WITH and RETURN."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from trellis.automata.cypher.clauses.conditions import Conditions
from trellis.automata.cypher.clauses.grouping import Grouping
from trellis.automata.cypher.clauses.matching import Matching
from trellis.automata.cypher.clauses.ordering import Ordering
from trellis.automata.cypher.clauses.returning import Returning
from trellis.automata.cypher.clauses.subpatterns import Subpatterns
from trellis.automata.cypher.clauses.texts import measure_names
from trellis.automata.cypher.grammar.operands import Operands
from trellis.automata.cypher.grammar.ways import PatternContinuations
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.bound_values import Lexicon


class ClauseGrammar:
    """The grammar of the rendering `cypher`."""

    def __init__(
        self,
        lexicon: Lexicon,
        ways: PatternContinuations,
        options: RenderingOptions,
        operands: Operands,
    ) -> None:
        self._lexicon = lexicon
        self._ways = ways
        self._operands = operands
        self._matching = Matching(lexicon, ways, options, self._end_pattern)
        self._conditions = Conditions(lexicon, ways, self._end_condition)
        self._subpatterns = Subpatterns(
            lexicon, self._matching, lambda closing: self._end_condition(0, closing)
        )
        ordering = Ordering(options)
        self._returning = Returning(lexicon, operands, options, ordering)
        self._grouping = Grouping(lexicon, operands, options, ordering, self._go_on)

    def say_first(self, state: CypherState) -> Iterator[MoveGroup]:
        """The first node."""
        yield from self._matching.say_first_node(self._ways.find_starts(), state)

    def measure_ending(self) -> tuple[int, int]:
        """The most bytes and moves that the shortest ending behind any move needs.

        A scope needs a relationship, a label, its number, and an item that is returned; a condition
        with two values needs both. All columns of a WITH are returned, or ordered by.
        """
        label, edge, of, value = measure_names(self._lexicon)
        size = edge + label + 3 * of + 2 * value + 128
        return (size, 12) if self._lexicon.is_wide else (size, 6)

    def _end_pattern(self, scope: int, closing: str) -> Then:
        """What comes behind the pattern of a scope."""
        return partial(self._say_after_pattern, scope, closing)

    def _say_after_pattern(
        self, scope: int, closing: str, state: CypherState
    ) -> Iterator[MoveGroup]:
        if self._can_restrict(scope, state):
            then = partial(self._say_condition, scope)
            yield MoveGroup.of_word("where", f"{closing} WHERE", partial(state.with_next, then))
        yield from self._say_after_conditions(scope, closing, state)

    def _end_condition(self, scope: int, closing: str) -> Then:
        """What comes behind a condition of a scope."""
        return partial(self._say_after_condition, scope, closing)

    def _say_after_condition(
        self, scope: int, closing: str, state: CypherState
    ) -> Iterator[MoveGroup]:
        if self._can_restrict(scope, state):
            then = partial(self._say_condition, scope)
            yield MoveGroup.of_word("where", f"{closing} AND", partial(state.with_next, then))
        yield from self._say_after_conditions(scope, closing, state)

    def _can_restrict(self, scope: int, state: CypherState) -> bool:
        """Whether one more condition can be said of a scope."""
        if self._conditions.has_condition(scope, state):
            return True
        return not scope and self._subpatterns.can_begin(state)

    def _say_condition(self, scope: int, state: CypherState) -> Iterator[MoveGroup]:
        yield from self._conditions.say_condition(scope, state)
        if not scope:
            yield from self._subpatterns.say_conditions(state)

    def _say_after_conditions(
        self, scope: int, closing: str, state: CypherState
    ) -> Iterator[MoveGroup]:
        """What comes behind all conditions: the end of a scope, or the rest of the sentence."""
        if scope and state.query.scopes[scope - 1].kind != "optional":
            yield from self._subpatterns.close_scope(closing, state)
            return
        if scope:
            yield from self._matching.say_apart(scope, closing, state)
        yield from self._subpatterns.say_optional(closing, state)
        yield from self._grouping.say_with(closing, state)
        yield from self._returning.say_return(closing, state)

    def _go_on(self, node: int) -> Then:
        """What comes behind the first nodes in an order."""
        return partial(self._say_after_rank, node)

    def _say_after_rank(self, node: int, state: CypherState) -> Iterator[MoveGroup]:
        yield from self._matching.say_more_clauses(node, state)
        yield from self._say_after_pattern(0, "", state)
