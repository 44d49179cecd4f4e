"""The speed of the worker beside the local engine, and the cost of its masks."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Sequence
from math import inf
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx

from bench.figure import Figure
from bench.language.decoding import make_questions
from bench.made.graphs import read_folder
from trellis.automata.codec import encode_language
from trellis.automata.paths.walks import Walks
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.domain.ports import LanguageModel
from trellis.engines.workers.worker import WorkerModel

_ASKED = 96
_CLIENTS = (1, 8, 32)
_BATCH = 64
_CLOSE = 1e-3

Question = tuple[Prompt, Walks]
Answers = list[Sequence[Sentence]]


async def measure_worker(url: str, local: LanguageModel, atlas: Path) -> list[Figure]:
    """Questions a second and latencies of both engines, their agreement, and the cost of masks.

    The worker at `url` serves the same model as `local`.
    """
    asked = list(make_questions(read_folder(atlas), _ASKED))
    local_figure, wanted = await _measure_engine("local engine", local, asked, 1)
    rows = [local_figure]
    worker = await WorkerModel.connect(url, seconds=120)
    try:
        await _ask_all(worker, asked, 8)  # languages are sent, caches filled
        for clients in _CLIENTS:
            worker_figure, answers = await _measure_engine("worker", worker, asked, clients)
            rows.append(worker_figure)
        rows.append(_measure_agreement(wanted, answers))
    finally:
        await worker.close()
    async with httpx.AsyncClient(base_url=url, timeout=120) as client:
        return [*rows, *await _measure_mask_cost(client, asked[:_BATCH])]


async def _measure_engine(
    name: str, model: LanguageModel, asked: Sequence[Question], clients: int
) -> tuple[Figure, Answers]:
    began = time.perf_counter()
    answers, seconds = await _ask_all(model, asked, clients)
    rate = len(asked) / (time.perf_counter() - began)
    middle, late = median(seconds), quantiles(seconds, n=20)[-1]
    speeds = f"{rate:.1f} questions a second, p50 {1000 * middle:.0f} ms, p95 {1000 * late:.0f} ms"
    return Figure(f"{name}, {clients} at once, 10 beams", speeds), answers


async def _ask_all(
    model: LanguageModel, asked: Sequence[Question], clients: int
) -> tuple[Answers, list[float]]:
    """The answers to all questions, and the seconds of each."""
    turns = asyncio.Semaphore(clients)

    async def ask_question(question: Question) -> tuple[Sequence[Sentence], float]:
        async with turns:
            began = time.perf_counter()
            [sentences] = await model.decode([question[0]], [question[1]], Search())
            return sentences, time.perf_counter() - began

    done = await asyncio.gather(*map(ask_question, asked))
    return [sentences for sentences, _ in done], [seconds for _, seconds in done]


def _measure_agreement(wanted: Answers, found: Answers) -> Figure:
    """How many questions have equal sets of sentences, and equal order except for close scores."""
    pairs = list(zip(wanted, found, strict=True))
    sets = sum({s.tokens for s in here} == {s.tokens for s in there} for here, there in pairs)
    scores = [{s.tokens: s.score for s in here} for here, _ in pairs]
    order = sum(_is_ordered(known, there) for known, (_, there) in zip(scores, pairs, strict=True))
    return Figure(
        "candidates as the local engine's",
        f"{sets} of {len(pairs)} equal sets, {order} in equal order",
        "all",
    )


def _is_ordered(known: dict[Any, float], sentences: Sequence[Sentence]) -> bool:
    """Whether sentences are in the order of their known scores; close scores may swap."""
    least = inf
    for sentence in sentences:
        score = known.get(sentence.tokens, sentence.score)
        if score > least + _CLOSE:
            return False
        least = min(least, score)
    return True


async def _measure_mask_cost(client: httpx.AsyncClient, asked: Sequence[Question]) -> list[Figure]:
    """Tokens a second of a batch under constraints, and of a free batch of the same lengths."""
    model = (await client.get("/v1/models")).json()["data"][0]["id"]

    async def complete_prompt(question: Question, tokens: int, constrained: bool) -> int:
        prompt, language = question
        body: dict[str, Any] = {"model": model, "prompt": prompt.render(), "max_tokens": tokens}
        body |= {"temperature": 0, "ignore_eos": not constrained}
        if constrained:
            data = base64.b64encode(encode_language(language)).decode()
            body["vllm_xargs"] = {"trellis_language": data, "trellis_budget": tokens - 1}
        answer = await client.post("/v1/completions", json=body)
        return int(answer.json()["usage"]["completion_tokens"])

    async def complete_batch(lengths: Sequence[int], constrained: bool) -> tuple[list[int], float]:
        began = time.perf_counter()
        pairs = zip(asked, lengths, strict=True)
        counts = await asyncio.gather(
            *(complete_prompt(question, n, constrained) for question, n in pairs)
        )
        return list(counts), time.perf_counter() - began

    most = [64] * len(asked)
    lengths, _ = await complete_batch(most, constrained=True)
    led, free = inf, inf
    for _ in range(3):
        led = min(led, (await complete_batch(most, constrained=True))[1])
        free = min(free, (await complete_batch(lengths, constrained=False))[1])
    total = sum(lengths)
    return [
        Figure(
            f"greedy, {len(asked)} at once, {total} tokens",
            f"led {total / led:,.0f} tokens a second, free {total / free:,.0f}",
            "goal: 3 % slower, on a GPU",
            f"{free / led:.2f}",
        )
    ]
