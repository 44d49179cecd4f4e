"""The moves of EXISTS, COUNT and OPTIONAL MATCH: scopes of a pattern, each with its conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from trellis.automata.cypher.clauses.matching import Matching
from trellis.automata.cypher.clauses.texts import write_value
from trellis.automata.cypher.meaning.query import Operator, QueryScope, ScopeKind
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.wording import OPERATORS

SCOPE_BEGINNINGS: dict[ScopeKind, str] = {
    "some": " EXISTS {",
    "none": " NOT EXISTS {",
    "number": " COUNT {",
    "optional": " OPTIONAL",
}
"""The texts before the MATCH of a scope."""

SCOPE_CLOSING = " }"


class Subpatterns:
    """Says scopes. `say_behind` says what comes behind one that is closed by a text."""

    def __init__(
        self, lexicon: Lexicon, matching: Matching, say_behind: Callable[[str], Then]
    ) -> None:
        self._lexicon = lexicon
        self._matching = matching
        self._say_behind = say_behind

    def can_begin(self, state: CypherState) -> bool:
        """Whether the pattern has a node at which a scope can begin."""
        return self._lexicon.is_wide and bool(self._matching.find_scope_sources(state))

    def say_conditions(self, state: CypherState) -> Iterator[MoveGroup]:
        """The scopes that are conditions."""
        yield from self._say_scope(state, "some", "")
        yield from self._say_scope(state, "none", "")
        if self._lexicon.number_choices:
            yield from self._say_scope(state, "number", "")

    def say_optional(self, closing: str, state: CypherState) -> Iterator[MoveGroup]:
        """The scopes whose matches are added where there are any."""
        yield from self._say_scope(state, "optional", closing)

    def close_scope(self, closing: str, state: CypherState) -> Iterator[MoveGroup]:
        """What comes behind a condition that is whole, but for its bracket."""
        whole = f"{closing}{SCOPE_CLOSING}"
        if state.query.scopes[-1].kind != "number":
            yield from self._say_behind(whole)(state)
            return
        yield MoveGroup.of(
            "operator",
            [f"{whole} {operator}" for operator in OPERATORS],
            lambda i: state.with_next(partial(self._say_number, OPERATORS[i])),
        )

    def _say_scope(self, state: CypherState, kind: ScopeKind, closing: str) -> Iterator[MoveGroup]:
        """The nodes at which a scope can begin."""
        if not self._lexicon.is_wide:
            return
        sources = self._matching.find_scope_sources(state)
        begun = f"{closing}{SCOPE_BEGINNINGS[kind]} MATCH ("
        texts = [begun + state.words[node] for node in sources]
        yield MoveGroup.of("scope", texts, partial(self._begin_scope, state, kind, sources))

    def _begin_scope(
        self, state: CypherState, kind: ScopeKind, sources: Sequence[int], chosen: int
    ) -> CypherState:
        query = replace(state.query, scopes=(*state.query.scopes, QueryScope(kind)))
        then = partial(self._matching.say_scope_ways, sources[chosen])
        return state.with_next(then, query=query)

    def _say_number(self, operator: Operator, state: CypherState) -> Iterator[MoveGroup]:
        """The numbers that the number of matches can be compared with."""
        choices = self._lexicon.number_choices
        texts = [f" {write_value(self._lexicon.values[of[0]])}" for _, of in choices]

        def follow(chosen: int) -> CypherState:
            *scopes, last = state.query.scopes
            compared = replace(last, operator=operator, values=choices[chosen][1])
            query = replace(state.query, scopes=(*scopes, compared))
            return state.with_next(self._say_behind(""), query=query)

        yield MoveGroup.of("value", texts, follow)
