"""What the language of Cypher costs and covers: masks, plans, gold queries."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from trellis.automata.automaton import TokenAutomaton
from trellis.automata.cypher.canonical import said
from trellis.automata.cypher.grounding import Grounding
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.lexicon import KnownSchema, numbered
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.reading import canonical_moves, linked_literals
from trellis.automata.cypher.state import MoveKind, State
from trellis.automata.vocabulary import Vocabulary
from trellis.domain.cypher import CypherQuery, Most
from trellis.domain.errors import (
    CypherReadError,
    GraphTimeoutError,
    RefusedQueryError,
    TrellisError,
)
from trellis.domain.graph import Step
from trellis.domain.identifiers import quoted
from trellis.domain.links import StoredValue
from trellis.domain.ports import Queries
from trellis.domain.reachable import Reachable, ReachablePath
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.evaluation.benchmark.figure import Figure, shown, timed
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.schema.live import live_schema

_BEAMS = 5
_ANCHORED = (" list", " label0", " name", " v0")
"""The moves behind which all that follows is grounded in what the first value's node reaches."""

_REFERENCE = {100: 0.0023, 1_000: 0.016, 10_000: 0.196, 100_000: 1.894}
"""Seconds of one mask by comparing with all reachable queries, for so many of them."""

_RUN_EACH, _PATIENCE, _ROWS = 20, 3.0, 100
"""Of random sentences one in twenty is run, for so many seconds and rows at most."""

_ENDINGS: frozenset[MoveKind] = frozenset(("form", "order", "limit"))
"""Kinds of moves behind which a pattern grows no more, or an order is said."""


def figures(vocabulary: Vocabulary) -> Iterator[Figure]:
    """Masks over wide schemas and over many reachable queries; no database."""
    values = [StoredValue(f"Label{i}", "property 1", f"value {i}") for i in range(5)]
    known, seconds = timed(KnownSchema, wide_schema(1_000, 5_000))
    yield Figure("schema known, 1,000 labels, 5,000 types", shown([seconds]))
    wide = partial(CypherLanguage, known, numbered(values))
    yield from _mask_figures("1,000 labels, 5,000 types", wide, vocabulary, ())
    for count, reference in _REFERENCE.items():
        name = f"grounded, {count:,} reachable queries"
        yield from _mask_figures(name, _grounded(count), vocabulary, _ANCHORED, reference)


def _mask_figures(
    name: str,
    build: Callable[[], CypherLanguage],
    vocabulary: Vocabulary,
    begin: Sequence[str],
    reference: float = 0,
) -> Iterator[Figure]:
    """Seconds of the masks of all beams at one step: mean and worst, never seen and known.

    All sentences begin with the moves `begin`.
    """
    language, seconds = timed(build)
    yield Figure(f"language ready, {name}", shown([seconds]))
    automaton: Any = TokenAutomaton(language, vocabulary)
    paths = [_tokens(language, vocabulary, Random(seed), begin) for seed in range(10 * _BEAMS)]
    for kind in ("cold", "warm"):
        steps = [_steps(automaton, paths[i : i + _BEAMS]) for i in range(0, len(paths), _BEAMS)]
        of = [seconds for each in steps for seconds in each]
        ratio = f"{reference / mean(of):,.0f}" if reference else ""
        beside = shown([reference]) if reference else ""
        yield Figure(
            f"masks of {_BEAMS} beams at a step, {name}, {kind}",
            shown([mean(of), max(of)]),
            beside,
            ratio,
        )


def _tokens(
    language: CypherLanguage, vocabulary: Vocabulary, random: Random, begin: Sequence[str]
) -> list[int]:
    moves, _ = random_sentence(language, random, begin)
    return [token for move in moves for token in vocabulary.encode(move)]


def _steps(automaton: Any, beams: Sequence[Sequence[int]]) -> Iterator[float]:
    """For each step of sentences that are written side by side, the seconds until all have masks:
    a token is taken, and the next one masked; until the first of them ends."""
    states = [automaton.start() for _ in beams]
    for tokens in zip(*beams, strict=False):
        states, seconds = timed(_stepped, automaton, states, tokens)
        yield seconds


def _stepped(automaton: Any, states: Sequence[Any], tokens: Sequence[int]) -> list[Any]:
    following = [automaton.advance(state, t) for state, t in zip(states, tokens, strict=True)]
    for state in following:
        automaton.allow(state)
    return following


def wide_schema(labels: int, types: int) -> Schema:
    """Labels with five properties each; each type between a few of them, and all at the first."""
    random = Random(1)
    properties = tuple(PropertyKind(f"property {i}", "STRING") for i in range(5))
    kinds = tuple(LabelKind(f"Label{i}", 10, None, properties) for i in range(labels))
    names = [kind.label for kind in kinds]
    edges = {
        (f"TYPE_{i}", start, random.choice(names))
        for i in range(types)
        for start in (names[0], *random.sample(names, 2))
    }
    relationships = tuple(RelationshipKind(*edge, 5) for edge in sorted(edges))
    return Schema(kinds, relationships, 10 * labels, 5 * len(edges), "wide")


def _grounded(count: int) -> Callable[[], CypherLanguage]:
    """`count` paths of up to three steps, reachable from the node of one value."""
    width = max(2, round(count ** (1 / 3)))
    paths = [
        (*before, Step(f"TYPE_{i}", i % 2 == 1))
        for before in _products(width, 2)
        for i in range(width)
    ][:count]
    reached = tuple(ReachablePath(path, (f"Label{len(path)}",), 2, 2) for path in paths)
    labels = tuple(
        LabelKind(f"Label{i}", 9, "name", (PropertyKind("name", "STRING"),)) for i in range(4)
    )
    joined = {
        (step.relation, *(ends[::-1] if step.reversed else ends))
        for path in paths
        for ends, step in zip(pairwise(f"Label{i}" for i in range(4)), path, strict=False)
    }
    kinds = tuple(RelationshipKind(*each, 3) for each in sorted(joined))
    values = numbered([StoredValue("Label0", "name", "a"), StoredValue("Label3", "name", "b")])
    schema = Schema(labels, kinds, 99, 99, "grounded")
    grounding = Grounding(0, Reachable(reached), 3)
    return partial(CypherLanguage, schema, values, RenderingOptions(), [grounding])


def _products(width: int, steps: int) -> Iterator[tuple[Step, ...]]:
    """All paths of up to some steps, shorter ones first."""
    level: list[tuple[Step, ...]] = [()]
    for _ in range(steps + 1):
        yield from level
        level = [(*path, Step(f"TYPE_{i}", i % 2 == 1)) for path in level for i in range(width)]


def random_sentence(
    language: CypherLanguage, random: Random, begin: Sequence[str] = ()
) -> tuple[tuple[str, ...], State]:
    """One sentence, as its moves and the state behind it: most have more than one node.

    Its first moves are those of `begin`, which is a sentence itself if it is not empty.
    """
    moves = tuple(begin)
    state = said(language, moves) if moves else language.start()
    while True:
        texts = language.moves(state).texts
        if not texts or (language.accepting(state) and random.random() < 0.1):
            return moves, state
        move = _leaning(language, state, random)
        moves, state = (*moves, texts[move]), _after(language, state, move)


def _leaning(language: CypherLanguage, state: State, random: Random) -> int:
    """A move; mostly none that says more of what is returned, where there is another."""
    choices = language.choices(state)
    move = random.randrange(len(choices))
    for _ in range(6 if state.query.nodes else 0):
        if choices[move].kind not in _ENDINGS:
            break
        move = random.randrange(len(choices))
    return move


def _after(language: CypherLanguage, state: State, move: int) -> State:
    after = language.follow(state, move)
    assert after is not None, "nothing is excluded"
    return after


async def some_values(
    connection: GraphConnection, schema: Schema, random: Random, count: int = 8
) -> tuple[StoredValue, ...]:
    """Values that stand in the graph, of properties at random."""
    known = [(kind.label, each) for kind in schema.labels for each in kind.properties]
    found = []
    for label, kind in random.sample(known, min(count, len(known))):
        of = f"n.{quoted(kind.name)}"
        rows = await connection.read(
            f"MATCH (n:{quoted(label)}) WHERE {of} IS NOT NULL RETURN toString({of}) AS text, "
            f"CASE WHEN valueType({of}) STARTS WITH 'STRING' OR valueType({of}) STARTS WITH 'INT' "
            f"OR valueType({of}) STARTS WITH 'FLOAT' THEN {of} END AS value LIMIT 1"
        )
        for row in rows:
            value = row["text"] if row["value"] is None else row["value"]
            found.append(StoredValue(label, kind.name, value, kind.type))
    return tuple(found)


async def plan_figures(connection: GraphConnection, name: str, count: int) -> list[Figure]:
    """`count` random sentences: how many plan, and what becomes of some of them that are run as
    answers are, through the gate."""
    schema = await live_schema(connection)
    values = numbered(await some_values(connection, schema, Random(3)))
    queries = Neo4jQueries(connection, Limits(seconds=_PATIENCE))
    planned, fates = Counter[bool](), Counter[str]()
    language = CypherLanguage(schema, values)
    for seed in range(count):
        _, state = random_sentence(language, Random(seed))
        for query in language.values(state):
            planned[await _plans(connection, query)] += 1
            if seed % _RUN_EACH == 0:
                fates[await _fate(queries, query)] += 1
    told = ", ".join(f"{number} {fate}" for fate, number in sorted(fates.items()))
    return [
        Figure(
            f"random sentences planned, {name}",
            f"{planned[False]} of {planned.total():,} do not plan",
        ),
        Figure(f"random sentences through the gate, {name}", f"of {fates.total()}: {told}"),
    ]


async def _plans(connection: GraphConnection, query: CypherQuery) -> bool:
    try:
        await connection.read(f"EXPLAIN {query.text}", **query.params)
    except TrellisError:
        return False
    return True


async def _fate(queries: Queries, query: CypherQuery) -> str:
    """What becomes of a query that is run for its first rows."""
    try:
        await queries.run(query, Most(rows=_ROWS))
    except RefusedQueryError:
        return "refused as too costly"
    except GraphTimeoutError:
        return f"stopped after {_PATIENCE:.0f} s"
    except TrellisError:
        return "failed"
    return "ran"


async def gold_figures(
    connection: GraphConnection, files: Sequence[Path], vocabulary: Vocabulary
) -> list[Figure]:
    """Which gold queries the language can say, and in how many tokens."""
    known = KnownSchema(await live_schema(connection))
    found = []
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            gold = [json.loads(line)["cypher"] for line in lines]
        spoken = [_spoken(known, cypher) for cypher in gold]
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


def _spoken(known: KnownSchema, cypher: str) -> tuple[str, ...]:
    """The moves of a gold query with its literals linked; none where it cannot be said."""
    try:
        language = CypherLanguage(known, numbered(linked_literals(known.schema, cypher)))
        moves = canonical_moves(language, cypher)
        said(language, moves)
    except CypherReadError:
        return ()
    return moves
