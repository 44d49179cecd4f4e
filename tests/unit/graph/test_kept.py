"""What is read of a graph is kept for as long as the graph is as it was."""

from __future__ import annotations

import asyncio

import pytest

from trellis.graph.database.connection import GraphVersion
from trellis.graph.kept import VersionedCache

Kept = VersionedCache[int]


class Place:
    """A graph and a clock that only move when they are told to."""

    def __init__(self) -> None:
        self.now, self.commits, self.reads, self.asked = 0.0, 0, 0, 0
        self.cost = 0.0
        self.knows = True

    async def version(self) -> GraphVersion | None:
        self.asked += 1
        return GraphVersion("store", (f"bookmark {self.commits}",)) if self.knows else None

    async def read(self) -> int:
        self.reads += 1
        self.now += self.cost
        return self.commits


@pytest.fixture
def place() -> Place:
    return Place()


@pytest.fixture
def kept(place: Place) -> Kept:
    return VersionedCache(place.version, place.read, lambda: place.now)


async def test_it_is_read_once_while_nothing_changes(place: Place, kept: Kept) -> None:
    assert await asyncio.gather(*(kept.get() for _ in range(5))) == [0] * 5
    place.now += 10
    assert await kept.get() == 0
    assert place.reads == 1


async def test_it_is_read_again_after_a_change_within_a_second(place: Place, kept: Kept) -> None:
    await kept.get()
    place.commits += 1
    asked = place.asked
    assert await kept.get() == 0
    assert place.asked == asked
    place.now += 1
    assert await kept.get() == 1


async def test_steady_writes_cost_a_tenth_of_the_time(place: Place, kept: Kept) -> None:
    place.cost = 3.0
    for _ in range(1_000):
        place.commits += 1
        await kept.get()
        place.now += 1
    assert place.reads * place.cost <= place.now / 10


async def test_without_a_version_it_is_read_again(place: Place, kept: Kept) -> None:
    place.knows = False
    await kept.get()
    place.now += 5
    await kept.get()
    assert place.reads == 2
