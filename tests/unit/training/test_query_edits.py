"""Wrong queries near a right one: sentences of the same language, none of them the right one."""

from __future__ import annotations

import random

import pytest

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading.queries import find_canonical_moves
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.state import CypherState
from trellis.automata.reader import Reader, SentenceReading
from trellis.training.synthesis.query_edits import edit_query
from unit.automata.cypher.cinema import cinema
from unit.automata.cypher.schemas import random_world


def some_sentence(language: CypherLanguage, choice: random.Random) -> CypherState:
    """The end of a random sentence, which ends as soon as it may after a few moves."""
    state = language.start()
    while not (language.accepting(state) and len(state.moves) > 5):
        count = len(language.moves(state))
        after = language.follow(state, choice.randrange(count)) if count else None
        if after is None:
            break
        state = after
    return state


@pytest.mark.parametrize("seed", range(40))
def test_edits_are_other_sentences_of_the_language(seed: int) -> None:
    world, choice = random_world(seed), random.Random(seed)
    language = CypherLanguage(world.schema, world.values, world.options)
    if language.is_empty():
        return
    right = some_sentence(language, choice)
    found = edit_query(language, right, 6, random.Random(seed))
    reader = Reader(language)
    for one in found:
        reading = reader.read_text(one.text)
        assert isinstance(reading, SentenceReading)
        assert set(one.values) <= set(reading.values)
        assert one.text != right.text
    assert len({one.text for one in found}) == len(found) <= 6
    assert found == edit_query(language, right, 6, random.Random(seed))


def test_what_is_confused_easily_is_among_them() -> None:
    """Another relation, direction, label or form over the same value."""
    language = cinema()
    query = "MATCH (p:Person)-[:KNOWS]->(q:Person WHERE q.name = 'Ann') RETURN p"
    found = edit_query(
        language,
        follow_moves(language, find_canonical_moves(language, query)),
        40,
        random.Random(1),
    )
    texts = {one.text for one in found}
    assert {
        " list person knows person name v0",
        " list person knows <- person name v0",
        " list person likes -> person name v0",
        " count person knows -> person name v0",
    } <= texts
