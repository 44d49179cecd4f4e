"""The mentions of training questions: as the linker will give them, held to the gold topics.

Training sees what answering will see: names that the linker found beside the topic, in the order
of the text. Where it misses a topic, the topic's own place in the text stands in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from trellis.domain.errors import UnknownTopicError
from trellis.domain.graphs.links import Mention
from trellis.domain.ports import Graph
from trellis.linking.text import name_key
from trellis.questions.row import GoldPath, QuestionRow
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.link.link import link_topics
from trellis.steps.link.mask_mentions import mask_mentions
from trellis.training.examples import MentionPath, PathExample

LinkText = Callable[[str], Awaitable[tuple[Mention, ...]]]
"""The linker, as answering uses it, its wording put in."""

_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Reading:
    """A question with mentions that cover its topics; `linked`: they are the linker's."""

    asked: QuestionRow
    mentions: tuple[Mention, ...]
    linked: bool


async def link_questions(
    questions: Sequence[QuestionRow], graph: Graph, link: LinkText
) -> list[list[Reading]]:
    """For each question its readings: the linker's, if it covers the topics, and the given one.

    A question whose topics are not in the graph, and that the linker finds nothing for, has none.
    """
    turn = asyncio.Semaphore(_AT_ONCE)

    async def read_in_turn(asked: QuestionRow) -> list[Reading]:
        async with turn:
            return await _read_question(asked, graph, link)

    return list(await asyncio.gather(*map(read_in_turn, questions)))


def make_path_example(
    reading: Reading, paths: Sequence[GoldPath], weight: float
) -> PathExample | None:
    """The example of a reading; None where a path starts from no mention, or two from one."""
    placed = place_paths(reading, paths)
    if len({path.mention for path in placed}) < len(paths):
        return None
    masked = mask_mentions(reading.asked.question, reading.mentions)
    return PathExample(masked, placed, weight)


def place_paths(reading: Reading, paths: Sequence[GoldPath]) -> tuple[MentionPath, ...]:
    """The paths from the mentions of a reading; none where one begins at no mention."""
    numbers = [find_mention(path.topic, reading.mentions) for path in paths]
    pairs = zip(numbers, paths, strict=True)
    placed = tuple(MentionPath(n, path.steps) for n, path in pairs if n is not None)
    return placed if len(placed) == len(paths) else ()


async def _read_question(asked: QuestionRow, graph: Graph, link: LinkText) -> list[Reading]:
    names = asked.names
    linked_reading = Reading(asked, await link(asked.question), linked=True)
    covers = bool(linked_reading.mentions) and all(
        find_mention(name, linked_reading.mentions) is not None for name in names
    )
    readings = [linked_reading] if covers else []
    if names:
        try:
            stated = Reading(asked, await link_topics(asked.question, names, graph), linked=False)
        except UnknownTopicError:
            return readings
        if not covers or _find_spans(stated) != _find_spans(linked_reading):
            readings.append(stated)
    return readings


def find_mention(topic: str, mentions: Sequence[Mention]) -> int | None:
    """The mention that has the topic among its anchors."""
    key = name_key(topic)
    for number, mention in enumerate(mentions):
        anchors = set(list_anchor_ids(mention))
        if any(
            name_key(link.node.name) == key for link in mention.links if link.node.id in anchors
        ):
            return number
    return None


def _find_spans(reading: Reading) -> list[tuple[int, int]]:
    return [(mention.start, mention.end) for mention in reading.mentions]
