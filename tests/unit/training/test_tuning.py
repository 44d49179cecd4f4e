"""A general model is tuned: by the prompts that it will get, within what is free, and served as it
is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from general_folder import write_general_folder
from memory_graph import MemoryGraph, TrigramEmbedder
from trellis.domain.errors import InputError, ModelMissingError, TrainingError, TrainingStoppedError
from trellis.domain.models.decoding import Search
from trellis.engines.general import GeneralModel, encode_prompt
from trellis.engines.local import LocalModel
from trellis.models.folder import read_card
from trellis.models.side_by_side import plan_serving
from trellis.prompting.templates import Templates
from trellis.prompting.writer import PromptWriter
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.training.example_bank.bank import GraphExampleBank
from trellis.training.graphs import TaughtGraph
from trellis.training.means import TrainingContext
from trellis.training.options import RUN, TrainingOptions, TrainingOutcome, TuningOptions
from trellis.training.runner import train_on_graphs
from trellis.training.tuning.plan import read_run
from unit.training.family import graph
from unit.training.small_training import build_context

TUNING = TuningOptions(batch=8, processes=1)
IDS = torch.tensor([[3, 4, 5]])


def rivers() -> MemoryGraph:
    """Another graph, with names of its own."""
    return MemoryGraph.of(
        [(f"river_{at}", "flows_into", f"river_{at + 1}") for at in range(6)]
        + [(f"river_{at}", "rises_in", ("alps", "jura")[at % 2]) for at in range(6)]
    )


STOPPED = TrainingStoppedError("training was stopped")


class Report:
    """What is told of a run; stops it at a step, if one is named."""

    def __init__(self, stop_at: int | None = None, error: BaseException | None = None) -> None:
        self.told: list[tuple[str, int, str]] = []
        self._stop_at, self._error = stop_at, error or KeyboardInterrupt()

    def __call__(self, stage: str, done: int, _: int | None, note: str = "") -> None:
        self.told.append((stage, done, note))
        if stage == "steps" and done == self._stop_at:
            raise self._error

    @property
    def steps(self) -> list[int]:
        return [done for stage, done, _ in self.told if stage == "steps"]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_general_folder(tmp_path_factory.mktemp("base"))


def say_logits(folder: Path, cache: Path) -> torch.Tensor:
    """What the model of a folder makes of a few tokens."""
    logits: torch.Tensor = LocalModel.load(folder, "cpu", cache).weights(IDS).logits
    return logits


def options(tmp_path: Path, base: Path, **changes: Any) -> TrainingOptions:
    chosen = {"base": str(base), "steps": 2, "limit": 40, "device": "cpu", "tuning": TUNING}
    return TrainingOptions(tmp_path / "model", **{**chosen, **changes})


def means_of(memory: MemoryGraph, cache: Path, report: Report | None = None) -> TrainingContext:
    general = {"path": PathSettings(hops=2)}
    return build_context(memory, cache, report=report or Report(), general_settings=general)


async def tuned(
    asked: TrainingOptions, *graphs: MemoryGraph, report: Report | None = None
) -> TrainingOutcome:
    cache = asked.out.parent / "cache"
    taught = [
        TaughtGraph(f"graph {at}", means_of(each, cache, report))
        for at, each in enumerate(graphs or (graph(),))
    ]
    return await train_on_graphs(["path"], taught, asked)


@pytest.mark.parametrize("shots", [0, pytest.param(2, marks=pytest.mark.slow)])
async def test_it_is_taught_by_the_prompts_that_it_will_get(
    base: Path, tmp_path: Path, shots: int
) -> None:
    asked = options(tmp_path, base, tuning=replace(TUNING, shots=shots))
    with pytest.raises(KeyboardInterrupt):
        await tuned(asked, report=Report(stop_at=1))
    _, rows = read_run(asked.out / RUN / "tuning")
    local = LocalModel.load(base, "cpu", tmp_path)
    means = means_of(graph(), tmp_path / "cache")
    bank = GraphExampleBank(means, (), tmp_path / "cache" / "examples")
    writer = PromptWriter(means.graph, TrigramEmbedder(), bank, Templates({}), shots)
    model = GeneralModel(local, writer, local.card, TUNING.prompt_tokens)
    written = await model.write_chat(build_masked_path_prompt("who knows ENT1"), Search())
    sent = encode_prompt(written, local.vocabulary, local.template)
    system = sent[: sent.index(local.vocabulary.encode("user")[0])]
    for row in rows.learnt:
        assert row.tokens[: len(system)] == system
        assert row.tokens[row.prompt - 3 : row.prompt] == sent[-3:]
        turns = local.vocabulary.decode(row.tokens[: row.prompt]).count("<|im_start|>assistant")
        assert turns == shots + 1


Trained = tuple[Path, TrainingOutcome, Report]


@pytest.fixture(scope="module")
async def trained(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """The folder of what learnt two graphs, beside its cache; how it ended, and what was told."""
    asked, report = options(tmp_path_factory.mktemp("trained"), base, steps=4), Report()
    return asked.out, await tuned(asked, graph(), rivers(), report=report), report


async def test_one_adapter_learns_several_graphs_and_belongs_to_none(trained: Trained) -> None:
    folder, outcome, report = trained
    card = read_card(folder)
    assert card == outcome.card
    assert (card.is_general, card.shots) == (True, 0)
    assert card.settings(PathSettings) == PathSettings(hops=2)
    assert card.training["path"]["graphs"] == "graph 0, graph 1"
    assert outcome.examples == 80
    [plan] = [note for stage, _, note in report.told if stage == "tuning"]
    assert "GiB free" in plan
    steps = [note for stage, _, note in report.told if stage == "steps"]
    assert all("s a step" in note and "GiB at most" in note and "left" in note for note in steps)


async def test_what_was_learnt_is_served_unmerged_and_says_the_same(
    base: Path, trained: Trained
) -> None:
    folder, cache = trained[0], trained[0].parent / "cache"
    served = plan_serving([folder], cache)
    assert (served.folder, served.rank) == (base, 16)
    assert served.adapters == {"model": folder}
    assert served.by_task == {"path": "model"}
    assert served.card.is_general
    assert not (folder / RUN).exists()
    assert not list(cache.rglob("model.safetensors"))
    assert not torch.equal(say_logits(folder, cache), say_logits(base, cache))


async def test_prompts_rank_and_targets_are_those_asked_for(base: Path, tmp_path: Path) -> None:
    small = replace(TUNING, prompts="question", rank=4, alpha=4, targets=("q_proj",))
    card = (await tuned(options(tmp_path, base, tuning=small))).card
    assert (card.is_general, card.shots) == (False, None)  # the question alone is the prompt
    config = json.loads((tmp_path / "model" / "adapter_config.json").read_text("utf-8"))
    assert (config["r"], config["lora_alpha"], config["target_modules"]) == (4, 4, ["q_proj"])
    assert config["base_model_name_or_path"] == str(base)


async def test_all_weights_can_learn(base: Path, tmp_path: Path) -> None:
    await tuned(options(tmp_path, base, full=True))
    folder = tmp_path / "model"
    assert (folder / "model.safetensors").is_file()
    assert not (folder / "adapter_config.json").exists()
    assert LocalModel.load(folder, "cpu", tmp_path).card.is_general


@pytest.mark.slow
async def test_training_ends_early_where_held_out_rows_are_told_no_better(
    base: Path, tmp_path: Path
) -> None:
    report = Report()
    wild = replace(TUNING, rate=30.0)
    await tuned(options(tmp_path, base, limit=150, steps=40, tuning=wild), report=report)
    assert 2 < len(report.steps) < 40
    figures = read_card(tmp_path / "model").training["path"]
    assert figures["steps"] == len(report.steps)
    assert "held_out_loss" in figures


@pytest.mark.slow
@pytest.mark.parametrize(("error", "first"), [(KeyboardInterrupt(), 4), (STOPPED, 5)])
async def test_a_run_that_is_stopped_goes_on_and_leaves_no_model(
    base: Path, tmp_path: Path, error: BaseException, first: int
) -> None:
    asked = options(tmp_path, base, steps=6)
    with pytest.raises(type(error)):
        await tuned(asked, report=Report(stop_at=4, error=error))
    broken = asked.run_folder / "tuning" / "checkpoints" / "checkpoint-5"
    broken.mkdir()  # of a process that was killed as it wrote
    assert [path.name for path in asked.out.iterdir()] == [RUN]
    with pytest.raises(ModelMissingError, match="run the same `trellis train` again"):
        read_card(asked.out)
    report = Report()
    outcome = await tuned(asked, report=report)
    assert report.steps == [*range(first, 7)]
    whole = await tuned(replace(asked, out=tmp_path / "whole"))
    one, other = (say_logits(folder, tmp_path) for folder in (asked.out, tmp_path / "whole"))
    assert torch.allclose(one, other, atol=1e-5)
    assert outcome.card.tasks == whole.card.tasks


async def test_what_does_not_fit_is_refused_before_anything_is_made(
    base: Path, tmp_path: Path
) -> None:
    report = Report()
    asked = options(tmp_path, base, tuning=replace(TUNING, memory=2**20))
    with pytest.raises(TrainingError, match=r"needs about .* GiB .*a smaller base") as refused:
        await tuned(asked, report=report)
    assert "TRELLIS_TRAINING_MEMORY" in str(refused.value)
    assert not report.told
    assert not asked.out.exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"quantised": True}, "pip install bitsandbytes"),
        ({"targets": ("q_proj", "nothing")}, "no layers called nothing"),
    ],
)
async def test_what_cannot_be_had_is_said(
    base: Path, tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises((TrainingError, InputError), match=said):
        await tuned(options(tmp_path, base, tuning=replace(TUNING, **changes)))


async def test_a_base_that_is_not_there_or_was_trained_is_refused(
    trained: Trained, tmp_path: Path
) -> None:
    with pytest.raises(ModelMissingError, match="nowhere"):
        await tuned(options(tmp_path, tmp_path / "nowhere"))
    with pytest.raises(InputError, match="was trained already"):
        await tuned(options(tmp_path, trained[0]))


@pytest.mark.parametrize(
    "changes", [{"base": "mini"}, {"tuning": replace(TUNING, prompts="question")}]
)
async def test_several_graphs_want_their_schema_in_the_prompt(
    base: Path, tmp_path: Path, changes: dict[str, Any]
) -> None:
    with pytest.raises(TrainingError, match="several graphs"):
        await tuned(replace(options(tmp_path, base), **changes), graph(), rivers())


@pytest.mark.slow
async def test_several_processes_learn_what_one_does(base: Path, tmp_path: Path) -> None:
    report = Report()
    two = replace(TUNING, processes=2)
    asked = options(tmp_path, base, limit=150, steps=4, tuning=two)
    outcome = await tuned(asked, report=report)
    alone = await tuned(replace(asked, out=tmp_path / "alone", tuning=TUNING))
    assert report.steps == [1, 2, 3, 4]
    ours, theirs = (each.training["path"]["held_out_loss"] for each in (outcome.card, alone.card))
    assert ours == pytest.approx(theirs, abs=0.1)
