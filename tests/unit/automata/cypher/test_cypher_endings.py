"""A model that rambles still ends in time, and for little work, however its queries are said."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RENDERINGS, RenderingOptions
from trellis.automata.cypher.state import CypherState
from trellis.automata.cypher.words.bound_values import number_values
from trellis.automata.language import MoveId
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.decoding.search import decode
from trellis.domain.models.decoding import Search
from unit.automata.cypher.cinema import CINEMA, VALUES
from unit.automata.cypher.schemas import SchemaWorld, schema_worlds
from unit.automata.kinds import vocabulary
from unit.automata.laws import examples, seeds
from unit.automata.test_laws import kinds
from unit.decoding.scorers import Dice, prompt

MOST_FOLLOWED = 40_000
"""The queries that may be begun for one sentence of 256 tokens: its three beams begin 12,000."""


class CountedLanguage(CypherLanguage):
    """The language of films; it counts the queries that are begun in it."""

    followed = 0

    def follow(self, state: CypherState, move: MoveId) -> CypherState | None:
        self.followed += 1
        return super().follow(state, move)


@pytest.mark.slow
@pytest.mark.parametrize("rendering", RENDERINGS)
def test_a_model_that_rambles_to_its_budget_costs_bounded_work(rendering: str) -> None:
    options = RenderingOptions(rendering=rendering)
    language = CountedLanguage(CINEMA, number_values(VALUES), options)
    automaton = TokenAutomaton(language, vocabulary("bytes-500"))
    search = Search(width=3, max_tokens=256)
    [found] = decode(Dice(spread=0.1), [prompt(1)], [automaton], search)
    assert len(found) == 3
    assert all(len(sentence.tokens) <= 256 for sentence in found)
    assert language.followed < MOST_FOLLOWED


@pytest.mark.slow
@examples(50)
@given(schema_worlds(), kinds, seeds)
def test_what_is_offered_within_a_budget_always_ends_in_it(
    world: SchemaWorld, kind: str, seed: int
) -> None:
    language, random = world.language(), Random(seed)
    if language.is_empty():
        return
    automaton = TokenAutomaton(language, vocabulary(kind))
    state = automaton.start()
    left = automaton.distance(state) + random.randint(0, 60)
    while len(allowed := automaton.allowed_within(state, left)):
        state = automaton.advance(state, int(random.choice(allowed)))
        assert state is not None
        left -= 1
    assert automaton.accepting(state)
    assert left >= 0
