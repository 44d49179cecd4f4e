"""The training loop: equal bit for bit, broken off or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from trellis.training.examples import Example, Rows, encode
from trellis.training.language_models import loop, mini
from trellis.training.language_models.loop import Plan, Run

SHAPE = mini.Shape(width=32, layers=1, heads=2, words=50, dropout=0.1)
EXAMPLES = [
    Example("Question: who is ENT1 's father\nPath:", (" ENT1", " -> parents")),
    Example("Question: what does ENT1 believe\nPath:", (" ENT1", " -> religion")),
    Example("Question: where is ENT1 from\nPath:", (" ENT1", " -> place_of_birth")),
]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class StoppedError(Exception):
    pass


def fresh() -> tuple[mini.Mini, Rows]:
    new = mini.new(EXAMPLES, [" <- parents"], SHAPE, seed=3)
    return new, encode(EXAMPLES, new.vocabulary, [" <- parents"])


def weights(model: mini.Mini) -> list[torch.Tensor]:
    return [p.detach().clone() for p in model.model.parameters()]


def test_equal_seeds_train_equal_bits_and_others_do_not() -> None:
    trained = []
    for seed in (5, 5, 6):
        new, rows = fresh()
        loop.fit(new.model, rows, Plan(steps=4, batch=2, seed=seed))
        trained.append(weights(new))
    assert all(map(torch.equal, trained[0], trained[1]))
    assert not all(map(torch.equal, trained[0], trained[2]))


def test_a_run_broken_off_goes_on_as_if_it_had_not(tmp_path: Path) -> None:
    plan = Plan(steps=9, batch=2, checkpoint=3)
    whole, rows = fresh()
    loop.fit(whole.model, rows, plan)

    def stop(_: str, done: int, __: int | None) -> None:
        if done == 5:
            raise StoppedError

    half, rows = fresh()
    with pytest.raises(StoppedError):
        loop.fit(half.model, rows, plan, Run(tmp_path, {"a": 1}), stop)
    seen: list[int] = []
    again, rows = fresh()
    loop.fit(
        again.model, rows, plan, Run(tmp_path, {"a": 1}), lambda _, done, __: seen.append(done)
    )
    assert seen == list(range(4, 10))
    assert all(map(torch.equal, weights(whole), weights(again)))


def test_a_checkpoint_of_other_arguments_or_a_broken_one_is_not_used(tmp_path: Path) -> None:
    new, rows = fresh()
    loop.fit(new.model, rows, Plan(steps=3, checkpoint=1), Run(tmp_path, {"a": 1}))
    assert Run(tmp_path, {"a": 1}).load() is not None
    assert Run(tmp_path, {"a": 2}).load() is None
    [file] = [path for path in tmp_path.iterdir() if path.is_file()]
    file.write_bytes(file.read_bytes()[:100])
    assert Run(tmp_path, {"a": 1}).load() is None


def test_word_vectors_stay_and_the_rest_learns() -> None:
    new, rows = fresh()
    before = new.model.get_input_embeddings().weight.detach().clone()
    loop.fit(new.model, rows, Plan(steps=3))
    after = new.model.get_input_embeddings().weight
    word = new.vocabulary.encode(" father")[0]
    sign = new.vocabulary.encode(" ENT1")[0]
    assert torch.equal(before[word], after[word])
    assert not torch.equal(before[sign], after[sign])


def test_three_sentences_are_learnt() -> None:
    new, rows = fresh()
    assert loop.fit(new.model, rows, Plan(steps=100, rate=1e-2)).loss < 0.1
