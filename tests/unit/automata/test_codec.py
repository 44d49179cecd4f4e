"""A neighbourhood travels as bytes: the same comes out, or an error of ours, whatever went in."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import random_world

from damages import DAMAGES, body, numbers, repeated, sealed
from neighbourhoods import same
from trellis.automata.codec.neighbourhoods import decode_neighbourhood, encode_neighbourhood
from trellis.automata.paths.adjacency import build_adjacency
from trellis.domain.errors import CodecError
from trellis.domain.graphs.graph import BudgetCut, Neighbourhood

SEEDS = st.integers(0, 2**32)
MAGIC = b"TRN\x01"


def some(seed: int) -> Neighbourhood:
    """A random neighbourhood, one in two without names, one in two cut."""
    random, found = Random(seed), random_world(seed).neighbourhood()
    if random.random() < 0.5:
        found = replace(found, names=())
    if random.random() < 0.5:
        kept = random.choice((0, 3, 2**40))
        cuts = (
            BudgetCut(found.nodes[0], "r", True, kept, kept + 1),
            BudgetCut("x", "✓", False, 1, 70_000),
        )
        found = replace(found, cut=True, cuts=cuts)
    return found


@given(SEEDS)
def test_what_is_decoded_is_what_was_encoded(seed: int) -> None:
    assert same(decode_neighbourhood(encode_neighbourhood(some(seed))), some(seed))


def test_no_node_and_no_entry_come_back_too() -> None:
    nothing = build_adjacency([], [], [])
    assert same(decode_neighbourhood(encode_neighbourhood(nothing)), nothing)
    lonely = build_adjacency(["4:x:1"], [""], [])
    assert same(decode_neighbourhood(encode_neighbourhood(lonely)), lonely)


def test_a_decoded_array_cannot_be_changed() -> None:
    found = decode_neighbourhood(encode_neighbourhood(some(1)))
    for array in (found.targets, found.offsets, found.directions, found.levels):
        with pytest.raises(ValueError, match="read-only"):
            array[:1] = 0


@pytest.mark.slow
@settings(max_examples=1_000)
@given(SEEDS)
def test_damaged_bytes_are_told_or_harmless(seed: int) -> None:
    random, whole = Random(seed), some(seed)
    other = encode_neighbourhood(some(seed + 1))
    for damage in DAMAGES:
        damaged = damage(random, encode_neighbourhood(whole), other)
        try:
            found = decode_neighbourhood(damaged)
        except CodecError:
            continue
        assert same(found, whole) or damaged == other


@pytest.mark.slow
@settings(max_examples=1_000)
@given(SEEDS)
def test_false_bytes_under_a_true_seal_give_an_error_or_a_sound_neighbourhood(seed: int) -> None:
    random, other = Random(seed), body(encode_neighbourhood(some(seed + 1)))
    for damage in DAMAGES:
        try:
            found = decode_neighbourhood(
                sealed(MAGIC, damage(random, body(encode_neighbourhood(some(seed))), other))
            )
        except CodecError:
            continue
        assert is_sound(found)


def is_sound(found: Neighbourhood) -> bool:
    """Whether every index points to something, and every node has its row."""
    n, m = len(found.nodes), found.edges
    return (
        len(found.levels) == n == len(found.offsets) - 1
        and len(found.names) in (0, n)
        and (found.offsets[0], found.offsets[-1]) == (0, m)
        and bool((np.diff(found.offsets) >= 0).all())
        and len(found.types) == m == len(found.directions)
        and found.targets.max(initial=-1) < n
        and found.anchors.max(initial=-1) < n
        and found.types.max(initial=-1) < len(found.relation_types)
        and found.levels.max(initial=0) <= found.hops
        and min(x.min(initial=0) for x in (found.targets, found.anchors, found.types)) == 0
    )


ROOM = 2**20
NOTHING = repeated(0, 0)


@pytest.mark.parametrize(
    "hostile",
    [
        sealed(MAGIC, b"", 2**63),
        sealed(MAGIC, bytes(64 * 2**20)),
        sealed(MAGIC, bytes(64 * 2**20), 100),
        sealed(MAGIC, numbers(1, 2**32 - 1)),
        sealed(MAGIC, numbers(8, 2**32 - 1)),
        sealed(MAGIC, repeated(100_000, 100_000)),
        sealed(MAGIC, repeated(0, 900_000)),
        sealed(
            MAGIC,
            repeated(0, 0) * 3 + numbers(1, 2, b"\1\0") + numbers(1, 0) * 3 + numbers(1, 2**31),
        ),
    ],
    ids=["size", "bomb", "false size", "count", "wide count", "prefix", "texts", "types"],
)
def test_bytes_that_ask_for_much_get_nothing(hostile: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(CodecError):
            decode_neighbourhood(hostile, ROOM)
        assert tracemalloc.get_traced_memory()[1] < 4 * ROOM
    finally:
        tracemalloc.stop()


def test_what_is_no_neighbourhood_is_not_encoded() -> None:
    found = some(1)
    with pytest.raises(CodecError, match="negative"):
        encode_neighbourhood(replace(found, levels=found.levels - 1))
    with pytest.raises(CodecError, match="not Unicode"):
        encode_neighbourhood(replace(found, relation_types=("\ud800",) * 4))


def test_a_hundred_thousand_edges_take_less_than_two_megabytes() -> None:
    random = Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz "
    names = ["".join(random.choices(letters, k=random.randint(4, 30))) for _ in range(50_000)]
    ids = [f"4:5cf7328a-f76d-46fe-9ca1-d86fe5800735:{i * 7}" for i in range(50_000)]
    triples = [(i % 50_000, f"r{i % 300}", random.randrange(50_000)) for i in range(100_000)]
    assert len(encode_neighbourhood(build_adjacency(ids, names, triples))) < 2_000_000
