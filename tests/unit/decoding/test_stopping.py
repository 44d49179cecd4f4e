"""Decoding ends when nobody waits for it, also where a thread does it."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from memory_app import MemoryGraph
from trellis.domain.models.decoding import Search
from trellis.engines.local import LocalModel
from trellis.settings import BUNDLED_MODEL
from trellis.steps.link.link import link_mentions
from trellis.steps.retrieve.paths.path_prompt import build_path_prompt
from trellis.steps.retrieve.paths.retrieve_trie import retrieve_trie
from trellis.steps.retrieve.paths.settings import PathSettings

QUESTION = "What is the capital of France?"


async def test_a_question_that_is_cancelled_reads_nothing_more(tmp_path: Path) -> None:
    model = LocalModel.load(BUNDLED_MODEL, "cpu", tmp_path)
    graph = MemoryGraph()
    mentions = await link_mentions(QUESTION, graph, None)
    trie = await retrieve_trie(graph, mentions, model.card.settings(PathSettings), 1_000)
    reads: list[object] = []
    embedding = model.weights.get_input_embeddings()  # every read passes through it
    embedding.register_forward_pre_hook(lambda *seen: reads.append(seen))

    async def ask() -> str:
        [sentences] = await model.decode([build_path_prompt(QUESTION, mentions)], [trie], Search())
        return sentences[0].text

    whole = await ask()
    needed = len(reads)
    assert needed > 1
    reads.clear()
    loop, reading, cancelled = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def hold(*_: object) -> None:
        loop.call_soon_threadsafe(reading.set)
        cancelled.wait(20)

    embedding.register_forward_pre_hook(hold)
    asking = asyncio.create_task(ask())
    await reading.wait()
    asking.cancel()
    await asyncio.wait([asking])
    cancelled.set()
    assert await ask() == whole
    assert len(reads) == 1 + needed
