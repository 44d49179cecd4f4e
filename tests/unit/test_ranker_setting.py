"""TRELLIS_RANKER: loaded when it is needed, refused where it is no ranking model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chat_server import closed_url
from judging_models import ToldJudge
from memory_house import MemoryGraph, WordModel, opener
from trellis.domain.card import ModelCard
from trellis.domain.errors import ModelMissingError, TrellisError, WrongTaskError
from trellis.domain.ports import LanguageModel
from trellis.house.house import House
from trellis.house.once import Once
from trellis.pipelines.graphraft import GraphRaft
from trellis.settings import BUNDLED_MODEL, Settings
from trellis.wiring import house


def settings(folder: Path, ranker: Path | None) -> Settings:
    port = closed_url().split(":")[2].split("/")[0]
    return Settings(
        neo4j_uri=f"bolt://127.0.0.1:{port}",
        store_url=f"sqlite+aiosqlite:///{folder}/s.db",
        ranker=ranker,
        _env_file=None,
    )


@pytest.mark.parametrize(
    ("ranker", "error", "said"),
    [
        (BUNDLED_MODEL, WrongTaskError, r"TRELLIS_RANKER.*'path'.*--task rank"),
        (Path("nowhere"), ModelMissingError, "nowhere"),
    ],
)
async def test_a_folder_that_is_no_ranking_model_is_refused(
    tmp_path: Path, ranker: Path, error: type[TrellisError], said: str
) -> None:
    async with house(settings(tmp_path, ranker)) as home:
        assert home.ranker
        with pytest.raises(error, match=said):
            await home.ranker.get()
        assert "ranker" in {one.part for one in await home.missing()}


async def test_without_the_setting_nothing_ranks(tmp_path: Path) -> None:
    async with house(settings(tmp_path, None)) as home:
        assert home.ranker is None
        assert "ranker" not in {one.part for one in await home.missing()}


class QueryModel(WordModel):
    """A model of task cypher."""

    card = ModelCard(task="cypher", base="words")


async def load() -> LanguageModel:
    return ToldJudge()


async def test_queries_are_ranked_by_it_and_paths_do_not_load_it(tmp_path: Path) -> None:
    for model, ranked in ((QueryModel, True), (WordModel, False)):
        async with opener(MemoryGraph(), model)(settings(tmp_path, None)) as opened:
            ranker = Once(load)
            home: House = replace(opened, ranker=ranker)
            pipeline = await home.pipeline()
            assert isinstance(pipeline, GraphRaft) == ranked
            assert (ranker.loaded is not None) == ranked
