"""Random sentences of the language of Cypher, and values of a graph to say in them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.state import CypherState, MoveKind
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import Schema
from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection

_ENDINGS: frozenset[MoveKind] = frozenset(("form", "order", "limit"))
"""Kinds of moves behind which a pattern grows no more, or an order is said."""


def make_random_sentence(
    language: CypherLanguage, random: Random, first_moves: Sequence[str] = ()
) -> tuple[tuple[str, ...], CypherState]:
    """One sentence, as its moves and the state behind it: most have more than one node.

    Its first moves are those of `first_moves`, which is a sentence itself if it is not empty.
    """
    moves = tuple(first_moves)
    state = follow_moves(language, moves) if moves else language.start()
    while True:
        texts = language.moves(state).texts
        if not texts or (language.accepting(state) and random.random() < 0.1):
            return moves, state
        move = _choose_move(language, state, random)
        moves, state = (*moves, texts[move]), _follow_move(language, state, move)


def _choose_move(language: CypherLanguage, state: CypherState, random: Random) -> int:
    """A move; mostly none that says more of what is returned, where there is another."""
    choices = language.list_typed_moves(state)
    move = random.randrange(len(choices))
    for _ in range(6 if state.query.nodes else 0):
        if choices[move].kind not in _ENDINGS:
            break
        move = random.randrange(len(choices))
    return move


def _follow_move(language: CypherLanguage, state: CypherState, move: int) -> CypherState:
    after = language.follow(state, move)
    assert after is not None, "nothing is excluded"
    return after


async def sample_values(
    connection: GraphConnection, schema: Schema, random: Random, count: int = 8
) -> tuple[StoredValue, ...]:
    """Values that stand in the graph, of properties at random."""
    known = [(kind.label, each) for kind in schema.labels for each in kind.properties]
    found = []
    for label, kind in random.sample(known, min(count, len(known))):
        property_text = f"n.{quote_name(kind.name)}"
        rows = await connection.read_rows(
            f"MATCH (n:{quote_name(label)}) WHERE {property_text} IS NOT NULL "
            f"RETURN toString({property_text}) AS text, "
            f"CASE WHEN valueType({property_text}) STARTS WITH 'STRING' "
            f"OR valueType({property_text}) STARTS WITH 'INT' "
            f"OR valueType({property_text}) STARTS WITH 'FLOAT' "
            f"THEN {property_text} END AS value LIMIT 1"
        )
        for row in rows:
            value = row["text"] if row["value"] is None else row["value"]
            found.append(StoredValue(label, kind.name, value, kind.type))
    return tuple(found)
