"""What the language of Cypher costs and covers: masks, plans, gold queries."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from bench.figure import Figure, format_seconds, time_call
from bench.made.cypher_schemas import make_wide_schema, prepare_grounded_language
from bench.made.cypher_sentences import make_random_sentence, sample_values
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading.queries import find_canonical_moves, find_linked_literals
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.words.bound_values import number_values
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.vocabulary import Vocabulary
from trellis.domain.errors import (
    CypherReadError,
    GraphTimeoutError,
    RefusedQueryError,
    TrellisError,
)
from trellis.domain.graphs.links import StoredValue
from trellis.domain.ports import Queries
from trellis.domain.structures.cypher import CypherQuery, QueryLimits
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.schema.live import read_live_schema

_BEAMS = 5
_ANCHORED = (" list", " label0", " name", " v0")
"""The moves behind which all that follows is grounded in what the first value's node reaches."""

_REFERENCE = {100: 0.0023, 1_000: 0.016, 10_000: 0.196, 100_000: 1.894}
"""Seconds of one mask by comparing with all reachable queries, for so many of them."""

_RUN_EACH, _PATIENCE, _ROWS = 20, 3.0, 100
"""Of random sentences one in twenty is run, for so many seconds and rows at most."""


def measure_cypher(vocabulary: Vocabulary) -> Iterator[Figure]:
    """Masks over wide schemas and over many reachable queries; no database."""
    values = [StoredValue(f"Label{i}", "property 1", f"value {i}") for i in range(5)]
    known, seconds = time_call(IndexedSchema, make_wide_schema(1_000, 5_000))
    yield Figure("schema known, 1,000 labels, 5,000 types", format_seconds([seconds]))
    wide = partial(CypherLanguage, known, number_values(values))
    yield from _measure_masks("1,000 labels, 5,000 types", wide, vocabulary, ())
    for count, reference in _REFERENCE.items():
        name = f"grounded, {count:,} reachable queries"
        yield from _measure_masks(
            name, prepare_grounded_language(count), vocabulary, _ANCHORED, reference
        )


def _measure_masks(
    name: str,
    build: Callable[[], CypherLanguage],
    vocabulary: Vocabulary,
    first_moves: Sequence[str],
    reference: float = 0,
) -> Iterator[Figure]:
    """Seconds of the masks of all beams at one step: mean and worst, never seen and known.

    All sentences begin with the moves `first_moves`.
    """
    language, seconds = time_call(build)
    yield Figure(f"language ready, {name}", format_seconds([seconds]))
    automaton: Any = TokenAutomaton(language, vocabulary)
    paths = [
        _encode_random_sentence(language, vocabulary, Random(seed), first_moves)
        for seed in range(10 * _BEAMS)
    ]
    for kind in ("cold", "warm"):
        steps = [
            _time_steps(automaton, paths[i : i + _BEAMS]) for i in range(0, len(paths), _BEAMS)
        ]
        durations = [seconds for each in steps for seconds in each]
        ratio = f"{reference / mean(durations):,.0f}" if reference else ""
        beside = format_seconds([reference]) if reference else ""
        yield Figure(
            f"masks of {_BEAMS} beams at a step, {name}, {kind}",
            format_seconds([mean(durations), max(durations)]),
            beside,
            ratio,
        )


def _encode_random_sentence(
    language: CypherLanguage, vocabulary: Vocabulary, random: Random, first_moves: Sequence[str]
) -> list[int]:
    moves, _ = make_random_sentence(language, random, first_moves)
    return [token for move in moves for token in vocabulary.encode(move)]


def _time_steps(automaton: Any, beams: Sequence[Sequence[int]]) -> Iterator[float]:
    """For each step of sentences that are written side by side, the seconds until all have masks:
    a token is taken, and the next one masked; until the first of them ends."""
    states = [automaton.start() for _ in beams]
    for tokens in zip(*beams, strict=False):
        states, seconds = time_call(_advance_beams, automaton, states, tokens)
        yield seconds


def _advance_beams(automaton: Any, states: Sequence[Any], tokens: Sequence[int]) -> list[Any]:
    following = [automaton.advance(state, t) for state, t in zip(states, tokens, strict=True)]
    for state in following:
        automaton.allow(state)
    return following


async def measure_plans(connection: GraphConnection, name: str, count: int) -> list[Figure]:
    """`count` random sentences: how many plan, and what becomes of some of them that are run as
    answers are, through the gate."""
    schema = await read_live_schema(connection)
    values = number_values(await sample_values(connection, schema, Random(3)))
    queries = Neo4jQueries(connection, Limits(seconds=_PATIENCE))
    planned, fates = Counter[bool](), Counter[str]()
    language = CypherLanguage(schema, values)
    for seed in range(count):
        _, state = make_random_sentence(language, Random(seed))
        for query in language.values(state):
            planned[await _can_plan(connection, query)] += 1
            if seed % _RUN_EACH == 0:
                fates[await _describe_run(queries, query)] += 1
    counts = ", ".join(f"{number} {fate}" for fate, number in sorted(fates.items()))
    return [
        Figure(
            f"random sentences planned, {name}",
            f"{planned[False]} of {planned.total():,} do not plan",
        ),
        Figure(f"random sentences through the gate, {name}", f"of {fates.total()}: {counts}"),
    ]


async def _can_plan(connection: GraphConnection, query: CypherQuery) -> bool:
    try:
        await connection.read_rows(f"EXPLAIN {query.text}", **query.params)
    except TrellisError:
        return False
    return True


async def _describe_run(queries: Queries, query: CypherQuery) -> str:
    """What becomes of a query that is run for its first rows."""
    try:
        await queries.run(query, QueryLimits(rows=_ROWS))
    except RefusedQueryError:
        return "refused as too costly"
    except GraphTimeoutError:
        return f"stopped after {_PATIENCE:.0f} s"
    except TrellisError:
        return "failed"
    return "ran"


async def measure_gold(
    connection: GraphConnection, files: Sequence[Path], vocabulary: Vocabulary
) -> list[Figure]:
    """Which gold queries the language can say, and in how many tokens."""
    known = IndexedSchema(await read_live_schema(connection))
    found = []
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            gold = [json.loads(line)["cypher"] for line in lines]
        spoken = [_spell_gold_query(known, cypher) for cypher in gold]
        tokens = mean(sum(len(vocabulary.encode(m)) for m in moves) for moves in spoken if moves)
        written = mean(len(vocabulary.encode(cypher)) for cypher in gold)
        share = sum(map(bool, spoken)) / len(gold)
        found.append(
            Figure(
                f"gold queries that can be said, {file.name.split('.')[0]}",
                f"{share:.2%} of {len(gold):,}, {tokens:.1f} tokens for {written:.1f} of Cypher",
            )
        )
    return found


def _spell_gold_query(known: IndexedSchema, cypher: str) -> tuple[str, ...]:
    """The moves of a gold query with its literals linked; none where it cannot be said."""
    try:
        language = CypherLanguage(known, number_values(find_linked_literals(known.schema, cypher)))
        moves = find_canonical_moves(language, cypher)
        follow_moves(language, moves)
    except CypherReadError:
        return ()
    return moves
