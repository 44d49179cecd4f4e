"""The training loop: equal bit for bit, broken off or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import torch

from trellis.domain.errors import TrainingStoppedError
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.training.examples import Example
from trellis.training.language_models import loop, mini, words
from trellis.training.language_models.held_out import hold_out
from trellis.training.language_models.lesson import MiniShape
from trellis.training.language_models.loop import Run, TrainingPlan
from trellis.training.language_models.rows import Dataset, draw_batches, encode_examples
from trellis.training.language_models.token_tables import learn_few_rows

SHAPE = MiniShape(width=32, layers=1, heads=2, words=50, dropout=0.1)


def make_example(question: str, step: str) -> Example:
    return Example(build_masked_path_prompt(question), (" ENT1", step))


EXAMPLES = [
    make_example("who is ENT1 's father", " -> parents"),
    make_example("what does ENT1 believe", " -> religion"),
    make_example("where is ENT1 from", " -> place_of_birth"),
]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class StoppedError(Exception):
    """What ends a run that nobody stopped."""


class Report:
    """What is told of a run, which `error` ends at its fifth step."""

    def __init__(self, error: Exception | None = None) -> None:
        self.told: list[tuple[str, int, str]] = []
        self._error = error

    def __call__(self, stage: str, done: int, _: int | None, note: str = "") -> None:
        self.told.append((stage, done, note))
        if self._error and done == 5:
            raise self._error

    @property
    def steps(self) -> list[int]:
        return [done for stage, done, _ in self.told if stage == "steps"]


Fresh = tuple[mini.Mini, list[Dataset]]


def fresh() -> Fresh:
    new = mini.make_mini(EXAMPLES, [" <- parents"], SHAPE, seed=3)
    return new, [Dataset("path", encode_examples(EXAMPLES, new.vocabulary, [" <- parents"]))]


def fit(
    start: Fresh, plan: TrainingPlan, run: Run | None = None, report: Report | None = None
) -> tuple[list[torch.Tensor], Mapping[str, Any]]:
    """Train a fresh model: its weights, and the figures of its tasks."""
    model, datasets = start
    figures = loop.fit_model(model.model, datasets, plan, run, report or Report())
    return [p.detach().clone() for p in model.model.parameters()], figures


def are_equal(some: Sequence[torch.Tensor], others: Sequence[torch.Tensor]) -> bool:
    return all(map(torch.equal, some, others))


def test_equal_seeds_train_equal_bits_and_others_do_not() -> None:
    one, same, other = (
        fit(fresh(), TrainingPlan(steps=4, batch=2, seed=seed))[0] for seed in (5, 5, 6)
    )
    assert are_equal(one, same)
    assert not are_equal(one, other)


@pytest.mark.slow
def test_a_run_broken_off_goes_on_as_if_it_had_not(tmp_path: Path) -> None:
    plan, run = TrainingPlan(steps=9, batch=2, checkpoint=3), Run(tmp_path, {"a": 1})
    with pytest.raises(StoppedError):
        fit(fresh(), plan, run, Report(StoppedError()))
    report = Report()
    again, _ = fit(fresh(), plan, run, report)
    assert report.steps == list(range(4, 10))
    assert are_equal(again, fit(fresh(), plan)[0])


def test_a_run_that_is_stopped_keeps_the_step_it_is_at(tmp_path: Path) -> None:
    plan, run = TrainingPlan(steps=9, batch=2, average=0.5), Run(tmp_path, {"a": 1})
    error = TrainingStoppedError("training was stopped")
    with pytest.raises(TrainingStoppedError) as stopped:
        fit(fresh(), plan, run, Report(error))
    assert stopped.value.kept_step == 5
    report = Report()
    again, _ = fit(fresh(), plan, run, report)
    assert report.told[0] == ("resumed", 1, "behind step 5 of 9")
    assert report.steps == [6, 7, 8, 9]
    assert are_equal(again, fit(fresh(), plan)[0])
    error = TrainingStoppedError("training was stopped")
    with pytest.raises(TrainingStoppedError) as stopped:
        fit(fresh(), plan, None, Report(error))
    assert stopped.value.kept_step is None


def test_a_checkpoint_of_other_arguments_or_a_broken_one_is_not_used(tmp_path: Path) -> None:
    fit(fresh(), TrainingPlan(steps=3, checkpoint=1), Run(tmp_path, {"a": 1}))
    assert Run(tmp_path, {"a": 1}).load() is not None
    assert Run(tmp_path, {"a": 2}).load() is None
    [file] = [path for path in tmp_path.iterdir() if path.is_file()]
    file.write_bytes(file.read_bytes()[:100])
    assert Run(tmp_path, {"a": 1}).load() is None


def test_word_vectors_stay_and_the_rest_learns() -> None:
    new, datasets = fresh()
    before = new.model.get_input_embeddings().weight.detach().clone()
    with learn_few_rows(new.model, new.own_tokens, new.own_tokens):
        loop.fit_model(new.model, datasets, TrainingPlan(steps=3))
    after = new.model.get_input_embeddings().weight
    word = new.vocabulary.encode(" father")[0]
    sign = new.vocabulary.encode(" ENT1")[0]
    assert torch.equal(before[word], after[word])
    assert not torch.equal(before[sign], after[sign])


def test_learning_few_rows_gives_what_learning_all_of_them_gives() -> None:
    plan = TrainingPlan(steps=3)
    whole, _ = fit(fresh(), plan)
    model, datasets = fresh()
    rows = range(model.tokenizer.get_vocab_size())
    with learn_few_rows(model.model, rows, rows):
        few, _ = fit((model, datasets), plan)
    torch.testing.assert_close(few, whole, rtol=1e-4, atol=1e-5)


def test_held_out_questions_are_not_learnt_from_and_judge_the_training() -> None:
    texts = [f"{word} is ENT1" for word in words.frequent_words(300)]
    examples = [make_example(text, " -> religion") for text in texts]
    new = mini.make_mini(examples, [" -> parents"], SHAPE, seed=3)
    whole = Dataset("path", encode_examples(examples * 2, new.vocabulary, [" -> parents"]))
    split = hold_out(whole)
    assert split.held is not None
    assert len(split.held) == 6
    assert len(split.rows) == 588
    assert not set(split.held.tokens) & set(split.rows.tokens)
    report = Report()
    _, tasks = fit((new, [split]), TrainingPlan(steps=60, rate=1e-2), report=report)
    held = tasks["path"].held_loss
    assert held is not None
    assert held < 0.1
    said = [note for _, _, note in report.told if note]
    assert said[-1].startswith("path loss 0.")
    assert "held out 0.0" in said[-1]


def test_few_questions_are_all_learnt_from() -> None:
    _, [dataset] = fresh()
    assert hold_out(dataset) is dataset


def test_training_ends_soon_where_held_out_questions_are_told_no_better() -> None:
    """What is held out contradicts what is learnt, so that it only becomes worse."""
    new, [dataset] = fresh()
    wrong = [replace(each, segments=(" ENT1", " <- parents")) for each in EXAMPLES]
    held = encode_examples(wrong, new.vocabulary, [" <- parents"])
    plan, report = TrainingPlan(steps=200, rate=1e-2), Report()
    figures = loop.fit_model(new.model, [replace(dataset, held=held)], plan, report=report)
    assert figures["path"].steps == len(report.steps) < 150


def test_three_sentences_are_learnt() -> None:
    _, tasks = fit(fresh(), TrainingPlan(steps=100, rate=1e-2))
    assert tasks["path"].loss < 0.1


def two_tasks() -> Fresh:
    """Fathers are one task, all else another that takes three times the steps."""
    new = mini.make_mini(EXAMPLES, [], SHAPE, seed=3)
    parts = (EXAMPLES[:1], EXAMPLES[1:])
    first, second = (encode_examples(those, new.vocabulary) for those in parts)
    return new, [Dataset("fathers", first, 1), Dataset("others", second, 3)]


def test_tasks_take_turns_by_their_shares() -> None:
    _, datasets = two_tasks()
    turns = [dataset.task for dataset, _ in islice(draw_batches(datasets, 2, 0), 8)]
    assert turns == ["others", "fathers", "others", "others"] * 2


def test_one_model_learns_two_tasks_and_tells_of_each() -> None:
    _, tasks = fit(two_tasks(), TrainingPlan(steps=200, rate=1e-2))
    assert {task: each.steps for task, each in tasks.items()} == {"fathers": 50, "others": 150}
    assert all(each.loss < 0.5 for each in tasks.values())


def test_a_run_of_two_tasks_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    plan, run = TrainingPlan(steps=9, batch=2, checkpoint=3), Run(tmp_path, {})
    with pytest.raises(StoppedError):
        fit(two_tasks(), plan, run, Report(StoppedError()))
    again, figures = fit(two_tasks(), plan, run)
    whole, expected = fit(two_tasks(), plan)
    assert figures == expected
    assert are_equal(again, whole)
