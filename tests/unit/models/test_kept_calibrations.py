"""Calibrations of models that have no folder of ours: what is fitted for them is kept, and used."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from memory_app import MemoryGraph, opener
from trellis.app.calibrations import keep_calibration, read_calibration
from trellis.app.models import ModelSource
from trellis.app.once import LazyPart
from trellis.domain.models.card import Calibration, ModelCard
from trellis.settings import Settings
from trellis.store.answers import Store
from trellis.store.migration import migrate_store

FITTED = Calibration(temperature=2.5, weights={"bias": -3.0}, abstain_below=0.4, accuracy=0.6)
OWN = Calibration(temperature=1.25)


def source_of(card: ModelCard, folder: Path | None = None) -> ModelSource:
    async def give_card() -> ModelCard:
        return card

    return ModelSource("a model at host", LazyPart(give_card), LazyPart(give_card), folder)  # type: ignore[arg-type]


@pytest.fixture
async def url(tmp_path: Path) -> str:
    url = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    await migrate_store(url)
    return url


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    opened = Store.at(url, "default")
    yield opened
    await opened.close()


@pytest.mark.parametrize("folder", [None, Path("general")])
async def test_what_was_fitted_for_a_model_without_a_folder_is_found_again(
    store: Store, folder: Path | None
) -> None:
    card = ModelCard("llama", {}, "abc", {"gcr": OWN}, is_general=True)
    source = source_of(card, folder)
    assert await read_calibration(source, "gcr", store) == OWN
    await keep_calibration(source, "gcr", FITTED, store)
    assert await read_calibration(source, "gcr", store) == FITTED
    assert await read_calibration(source, "dog", store) == Calibration()
    another = source_of(replace(card, base="another model behind the same address"), folder)
    assert await read_calibration(another, "gcr", store) == OWN


async def test_a_trained_folder_has_its_own(store: Store, tmp_path: Path) -> None:
    source = source_of(ModelCard("mini", {}, calibrations={"gcr": OWN}), tmp_path)
    await keep_calibration(source, "gcr", FITTED, store)
    assert await read_calibration(source, "gcr", store) == OWN


async def test_a_store_that_fails_keeps_no_answer_back(tmp_path: Path) -> None:
    unmigrated = Store.at(f"sqlite+aiosqlite:///{tmp_path}/empty.db", "default")
    source = source_of(ModelCard("llama", {}, calibrations={"gcr": OWN}))
    assert await read_calibration(source, "gcr", unmigrated) == OWN
    await unmigrated.close()


async def test_answers_are_as_sure_as_what_is_kept_says(url: str) -> None:
    async with opener(MemoryGraph())(Settings(store_url=url, _env_file=None)) as trellis_app:
        question = trellis_app.make_question("What is the capital of France?")
        before = await trellis_app.answer(question, "gcr")
        source = await trellis_app.models.require_source(trellis_app.methods["gcr"].tasks[0].name)
        await keep_calibration(source, "gcr", FITTED, trellis_app.store)
        after = await trellis_app.answer(question, "gcr")
    assert before.answers
    assert (after.answers, after.abstained) == ((), True)
    assert after.confidence < FITTED.abstain_below < before.confidence
