"""Wrong queries near a right one: sentences of the same language, none of them the right one."""

from __future__ import annotations

import random

import pytest

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading import canonical_moves
from trellis.automata.reader import Reader, Reading
from trellis.training.synthesis.query_edits import edited
from unit.automata.cypher.cinema import cinema
from unit.automata.cypher.schemas import random_world


def some_moves(language: CypherLanguage, choice: random.Random) -> tuple[str, ...]:
    """The moves of a random sentence, ended as soon as it may after a few."""
    state, moves = language.start(), list[str]()
    while not (language.accepting(state) and len(moves) > 5):
        texts = language.moves(state).texts
        if not len(texts):
            break
        move = choice.randrange(len(texts))
        moves.append(texts[move])
        state = language.follow(state, move)
    return tuple(moves)


@pytest.mark.parametrize("seed", range(40))
def test_edits_are_other_sentences_of_the_language(seed: int) -> None:
    world, choice = random_world(seed), random.Random(seed)
    language = CypherLanguage(world.schema, world.values, world.options)
    if language.empty():
        return
    moves = some_moves(language, choice)
    found = edited(language, moves, 6, random.Random(seed))
    reader = Reader(language)
    for one in found:
        reading = reader.read(one.text)
        assert isinstance(reading, Reading)
        assert set(one.values) <= set(reading.values)
        assert one.text != "".join(moves)
    assert len({one.text for one in found}) == len(found) <= 6
    assert found == edited(language, moves, 6, random.Random(seed))


def test_what_is_confused_easily_is_among_them() -> None:
    """Another relation, direction, label or form over the same value."""
    language = cinema()
    query = "MATCH (p:Person)-[:KNOWS]->(q:Person WHERE q.name = 'Ann') RETURN p"
    found = edited(language, canonical_moves(language, query), 40, random.Random(1))
    texts = {one.text for one in found}
    assert {
        " list person knows person name v0",
        " list person knows <- person name v0",
        " list person likes -> person name v0",
        " count person knows -> person name v0",
    } <= texts
