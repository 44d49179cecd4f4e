"""The training loop: equal bit for bit, broken off or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import torch

from trellis.domain.errors import TrainingStoppedError
from trellis.graph.progress import Progress
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.training.examples import Example
from trellis.training.language_models import loop, mini, words
from trellis.training.language_models.held_out import hold_out
from trellis.training.language_models.lesson import MiniShape
from trellis.training.language_models.loop import Run, TrainingPlan
from trellis.training.language_models.rows import Dataset, draw_batches, encode_examples
from trellis.training.language_models.token_tables import learn_few_rows

SHAPE = MiniShape(width=32, layers=1, heads=2, words=50, dropout=0.1)
EXAMPLES = [
    Example(build_masked_path_prompt("who is ENT1 's father"), (" ENT1", " -> parents")),
    Example(build_masked_path_prompt("what does ENT1 believe"), (" ENT1", " -> religion")),
    Example(build_masked_path_prompt("where is ENT1 from"), (" ENT1", " -> place_of_birth")),
]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class StoppedError(Exception):
    pass


def fresh() -> tuple[mini.Mini, list[Dataset]]:
    new = mini.make_mini(EXAMPLES, [" <- parents"], SHAPE, seed=3)
    return new, [Dataset("path", encode_examples(EXAMPLES, new.vocabulary, [" <- parents"]))]


def collect_steps(seen: list[int]) -> Progress:
    def report(stage: str, done: int, _: int | None, __: str = "") -> None:
        if stage == "steps":
            seen.append(done)

    return report


def weights(model: mini.Mini) -> list[torch.Tensor]:
    return [p.detach().clone() for p in model.model.parameters()]


def test_equal_seeds_train_equal_bits_and_others_do_not() -> None:
    trained = []
    for seed in (5, 5, 6):
        new, datasets = fresh()
        loop.fit_model(new.model, datasets, TrainingPlan(steps=4, batch=2, seed=seed))
        trained.append(weights(new))
    assert all(map(torch.equal, trained[0], trained[1]))
    assert not all(map(torch.equal, trained[0], trained[2]))


@pytest.mark.slow
def test_a_run_broken_off_goes_on_as_if_it_had_not(tmp_path: Path) -> None:
    plan = TrainingPlan(steps=9, batch=2, checkpoint=3)
    whole, datasets = fresh()
    loop.fit_model(whole.model, datasets, plan)

    def stop(_: str, done: int, __: int | None, ___: str = "") -> None:
        if done == 5:
            raise StoppedError

    half, datasets = fresh()
    with pytest.raises(StoppedError):
        loop.fit_model(half.model, datasets, plan, Run(tmp_path, {"a": 1}), stop)
    seen: list[int] = []
    again, datasets = fresh()
    report = collect_steps(seen)
    loop.fit_model(again.model, datasets, plan, Run(tmp_path, {"a": 1}), report)
    assert seen == list(range(4, 10))
    assert all(map(torch.equal, weights(whole), weights(again)))


def test_a_run_that_is_stopped_keeps_the_step_it_is_at(tmp_path: Path) -> None:
    plan = TrainingPlan(steps=9, batch=2, average=0.5)
    whole, datasets = fresh()
    loop.fit_model(whole.model, datasets, plan)

    def stop(_: str, done: int, __: int | None, ___: str = "") -> None:
        if done == 5:
            raise TrainingStoppedError("training was stopped")

    half, datasets = fresh()
    with pytest.raises(TrainingStoppedError) as stopped:
        loop.fit_model(half.model, datasets, plan, Run(tmp_path, {"a": 1}), stop)
    assert stopped.value.kept_step == 5
    told: list[tuple[str, int, str]] = []
    again, datasets = fresh()
    loop.fit_model(
        *(again.model, datasets, plan, Run(tmp_path, {"a": 1})),
        lambda stage, done, _, note="": told.append((stage, done, note)),
    )
    assert told[0] == ("resumed", 1, "behind step 5 of 9")
    assert [done for stage, done, _ in told if stage == "steps"] == [6, 7, 8, 9]
    assert all(map(torch.equal, weights(whole), weights(again)))
    with pytest.raises(TrainingStoppedError) as stopped:
        loop.fit_model(fresh()[0].model, datasets, plan, None, stop)
    assert stopped.value.kept_step is None


def test_a_checkpoint_of_other_arguments_or_a_broken_one_is_not_used(tmp_path: Path) -> None:
    new, datasets = fresh()
    loop.fit_model(
        new.model, datasets, TrainingPlan(steps=3, checkpoint=1), Run(tmp_path, {"a": 1})
    )
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
    whole, datasets = fresh()
    loop.fit_model(whole.model, datasets, TrainingPlan(steps=3))
    few, datasets = fresh()
    rows = range(few.tokenizer.get_vocab_size())
    with learn_few_rows(few.model, rows, rows):
        loop.fit_model(few.model, datasets, TrainingPlan(steps=3))
    for one, other in zip(weights(whole), weights(few), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


def test_held_out_questions_are_not_learnt_from_and_judge_the_training() -> None:
    wheres = [f"{word} is ENT1" for word in words.frequent_words(300)]
    examples = [
        Example(build_masked_path_prompt(text), (" ENT1", " -> religion")) for text in wheres
    ]
    new = mini.make_mini(examples, [" -> parents"], SHAPE, seed=3)
    whole = Dataset("path", encode_examples(examples * 2, new.vocabulary, [" -> parents"]))
    split = hold_out(whole)
    assert split.held is not None
    assert len(split.held) == 6
    assert len(split.rows) == 588
    assert not set(split.held.tokens) & set(split.rows.tokens)
    said: list[str] = []
    figures = loop.fit_model(
        new.model,
        [split],
        TrainingPlan(steps=60, rate=1e-2),
        report=lambda _, __, ___, note="": said.append(note) if note else None,
    )
    held = figures["path"].held_loss
    assert held is not None
    assert held < 0.1
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
    steps: list[int] = []
    plan = TrainingPlan(steps=200, rate=1e-2)
    figures = loop.fit_model(
        new.model, [replace(dataset, held=held)], plan, report=collect_steps(steps)
    )
    assert figures["path"].steps == len(steps) < 150


def test_three_sentences_are_learnt() -> None:
    new, datasets = fresh()
    figures = loop.fit_model(new.model, datasets, TrainingPlan(steps=100, rate=1e-2))
    assert figures["path"].loss < 0.1


def two_tasks() -> tuple[mini.Mini, list[Dataset]]:
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
    new, datasets = two_tasks()
    tasks = loop.fit_model(new.model, datasets, TrainingPlan(steps=200, rate=1e-2))
    assert {task: each.steps for task, each in tasks.items()} == {"fathers": 50, "others": 150}
    assert all(each.loss < 0.5 for each in tasks.values())


def test_a_run_of_two_tasks_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    plan = TrainingPlan(steps=9, batch=2, checkpoint=3)
    whole, datasets = two_tasks()
    figures = loop.fit_model(whole.model, datasets, plan)

    def stop(_: str, done: int, __: int | None, ___: str = "") -> None:
        if done == 5:
            raise StoppedError

    half, datasets = two_tasks()
    with pytest.raises(StoppedError):
        loop.fit_model(half.model, datasets, plan, Run(tmp_path, {}), stop)
    again, datasets = two_tasks()
    assert loop.fit_model(again.model, datasets, plan, Run(tmp_path, {})) == figures
    assert all(map(torch.equal, weights(whole), weights(again)))
