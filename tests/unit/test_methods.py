"""Which method answers: the one that is asked for, if the model was trained for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_house import MemoryGraph, WordModel, opener
from trellis.domain.card import ModelCard
from trellis.domain.errors import UnknownMethodError, WrongTaskError
from trellis.methods.registry import Pipeline
from trellis.pipelines.gcr import Gcr
from trellis.pipelines.graphraft import GraphRaft
from trellis.settings import Settings


class QueryModel(WordModel):
    """A model of task cypher."""

    card = ModelCard(task="cypher", base="words")


async def pipeline(folder: Path, model: type[WordModel], method: str | None) -> Pipeline:
    settings = Settings(store_url=f"sqlite+aiosqlite:///{folder}/s.db", _env_file=None)
    async with opener(MemoryGraph(), model)(settings) as house:
        found: Pipeline = await house.pipeline(method)
        return found


async def test_the_method_follows_the_model_where_none_is_named(tmp_path: Path) -> None:
    assert isinstance(await pipeline(tmp_path, WordModel, None), Gcr)
    assert isinstance(await pipeline(tmp_path, QueryModel, None), GraphRaft)


async def test_a_model_of_another_task_says_what_to_train(tmp_path: Path) -> None:
    with pytest.raises(WrongTaskError, match=r"'path'.*'graphraft' needs 'cypher'.*--task cypher"):
        await pipeline(tmp_path, WordModel, "graphraft")
    with pytest.raises(WrongTaskError, match="--task path"):
        await pipeline(tmp_path, QueryModel, "gcr")
    with pytest.raises(UnknownMethodError, match="graphraft"):
        await pipeline(tmp_path, WordModel, "magic")
