"""What minis start from: made schemas, and the file that is learnt from them."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from trellis.steps.paths.path_prompt import build_masked_path_prompt
from trellis.training.examples import Example
from trellis.training.language_models import mini
from trellis.training.language_models.lesson import MiniShape
from trellis.training.language_models.start import (
    GENERAL_SHAPE,
    load_start,
    read_start,
    take_start,
)
from trellis.training.pretraining import PretrainingOptions, pretrain_start
from trellis.training.synthesis.made_schemas import SchemaMaker
from trellis.training.synthesis.path_questions import compose_examples

EXAMPLES = [Example(build_masked_path_prompt("who is ENT1 's father"), (" ENT1", " -> parents"))]


def test_equal_seeds_make_equal_schemas_and_others_do_not() -> None:
    first, same, other = (SchemaMaker(seed).make_schema() for seed in (1, 1, 2))
    assert (first.relations, first.paths) == (same.relations, same.paths)
    assert first.relations != other.relations


def test_made_paths_go_over_relations_of_their_schema() -> None:
    maker = SchemaMaker(3)
    for _ in range(20):
        schema = maker.make_schema()
        walked = {step.relation for path in schema.paths for step in path.steps}
        assert walked == set(schema.relations)
        assert {len(path.steps) for path in schema.paths} == {1, 2, 3}


def test_made_questions_say_their_paths_in_the_words_of_their_schema_or_near_them() -> None:
    schema = SchemaMaker(3).make_schema()
    examples = compose_examples(schema.paths, schema.book, 50, 0, meets=True)
    assert len({example.prompt.question for example in examples}) > 40
    known = set(schema.relations)
    steps = {step.relation for path in schema.paths for step in path.steps}
    assert steps <= known
    assert all("ENT1" in example.prompt.question for example in examples)


def test_a_start_is_read_as_it_was_saved(tmp_path: Path) -> None:
    new = mini.make_mini(EXAMPLES, [" <- parents"], GENERAL_SHAPE, seed=3)
    taken = take_start(new.model, new.tokenizer, new.own_tokens)
    taken.save(tmp_path / "start.safetensors")
    read = read_start(tmp_path / "start.safetensors")
    assert read.pieces == taken.pieces
    other = mini.make_mini(EXAMPLES, [" <- children"], GENERAL_SHAPE, seed=4, start=read)
    for name, weight in other.model.named_parameters():
        if name in read.body:
            torch.testing.assert_close(weight, taken.body[name], rtol=1e-2, atol=1e-3)
    arrow = other.vocabulary.encode(" ENT1")[0]
    before = new.vocabulary.encode(" ENT1")[0]
    torch.testing.assert_close(
        other.model.get_input_embeddings().weight[arrow],
        new.model.get_input_embeddings().weight[before],
        rtol=1e-2,
        atol=1e-3,
    )


def test_word_vectors_are_the_same_in_every_mini() -> None:
    one = mini.make_mini(EXAMPLES, [" <- parents"], GENERAL_SHAPE, seed=3)
    other = mini.make_mini(EXAMPLES, [" -> painter"], GENERAL_SHAPE, seed=3)
    first, second = (
        each.model.get_input_embeddings().weight[each.vocabulary.encode(" father")[0]]
        for each in (one, other)
    )
    torch.testing.assert_close(first, second)


def test_a_start_fits_minis_of_its_shape_alone() -> None:
    new = mini.make_mini(EXAMPLES, [], GENERAL_SHAPE, seed=3)
    start = take_start(new.model, new.tokenizer, new.own_tokens)
    assert start.fits(GENERAL_SHAPE)
    assert not start.fits(MiniShape(width=32, layers=1, heads=2))


def test_pretraining_broken_off_goes_on(tmp_path: Path) -> None:
    whole = PretrainingOptions(tmp_path / "whole.safetensors", schemas=3, questions=8, steps=6)
    outcome = pretrain_start(whole)
    assert outcome.questions == 24

    class StoppedError(Exception):
        pass

    def stop(stage: str, done: int, _: int | None, __: str = "") -> None:
        if (stage, done) == ("steps", 5):
            raise StoppedError

    half = PretrainingOptions(
        tmp_path / "half.safetensors", schemas=3, questions=8, steps=6, checkpoint=2
    )
    with pytest.raises(StoppedError):
        pretrain_start(half, stop)
    assert not half.out.exists()
    pretrain_start(half)
    first, second = read_start(whole.out), read_start(half.out)
    assert first.pieces == second.pieces
    torch.testing.assert_close(first.inputs, second.inputs)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "half.safetensors",
        "whole.safetensors",
    ]


def test_the_start_that_comes_along_fits_minis_of_paths_and_queries() -> None:
    start = load_start()
    assert start is not None
    assert start.fits(GENERAL_SHAPE)
