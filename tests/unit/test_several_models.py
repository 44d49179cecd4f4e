"""TRELLIS_MODEL: folders that do different tasks, each loaded when it is needed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from chat_server import closed_url
from judging_models import ToldJudge
from memory_app import MemoryGraph, WordModel, memory_source, opener
from trellis.api.readiness import Readiness
from trellis.app.graph_fit import GraphFit
from trellis.app.models import ModelSet
from trellis.app.once import LazyPart
from trellis.app.trellis_app import TrellisApp
from trellis.domain.card import ModelCard, TaskSettings
from trellis.domain.errors import GraphUnavailableError, ModelMissingError, WrongTaskError
from trellis.domain.schema import LabelKind, Schema
from trellis.engines.general import GeneralModel
from trellis.engines.hosted import HostedModel
from trellis.engines.local import LocalModel
from trellis.models.folder import read_card, write_folder
from trellis.pipelines.gcr import Gcr
from trellis.pipelines.graphraft import GraphRaft
from trellis.settings import BUNDLED_MODEL, Settings
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.queries.settings import CypherSettings, RankSettings
from trellis.training.examples import Example
from trellis.training.language_models import mini
from trellis.training.language_models.lesson import MiniShape
from trellis.wiring import assemble_app

SHAPE = MiniShape(width=32, layers=1, heads=2, words=50)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tiny models by name: `path`, `far` (longer paths), `cypher`, `rank` and `both`."""
    place = tmp_path_factory.mktemp("models")
    new = mini.make_mini(
        [Example(build_masked_path_prompt("who"), (" ENT1",))], [" -> parents"], SHAPE, 0
    )

    def write(name: str, *settings: TaskSettings) -> None:
        card = ModelCard.of(name, *settings, vocabulary=new.vocabulary.fingerprint)
        write_folder(place / name, card, new.save)

    write("path", PathSettings(hops=1))
    write("far", PathSettings(hops=3))
    write("cypher", CypherSettings())
    write("rank", RankSettings())
    write("both", CypherSettings(), RankSettings())
    return place


def settings(store: Path, *models: Path, **more: Any) -> Settings:
    port = closed_url().split(":")[2].split("/")[0]
    return Settings(
        neo4j_uri=f"bolt://127.0.0.1:{port}",
        store_url=f"sqlite+aiosqlite:///{store}/s.db",
        model=", ".join(map(str, models)) or None,
        device="cpu",
        **more,
        _env_file=None,
    )


def loaded(home: TrellisApp) -> list[str]:
    return [model.card.base for model in home.models.loaded_models]


async def test_queries_are_ranked_by_a_second_folder_and_paths_do_not_load_it(
    tmp_path: Path, folders: Path
) -> None:
    named = (folders / "path", folders / "cypher", folders / "rank")
    async with assemble_app(settings(tmp_path, *named)) as home:
        assert isinstance(await home.pipelines.build("gcr"), Gcr)
        assert loaded(home) == ["path"]
        raft = await home.pipelines.build("graphraft")
        assert isinstance(raft, GraphRaft)
        assert raft.ranker
        assert (raft.model.card.base, raft.ranker.card.base) == ("cypher", "rank")
        assert loaded(home) == ["path", "cypher", "rank"]
        assert len(home.site_figures()) == 3


@pytest.mark.slow
async def test_without_a_folder_that_ranks_nothing_ranks(tmp_path: Path, folders: Path) -> None:
    async with assemble_app(settings(tmp_path, folders / "cypher")) as home:
        raft = await home.pipelines.build("graphraft")
        assert isinstance(raft, GraphRaft)
        assert raft.ranker is None
        assert "model" not in {one.name for one in await home.find_missing_parts()}


async def test_one_folder_may_do_both(tmp_path: Path, folders: Path) -> None:
    async with assemble_app(settings(tmp_path, folders / "both")) as home:
        raft = await home.pipelines.build("graphraft")
        assert isinstance(raft, GraphRaft)
        assert raft.ranker is raft.model


@pytest.mark.parametrize(("first", "second", "hops"), [("path", "far", 1), ("far", "path", 3)])
async def test_the_first_of_two_that_do_a_task_does_it(
    tmp_path: Path, folders: Path, first: str, second: str, hops: int
) -> None:
    async with assemble_app(settings(tmp_path, folders / first, folders / second)) as home:
        gcr = await home.pipelines.build("gcr")
        assert isinstance(gcr, Gcr)
        assert gcr.settings.hops == hops
        assert loaded(home) == [first]


@pytest.mark.slow
async def test_a_folder_that_is_missing_is_named(tmp_path: Path, folders: Path) -> None:
    async with assemble_app(settings(tmp_path, folders / "cypher", tmp_path / "nowhere")) as home:
        with pytest.raises(ModelMissingError, match=r"nowhere.*trellis train"):
            await home.pipelines.build("graphraft")
        missing = {one.name: one.error for one in await home.find_missing_parts()}
        assert "nowhere" in missing["model"].problem


async def test_folders_that_do_other_tasks_say_what_to_train(tmp_path: Path, folders: Path) -> None:
    named = (folders / "path", folders / "rank")
    wanted = r"'cypher': .*path does 'path', .*rank does 'rank'.*--task cypher.*TRELLIS_MODEL"
    async with assemble_app(settings(tmp_path, *named)) as home:
        with pytest.raises(WrongTaskError, match=wanted):
            await home.pipelines.build("graphraft")
        assert loaded(home) == []


async def test_folders_that_are_named_go_before_all_that_is_set(
    tmp_path: Path, folders: Path
) -> None:
    given = f"{folders / 'cypher'},{folders / 'rank'}"
    async with assemble_app(
        settings(tmp_path, folders / "path", decoder_url=closed_url()), given
    ) as home:
        assert [source.folder for source in home.models.sources] == [
            folders / "cypher",
            folders / "rank",
        ]


async def test_a_hosted_decoder_writes_what_a_folder_ranks(tmp_path: Path, folders: Path) -> None:
    decoder = {"decoder_url": closed_url(), "decoder_model": "big"}
    async with assemble_app(settings(tmp_path, folders / "rank", **decoder)) as home:
        raft, gcr = (
            await home.pipelines.build("graphraft"),
            await home.pipelines.build("gcr"),
        )
        assert isinstance(raft, GraphRaft)
        assert isinstance(gcr, Gcr)
        assert isinstance(raft.model, GeneralModel)
        assert isinstance(raft.model.engine, HostedModel)
        assert isinstance(raft.ranker, LocalModel)
        assert (raft.ranker.card.base, gcr.model) == ("rank", raft.model)
        states = await home.pipelines.describe_methods()
    named = {state.method.name: {**state.models} for state in states}
    writer = f"big at {decoder['decoder_url']}"
    assert named == {
        "gcr": {"path": writer},
        "graphraft": {"cypher": writer, "rank": str(folders / "rank")},
        "simgrag": {"pattern": writer, "path": writer},
        "dog": {"chain": writer, "path": writer},
        "stem": {},
    }


@pytest.mark.parametrize(
    ("labels", "named"),
    [
        (("Country", "City", "River"), "the bundled model"),
        (("Country", "Film", "Actor"), "reader"),
        ((), "the bundled model"),
    ],
)
async def test_where_no_model_is_set_the_reader_answers_over_all_graphs_but_the_atlas(
    labels: tuple[str, ...], named: str
) -> None:
    kinds = tuple(LabelKind(label, 1, "name") for label in labels)
    asked = Neo4jStandIn(Schema(kinds, (), len(kinds), 0, "f"))
    fit = GraphFit(read_shipped_card(), asked.reach, asked.read_schema, asked.clock)
    sources = [memory_source(WordModel), memory_source(WordModel)]
    both = ModelSet(
        [
            replace(sources[0], name="the bundled model", fits_graph=fit.check),
            replace(sources[1], name="reader"),
        ]
    )
    assert (await both.require_source("path")).name == named


async def test_the_model_follows_the_graph_and_stays_while_it_is_away() -> None:
    asked = Neo4jStandIn(Schema((LabelKind("Film", 1, "name"),), (), 1, 0, "f"))
    fit = GraphFit(read_shipped_card(), asked.reach, asked.read_schema, asked.clock)
    assert not await fit.check()
    asked.schema = Schema((LabelKind("River", 1, "name"),), (), 1, 0, "r")
    assert not await fit.check()  # asked again after a second
    asked.now += 1
    assert await fit.check()
    asked.schema, asked.is_away = Schema((LabelKind("Film", 1, "name"),), (), 1, 0, "f"), True
    asked.now += 1
    assert await fit.check()


async def test_the_models_that_are_shipped_are_offered_where_none_is_set(tmp_path: Path) -> None:
    async with assemble_app(settings(tmp_path)) as home:
        named = [source.name for source in home.models.sources]
        assert named == ["the bundled model", "reader"]
        assert (await home.models.require_source("path")).name == "the bundled model"


async def test_a_model_of_another_graph_is_told_with_each_answer(tmp_path: Path) -> None:
    class AtlasModel(WordModel):
        card = replace(WordModel.card, schema_names=("River", "FLOWS_INTO"))

    async with opener(MemoryGraph(), AtlasModel)(settings(tmp_path)) as home:
        assert await home.read_notes() == ()  # no model is loaded yet
        await home.pipelines.build("gcr")
        [note] = await home.read_notes()
    assert "was trained for another graph" in note
    assert "trellis train" in note


async def test_a_service_logs_once_that_its_model_is_of_another_graph(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class AtlasModel(WordModel):
        card = replace(WordModel.card, schema_names=("River", "FLOWS_INTO"))

    async with opener(MemoryGraph(), AtlasModel)(settings(tmp_path)) as home:
        await Readiness(home).begin()
    said = [record.getMessage() for record in caplog.records]
    assert sum("was trained for another graph" in line for line in said) == 1


async def test_a_model_that_is_left_out_for_another_graph_is_not_told(tmp_path: Path) -> None:
    class AtlasModel(WordModel):
        card = replace(WordModel.card, schema_names=("River", "FLOWS_INTO"))

    async def is_another_graph() -> bool:
        return False

    async with opener(MemoryGraph(), AtlasModel, WordModel)(settings(tmp_path)) as home:
        atlas, other = home.models.sources
        await atlas.model.get()  # as it was asked before the graph was another one
        chosen = ModelSet([replace(atlas, fits_graph=is_another_graph), other])
        asked = replace(home, models=chosen)
        await asked.pipelines.build("gcr")
        assert len(chosen.loaded_models) == 2
        assert await asked.read_notes() == ()


@dataclass
class Neo4jStandIn:
    """What a fit asks of a graph, and the clock that it reads."""

    schema: Schema
    is_away: bool = False
    now: float = 0.0

    async def reach(self) -> None:
        if self.is_away:
            raise GraphUnavailableError("Neo4j cannot be reached", "start it")

    async def read_schema(self) -> Schema:
        return self.schema

    def clock(self) -> float:
        return self.now


def read_shipped_card() -> LazyPart[ModelCard]:
    async def read() -> ModelCard:
        return read_card(BUNDLED_MODEL)

    return LazyPart(read)


class QueryModel(WordModel):
    """A model of task cypher."""

    card = ModelCard.of("words", CypherSettings())


@pytest.mark.parametrize("models", [(QueryModel, ToldJudge), (ToldJudge, QueryModel)])
async def test_what_a_model_does_says_its_card_wherever_it_is_listed(
    tmp_path: Path, models: tuple[type[QueryModel | ToldJudge], ...]
) -> None:
    async with opener(MemoryGraph(), *models)(settings(tmp_path)) as home:
        raft = await home.pipelines.build("graphraft")
        assert isinstance(raft, GraphRaft)
        assert isinstance(raft.model, QueryModel)
        assert isinstance(raft.ranker, ToldJudge)
