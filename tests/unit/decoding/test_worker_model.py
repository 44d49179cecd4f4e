"""A decoding worker as an engine: the local engine's answers, or an error that says why not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from chat_server import closed_url
from memory_app import MemoryGraph, load_path_model, served
from trellis.domain.errors import (
    DecoderError,
    DecoderTimeoutError,
    NotReadyError,
    TooLargeError,
    TrellisError,
    VocabularyMismatchError,
)
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search
from trellis.domain.replies.question import Question
from trellis.engines.local import LocalModel
from trellis.engines.workers.worker import WorkerModel
from trellis.pipelines.gcr import Gcr
from trellis.settings import Settings
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.wire.decoding import DecodedBody
from trellis.wiring.assemble import assemble_app
from unit.decoding.workers import PROMPT, TOKENIZER, asking, same_answers, walks
from worker_contract import WorkerContract
from worker_server import WorkerServer, worker_server


class TestASmallWorker(WorkerContract):
    """A real server over the local engine's core."""


async def test_samples_are_the_local_engines(model: WorkerModel, local: LocalModel) -> None:
    search = Search("sample", width=6, seed=3, temperature=2.0)
    there = await model.decode([PROMPT], [walks()], search)
    assert same_answers(there, await local.decode([PROMPT], [walks()], search))


async def test_a_language_is_sent_once_and_then_named(
    worker: WorkerServer, model: WorkerModel
) -> None:
    for _ in range(3):
        await model.decode([PROMPT], [walks()], Search(width=2))
    assert [body.language.data is None for body in worker.asked] == [False, True, True]
    figures = model.worker_figures()
    assert (figures.requests, figures.by_value, figures.by_reference) == (3, 1, 2)
    assert figures.bytes > 0
    assert model.site_figures().entries > 0


async def test_a_language_that_a_worker_forgot_is_sent_again(
    worker: WorkerServer, model: WorkerModel
) -> None:
    first = await model.decode([PROMPT], [walks()], Search(width=2))
    worker.languages.clear()
    assert same_answers(await model.decode([PROMPT], [walks()], Search(width=2)), first)
    assert [body.language.data is None for body in worker.asked] == [False, True, False]


@pytest.mark.parametrize(
    ("serves", "error"),
    [
        ({"vocabulary": "0" * 16}, VocabularyMismatchError),
        ({"tokenizer": "{}"}, DecoderError),
        ({"card": {}}, TrellisError),
    ],
)
async def test_a_worker_that_cannot_be_read_is_refused(
    worker: WorkerServer, serves: dict[str, Any], error: type[TrellisError]
) -> None:
    worker.serves = serves
    with pytest.raises(error):
        await WorkerModel.connect(worker.url)


def sentence(said: DecodedBody, **more: Any) -> dict[str, Any]:
    """The answer with its first sentence changed."""
    told = said.model_dump()
    told["sentences"][0] |= more
    return told


@pytest.mark.parametrize(
    "told",
    [
        lambda said: sentence(said, tokens=[]),
        lambda said: sentence(said, tokens=said.sentences[0].tokens[:-1]),
        lambda said: sentence(said, tokens=[*said.sentences[0].tokens, 3]),
        lambda said: sentence(said, tokens=[2**70]),
        lambda said: sentence(said, tokens=[-1]),
        lambda said: sentence(said, tokens=said.sentences[1].tokens),
        lambda said: sentence(said, score=1.0),
        lambda said: {**said.model_dump(), "sentences": said.model_dump()["sentences"] * 2},
        lambda _: {"sentences": "many"},
        lambda _: [],
    ],
    ids=["empty", "cut", "more", "huge", "negative", "twice", "score", "many", "types", "list"],
)
async def test_an_answer_outside_the_language_is_an_error_never_a_sentence(
    worker: WorkerServer, model: WorkerModel, told: Callable[[DecodedBody], Any]
) -> None:
    worker.told = told
    with pytest.raises(DecoderError):
        await model.decode([PROMPT], [walks()], Search(width=2))


async def test_the_texts_are_read_from_the_tokens(worker: WorkerServer, model: WorkerModel) -> None:
    worker.told = lambda said: sentence(said, text="ENT1 -> DROPPED")
    [found] = await model.decode([PROMPT], [walks()], Search(width=2))
    assert "DROPPED" not in found[0].text


@pytest.mark.slow
async def test_a_decode_ends_at_its_deadline_and_is_not_asked_again(
    pair: tuple[WorkerServer, WorkerServer],
) -> None:
    async with asking(*(one.url for one in pair), seconds=3.0) as model:
        for one in pair:
            one.go.clear()
        with pytest.raises(DecoderTimeoutError) as caught:
            await model.decode([PROMPT], [walks()], Search(width=2))
        assert caught.value.status == 504
        assert sum(len(one.asked) for one in pair) == 1
        home = next(one for one in pair if one.asked)
        assert home.asked[0].timeout is not None
        assert 0 < home.asked[0].timeout <= 3.0
        await home.until(lambda: not home.working)


async def test_who_leaves_ends_the_decode_at_the_worker(
    worker: WorkerServer, model: WorkerModel
) -> None:
    worker.go.clear()
    asked = asyncio.create_task(model.decode([PROMPT] * 2, [walks(), walks()], Search(width=2)))
    await worker.until(lambda: worker.working == 2)
    asked.cancel()
    await worker.until(lambda: worker.left == 2)
    with pytest.raises(asyncio.CancelledError):
        await asked


async def test_one_refusal_ends_the_decodes_beside_it(
    worker: WorkerServer, model: WorkerModel
) -> None:
    worker.go.clear()
    late = asyncio.create_task(
        model.decode([PROMPT, PROMPT], [walks(), walks(hops=1)], Search(width=2))
    )
    await worker.until(lambda: worker.working == 2)
    worker.told = lambda _: []
    worker.go.set()
    with pytest.raises(DecoderError):
        await late
    await worker.until(lambda: worker.working == 0)


async def test_a_worker_with_a_key_wants_it(local: LocalModel) -> None:
    async with worker_server(local, TOKENIZER, key="secret") as worker:
        async with asking(worker.url, key="secret") as model:
            [found] = await model.decode([PROMPT], [walks()], Search(width=2))
            assert len(found) == 2
        with pytest.raises(DecoderError, match="TRELLIS_WORKER_KEY") as caught:
            await WorkerModel.connect(worker.url, key="wrong")
        assert caught.value.status == 503


async def test_a_language_over_the_limit_is_not_sent(worker: WorkerServer) -> None:
    worker.serves = {"language_limit": 10}
    async with asking(worker.url) as model:
        with pytest.raises(TooLargeError, match="TRELLIS_EDGE_BUDGET"):
            await model.decode([PROMPT], [walks()], Search(width=2))
    assert worker.asked == []


@pytest.mark.parametrize("url", ["localhost:1", "", " , ", "http://[", "ftp://x"])
async def test_what_is_no_address_is_said_at_once(url: str) -> None:
    with pytest.raises(DecoderError, match="TRELLIS_WORKER_URL"):
        await WorkerModel.connect(url)


async def test_where_no_worker_is_that_is_the_error() -> None:
    url = closed_url().removesuffix("/v1")
    with pytest.raises(DecoderError, match="TRELLIS_WORKER_URL") as caught:
        await WorkerModel.connect(url)
    assert url in caught.value.problem
    assert caught.value.status == 503


def simple(card: ModelCard) -> ModelCard:
    """The card of a model whose walks come by no node twice, as those of a MemoryGraph."""
    settings = replace(card.settings(PathSettings), revisit="simple")
    return replace(card, tasks={"path": settings.as_json()})


async def test_a_question_is_answered_as_with_the_local_engine(
    worker: WorkerServer, local: LocalModel
) -> None:
    card = simple(local.card)
    worker.serves = {"card": asdict(card)}
    question = Question("What is the capital of France?")
    async with asking(worker.url) as model:
        there = await Gcr(MemoryGraph(), model, model.card.settings(PathSettings)).answer(question)
    here_model = LocalModel(local.weights, local.vocabulary, card)
    here = await Gcr(MemoryGraph(), here_model, card.settings(PathSettings)).answer(question)
    assert [(one.text, one.answer_count) for one in there.candidates] == [
        (one.text, one.answer_count) for one in here.candidates
    ]
    assert there.candidates
    assert [one.node for one in there.answers] == [one.node for one in here.answers]
    assert there.evidence == here.evidence


async def test_the_service_runs_on_a_worker_and_says_when_it_is_gone(
    worker: WorkerServer, tmp_path: Path
) -> None:
    worker.serves = {"card": asdict(simple(worker.model.card))}
    async with asking(worker.url) as model, served(tmp_path, MemoryGraph(), lambda: model) as ask:
        assert (await ask.get("/readyz")).status_code == 200
        asked = {"question": "What is the capital of France?"}
        assert (await ask.post("/v1/questions", json=asked)).status_code == 200
        shown = (await ask.get("/metrics")).text
        assert 'trellis_worker_languages_total{by="value"} 1.0' in shown
        assert 'trellis_workers{state="asked"} 1.0' in shown
        worker.draining = True
        gone = (await ask.get("/readyz")).json()
    assert [one["part"] for one in gone["missing"]] == ["model"]
    assert "drains" in gone["missing"][0]["problem"]


@pytest.mark.slow
async def test_a_worker_stands_in_for_the_local_model(worker: WorkerServer, tmp_path: Path) -> None:
    settings = Settings(
        worker_url=worker.url, store_url=f"sqlite+aiosqlite:///{tmp_path}/s.db", _env_file=None
    )
    async with assemble_app(settings) as opened:
        assert isinstance(await load_path_model(opened), WorkerModel)
        assert len(opened.worker_figures()) == 1
        worker.draining = True
        missing = {one.name: one.error for one in await opened.find_missing_parts()}
        assert isinstance(missing["model"], NotReadyError)
    async with assemble_app(
        settings, f"{tmp_path}/none"
    ) as opened:  # a folder that is named goes before
        with pytest.raises(TrellisError, match="none"):
            await load_path_model(opened)
    hosted = settings.model_copy(update={"decoder_url": closed_url(), "decoder_model": "big"})
    async with assemble_app(hosted) as opened:
        # a hosted model takes over only what no trained model does
        assert isinstance(await load_path_model(opened), WorkerModel)
        assert [each.name for each in opened.models.sources][-1].startswith("big")
