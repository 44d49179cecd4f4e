"""A language travels as bytes: the same is said there, or an error of ours, whatever went in."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damages import body, numbers, sealed
from hostile_languages import MAGIC, attempt, some_cypher, some_language, some_walks
from trellis.automata.codec import decode_language, encode_language, language_hash
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.words.bound_values import number_values
from trellis.automata.paths.adjacency import build_adjacency
from trellis.automata.paths.walks import Start, Walks
from trellis.automata.tokens.characters import Characters
from trellis.domain.errors import CodecError
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, Schema

SEEDS = st.integers(0, 2**32)


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.usefixtures("traced")
@settings(max_examples=2_000)
@given(seed=SEEDS)
def test_hostile_bytes_are_refused_or_a_sound_language(seed: int) -> None:
    assert attempt(seed)


@given(SEEDS)
def test_a_language_is_called_alike_wherever_it_is_encoded(seed: int) -> None:
    data = encode_language(some_language(seed))
    assert data == encode_language(some_language(seed))
    assert encode_language(decode_language(data)) == data
    assert len(language_hash(data)) == 32
    assert language_hash(data) != language_hash(data + b"\0")


def test_only_what_is_said_travels() -> None:
    said, unsaid = ("Jane", "Rome"), ("secret-1", "secret-2")
    hood = build_adjacency(unsaid, said, [(0, "LIVES_IN", 1)])
    for rendering, travels in (("relations", b"ENT1"), ("full", b"Rome")):
        walks = Walks(hood, [Start(" ENT1", (0,))], hops=1, rendering=rendering)  # type: ignore[arg-type]
        sent = body(encode_language(walks))
        assert travels in sent
        assert b"secret" not in sent
    relations = body(encode_language(Walks(hood, [Start(" ENT1", (0,))], hops=1)))
    assert b"Jane" not in relations


def test_what_the_sentences_do_not_hang_on_does_not_change_the_hash() -> None:
    walks = some_walks(3)
    more = replace(walks.neighbourhood, nodes=tuple(f"4:{id}" for id in walks.neighbourhood.nodes))
    same = Walks(
        more,
        walks.starts,
        hops=walks.hops,
        revisit=walks.revisit,
        rendering=walks.rendering,
        meets=walks.meets,
    )
    assert encode_language(same) == encode_language(walks)


def test_what_does_not_travel_is_said_at_once() -> None:
    with pytest.raises(CodecError, match="Characters does not travel"):
        encode_language(Characters())  # type: ignore[arg-type]
    with pytest.raises(CodecError, match="8 hops"):
        encode_language(Walks(build_adjacency([], [], []), [], hops=9))


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(CodecError, match="unknown kind, 'poems'"):
        decode_language(sealed(MAGIC, numbers(1, 5, b"poems")))


def test_a_hundred_thousand_edges_travel_in_less_than_two_megabytes() -> None:
    random = Random(1)
    names = [f"name {random.random()}" for _ in range(50_000)]
    triples = [(i % 50_000, f"r{i % 300}", random.randrange(50_000)) for i in range(100_000)]
    hood = build_adjacency(names, names, triples)
    for rendering in ("relations", "full"):
        walks = Walks(hood, [Start(" ENT1", (0,))], hops=3, rendering=rendering)  # type: ignore[arg-type]
        assert len(encode_language(walks)) < 2_000_000


@pytest.mark.slow
@given(SEEDS, SEEDS)
def test_cypher_that_travelled_says_what_it_said(seed: int, way: int) -> None:
    sent, random = some_cypher(seed), Random(way)
    come: CypherLanguage = decode_language(encode_language(sent))  # type: ignore[assignment]
    here, there = sent.start(), come.start()
    for _ in range(30):
        assert come.moves(there).texts == sent.moves(here).texts
        assert come.site(there) == sent.site(here)
        assert come.accepting(there) == sent.accepting(here)
        assert come.text(there) == sent.text(here)
        count = len(sent.moves(here))
        if not count:
            break
        move = random.randrange(count)
        here, there = sent.follow(here, move), come.follow(there, move)  # type: ignore[assignment]


def test_no_value_travels_with_its_query() -> None:
    value = StoredValue("Person", "name", "secret-3")
    schema = Schema(
        (LabelKind("Person", 1, "name", (PropertyKind("name", "STRING"),)),), (), 1, 0, ""
    )
    sent = body(encode_language(CypherLanguage(schema, number_values([value]))))
    assert b"Person" in sent
    assert b"secret" not in sent
