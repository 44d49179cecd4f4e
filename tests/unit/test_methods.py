"""Which method answers: the one that is asked for, if models do its tasks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from judging_models import ToldJudge
from memory_app import MemoryGraph, WordModel, opener, served
from trellis.domain.errors import ModelMissingError, UnknownMethodError, WrongTaskError
from trellis.domain.models.card import ModelCard
from trellis.domain.ports import LanguageModel
from trellis.methods import METHODS
from trellis.methods.registry import Pipeline
from trellis.pipelines.auto import Auto
from trellis.pipelines.dog import Dog
from trellis.pipelines.gcr import Gcr
from trellis.pipelines.graphraft import GraphRaft
from trellis.settings import Settings
from trellis.steps.retrieve.chains.settings import ChainSettings
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.queries.settings import CypherSettings


class QueryModel(WordModel):
    """A model of task cypher."""

    card = ModelCard.of("words", CypherSettings())


class RetellingModel(WordModel):
    """A model that says chains by the moves of its paths."""

    card = replace(
        ModelCard.of("words", PathSettings(), ChainSettings()), told_as={"chain": "path"}
    )


class ChainTeller(RetellingModel):
    """The same model, asked for chains alone."""

    card = replace(RetellingModel.card, tasks={"chain": ChainSettings().as_json()})


def settings(folder: Path) -> Settings:
    return Settings(store_url=f"sqlite+aiosqlite:///{folder}/s.db", _env_file=None)


async def pipeline(
    folder: Path, method: str | None, *models: type[WordModel | ToldJudge]
) -> Pipeline:
    async with opener(MemoryGraph(), *models)(settings(folder)) as trellis_app:
        found: Pipeline = await trellis_app.pipelines.build(method)
        return found


async def list_methods_of_auto(
    folder: Path, method: str | None, *models: type[WordModel | ToldJudge]
) -> list[str]:
    auto = await pipeline(folder, method, *models)
    assert isinstance(auto, Auto)
    return [each.name for each in auto.traits]


async def test_the_method_follows_the_models_where_none_is_named(tmp_path: Path) -> None:
    for name in (None, "auto"):
        assert await list_methods_of_auto(tmp_path, name, WordModel) == ["gcr"]
        assert await list_methods_of_auto(tmp_path, name, QueryModel) == ["graphraft"]
        both = await list_methods_of_auto(tmp_path, name, WordModel, QueryModel)
        assert both == ["graphraft", "gcr"]
    assert isinstance(await pipeline(tmp_path, "gcr", WordModel), Gcr)
    assert isinstance(await pipeline(tmp_path, "graphraft", WordModel, QueryModel), GraphRaft)


async def test_who_says_the_same_in_other_words_is_not_asked_beside(tmp_path: Path) -> None:
    assert await list_methods_of_auto(tmp_path, None, RetellingModel) == ["gcr"]
    both = await list_methods_of_auto(tmp_path, None, WordModel, RetellingModel)
    assert both == ["gcr"]  # paths by another model, which was trained for them
    told = await list_methods_of_auto(tmp_path, None, QueryModel, ChainTeller)
    assert told == ["graphraft", "dog"]  # nobody says paths
    assert isinstance(await pipeline(tmp_path, "dog", RetellingModel), Dog)


async def test_models_of_other_tasks_say_what_to_train(tmp_path: Path) -> None:
    wanted = r"'cypher': WordModel does 'path', ToldJudge does 'rank'.*--task cypher.*TRELLIS_MODEL"
    with pytest.raises(WrongTaskError, match=wanted):
        await pipeline(tmp_path, "graphraft", WordModel, ToldJudge)
    with pytest.raises(WrongTaskError, match=r"'path': QueryModel does 'cypher'.*--task path"):
        await pipeline(tmp_path, "gcr", QueryModel)
    with pytest.raises(UnknownMethodError, match="graphraft"):
        await pipeline(tmp_path, "magic", WordModel)


async def test_where_no_method_has_its_models_the_first_says_what_is_missing(
    tmp_path: Path,
) -> None:
    with pytest.raises(WrongTaskError, match="--task cypher"):
        await pipeline(tmp_path, None, ToldJudge)


def gone() -> LanguageModel:
    raise ModelMissingError("no model folder at gone", "train one")


@pytest.mark.parametrize("models", [(QueryModel, ToldJudge), (ToldJudge, QueryModel)])
async def test_the_app_says_of_each_method_whether_it_can_answer(
    tmp_path: Path, models: tuple[type[QueryModel | ToldJudge], ...]
) -> None:
    async with opener(MemoryGraph(), *models)(settings(tmp_path)) as trellis_app:
        states = await trellis_app.pipelines.describe_methods()
        raft = await trellis_app.pipelines.build("graphraft")
    assert isinstance(raft, GraphRaft)
    assert (type(raft.model), type(raft.ranker)) == (QueryModel, ToldJudge)
    assert [(state.method.name, state.is_ready) for state in states] == [
        ("graphraft", True),
        *((name, False) for name in ("gcr", "dog", "simgrag", "stem")),
    ]
    assert dict(states[0].models) == {"cypher": "QueryModel", "rank": "ToldJudge"}
    assert dict(states[1].models) == {}
    assert isinstance(states[1].error, WrongTaskError)


async def test_a_model_that_is_gone_is_not_looked_for_where_another_answers(tmp_path: Path) -> None:
    async with opener(MemoryGraph(), WordModel, gone)(settings(tmp_path)) as trellis_app:
        gcr, graphraft, *_ = await trellis_app.pipelines.describe_methods()
    assert (gcr.method.name, gcr.is_ready) == ("gcr", True)
    assert isinstance(graphraft.error, ModelMissingError)


async def test_the_service_says_so_too(tmp_path: Path) -> None:
    async with served(tmp_path, MemoryGraph(), QueryModel) as client:
        auto, graphraft, gcr, *_ = (await client.get("/v1/methods")).json()
        refused = await client.post("/v1/questions", json={"question": "who?", "method": "gcr"})
    assert (auto["name"], auto["default"], auto["ready"]) == ("auto", True, True)
    tasks = {"tasks": ["cypher", "rank"], "models": {"cypher": "QueryModel"}}
    named = {"name": "graphraft", "default": False, "ready": True, "problem": None, "remedy": None}
    assert graphraft == {**graphraft, **named, **tasks}
    assert gcr == {**gcr, "name": "gcr", "default": False, "ready": False, "models": {}}
    assert gcr["problem"] == "no model does task 'path': QueryModel does 'cypher'"
    assert "trellis train --task path" in gcr["remedy"]
    assert refused.status_code == WrongTaskError.status
    assert gcr["problem"] in refused.text


async def test_where_nothing_can_answer_no_method_is_the_default(tmp_path: Path) -> None:
    async with served(tmp_path, MemoryGraph(), gone) as client:
        methods = (await client.get("/v1/methods")).json()
        missing = (await client.get("/readyz")).json()["missing"]
    said = [(one["default"], one["ready"], one["remedy"]) for one in methods]
    assert said == [(False, False, "train one")] * (1 + len(METHODS))
    assert [one["part"] for one in missing] == ["model"]
