"""TRELLIS_MODEL: folders that do different tasks, each loaded when it is needed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from chat_server import closed_url
from memory_app import MemoryGraph, WordModel, memory_source, opener
from small_schemas import build_schema
from trellis.api.operation.readiness import Readiness
from trellis.app.graph_fit import GraphFit
from trellis.app.models import ModelSet
from trellis.app.once import LazyPart
from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import GraphUnavailableError, ModelMissingError, WrongTaskError
from trellis.domain.graphs.schema import Schema
from trellis.domain.models.card import ModelCard, TaskSettings
from trellis.engines.chats.hosted import HostedModel
from trellis.engines.general import GeneralModel
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
from trellis.wiring.assemble import assemble_app

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


async def build_graphraft(home: TrellisApp) -> GraphRaft:
    raft = await home.pipelines.build("graphraft")
    assert isinstance(raft, GraphRaft)
    return raft


async def test_queries_are_ranked_by_a_second_folder_and_paths_do_not_load_it(
    tmp_path: Path, folders: Path
) -> None:
    named = (folders / "path", folders / "cypher", folders / "rank")
    async with assemble_app(settings(tmp_path, *named)) as home:
        assert isinstance(await home.pipelines.build("gcr"), Gcr)
        assert loaded(home) == ["path"]
        raft = await build_graphraft(home)
        assert raft.ranker
        assert (raft.model.card.base, raft.ranker.card.base) == ("cypher", "rank")
        assert loaded(home) == ["path", "cypher", "rank"]
        assert len(home.site_figures()) == 3


@pytest.mark.slow
async def test_without_a_folder_that_ranks_nothing_ranks(tmp_path: Path, folders: Path) -> None:
    async with assemble_app(settings(tmp_path, folders / "cypher")) as home:
        assert (await build_graphraft(home)).ranker is None
        assert "model" not in {one.name for one in await home.find_missing_parts()}


async def test_one_folder_may_do_both(tmp_path: Path, folders: Path) -> None:
    async with assemble_app(settings(tmp_path, folders / "both")) as home:
        raft = await build_graphraft(home)
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
    given = [folders / "cypher", folders / "rank"]
    named = settings(tmp_path, folders / "path", decoder_url=closed_url())
    async with assemble_app(named, ",".join(map(str, given))) as home:
        assert [source.folder for source in home.models.sources] == given


async def test_a_hosted_decoder_writes_what_a_folder_ranks(tmp_path: Path, folders: Path) -> None:
    decoder = {"decoder_url": closed_url(), "decoder_model": "big"}
    async with assemble_app(settings(tmp_path, folders / "rank", **decoder)) as home:
        raft, gcr = await build_graphraft(home), await home.pipelines.build("gcr")
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


@dataclass
class Neo4jStandIn:
    """What a fit asks of a graph, and the clock that it reads."""

    labels: str
    is_away: bool = False
    now: float = 0.0

    async def reach(self) -> None:
        if self.is_away:
            raise GraphUnavailableError("Neo4j cannot be reached", "start it")

    async def read_schema(self) -> Schema:
        return build_schema(self.labels)

    def fit_bundled_model(self) -> GraphFit:
        async def read_bundled_card() -> ModelCard:
            return read_card(BUNDLED_MODEL)

        card = LazyPart(read_bundled_card)
        return GraphFit(card, self.reach, self.read_schema, lambda: self.now)


@pytest.mark.parametrize(
    ("labels", "named"),
    [
        ("Country City River", "the bundled model"),
        ("Country Film Actor", "reader"),
        ("", "the bundled model"),
    ],
)
async def test_where_no_model_is_set_the_reader_answers_over_all_graphs_but_the_atlas(
    labels: str, named: str
) -> None:
    fits = Neo4jStandIn(labels).fit_bundled_model().check
    bundled = replace(memory_source(WordModel), name="the bundled model", fits_graph=fits)
    both = ModelSet([bundled, replace(memory_source(WordModel), name="reader")])
    assert (await both.require_source("path")).name == named


async def test_the_model_follows_the_graph_and_stays_while_it_is_away() -> None:
    asked = Neo4jStandIn("Film")
    fit = asked.fit_bundled_model()
    assert not await fit.check()
    asked.labels = "River"
    assert not await fit.check()  # asked again after a second
    asked.now += 1
    assert await fit.check()
    asked.labels, asked.is_away = "Film", True
    asked.now += 1
    assert await fit.check()


async def test_the_models_that_are_shipped_are_offered_where_none_is_set(tmp_path: Path) -> None:
    async with assemble_app(settings(tmp_path)) as home:
        named = [source.name for source in home.models.sources]
        assert named == ["the bundled model", "reader"]
        assert (await home.models.require_source("path")).name == "the bundled model"


class AtlasModel(WordModel):
    """A model that was trained for another graph."""

    card = replace(WordModel.card, schema_names=("River", "FLOWS_INTO"))


async def test_a_model_of_another_graph_is_told_with_each_answer(tmp_path: Path) -> None:
    async with opener(MemoryGraph(), AtlasModel)(settings(tmp_path)) as home:
        assert await home.read_notes() == ()  # no model is loaded yet
        await home.pipelines.build("gcr")
        [note] = await home.read_notes()
    assert "was trained for another graph" in note
    assert "trellis train" in note


async def test_a_service_logs_once_that_its_model_is_of_another_graph(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opener(MemoryGraph(), AtlasModel)(settings(tmp_path)) as home:
        await Readiness(home).begin()
    said = [record.getMessage() for record in caplog.records]
    assert sum("was trained for another graph" in line for line in said) == 1


async def test_a_model_that_is_left_out_for_another_graph_is_not_told(tmp_path: Path) -> None:
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
