"""Training targets are what decoding spells: token by token inside the language."""

from __future__ import annotations

import pytest
import torch

from trellis.automata.paths.walks import Start, Walks
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.vocabulary import TokenizerVocabulary
from trellis.domain.graphs.graph import Step
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.training.examples import Example, MentionPath, path_segments, relation_segments
from trellis.training.language_models.rows import (
    IGNORED,
    TokenRows,
    encode_examples,
    make_batch,
    shuffle_batches,
)
from unit.training.family import graph
from unit.training.small_training import build_vocabulary

PATHS = (
    (MentionPath(0, (Step("parents"), Step("religion"))),),
    (MentionPath(1, (Step("religion", True), Step("parents"))),),
    (MentionPath(1, (Step("religion", True),)), MentionPath(0, (Step("parents"),))),
)


@pytest.fixture(scope="module")
def vocabulary() -> TokenizerVocabulary:
    return build_vocabulary(["Question: who\nPath:", " -> parents"], ["religion"])


@pytest.mark.parametrize("paths", PATHS)
async def test_a_target_is_a_sentence_of_the_language(
    vocabulary: TokenizerVocabulary, paths: tuple[MentionPath, ...]
) -> None:
    memory = graph()
    known = {node.name: node.id for node in memory.nodes}
    anchors = [known["bert_jones"], known["islam"]]
    around = await memory.neighbourhood(anchors, 2, edge_budget=1000, names=False)
    starts = [Start(f" ENT{i + 1}", (int(a),), i) for i, a in enumerate(around.anchors)]
    automaton = TokenAutomaton(Walks(around, starts, hops=2, revisit="any", meets=True), vocabulary)
    rows = encode_examples(
        [Example(build_masked_path_prompt("p"), path_segments(paths))], vocabulary
    )
    state = automaton.start()
    for token in rows.tokens[0][rows.prompts[0] : -1]:
        advanced = automaton.advance(state, token)
        assert advanced is not None
        state = advanced
    assert automaton.accepting(state)
    assert rows.tokens[0][-1] in vocabulary.ends


def test_meeting_paths_are_said_in_the_order_of_their_mentions() -> None:
    assert path_segments(PATHS[2]) == (" ENT1", " -> parents", " & ENT2", " <- religion")


def list_choices(rows: TokenRows, at: int) -> list[int]:
    """The tokens of a row's target that are choices."""
    target = rows.tokens[at][rows.prompts[at] :]
    return [token for token, is_choice in zip(target, rows.chosen[at], strict=True) if is_choice]


def test_labels_are_the_targets_choices_and_nothing_else(vocabulary: TokenizerVocabulary) -> None:
    examples = [
        Example(build_masked_path_prompt("a longer prompt"), (" ENT1", " -> parents")),
        Example(build_masked_path_prompt("p"), (" ENT1",)),
    ]
    rows = encode_examples(examples, vocabulary)
    made = make_batch(rows, [0, 1])
    for at, row in enumerate(rows.tokens):
        said = made.labels[at][made.labels[at] != IGNORED]
        assert said.tolist() == list_choices(rows, at)
        assert made.inputs[at, : len(row) - 1].tolist() == list(row[:-1])
    assert made.inputs.shape == made.labels.shape
    assert made.weights.dtype == torch.float32


def test_what_follows_by_itself_is_no_choice(vocabulary: TokenizerVocabulary) -> None:
    said = (" ENT1", " -> place_of_birth")
    rows = encode_examples(
        [Example(build_masked_path_prompt("where"), said)], vocabulary, [" -> place_of_death"]
    )
    choices = [token for token in list_choices(rows, 0) if token not in vocabulary.ends]
    texts = [vocabulary.decode([token]) for token in choices]
    assert texts[-1].lstrip(" _").startswith("b")
    assert not any("place" in text for text in texts)


def test_what_can_be_said_includes_relations_that_no_example_says(
    vocabulary: TokenizerVocabulary,
) -> None:
    example = Example(build_masked_path_prompt("p"), (" ENT1",))
    rows = encode_examples([example], vocabulary, relation_segments(["religion"]))
    assert set(vocabulary.encode(" <- religion")) <= set(rows.sayable)


def test_every_epoch_shows_every_row_once() -> None:
    batches = shuffle_batches([5] * 7, 3, seed=1)
    epoch = [next(batches) for _ in range(3)]
    assert sorted(at for picked in epoch for at in picked) == list(range(7))
    again = shuffle_batches([5] * 7, 3, seed=1)
    assert [next(again) for _ in range(3)] == epoch


def test_rows_of_like_length_go_together() -> None:
    lengths = [1, 50, 2, 51, 3, 52]
    batches = shuffle_batches(lengths, 3, seed=1)
    epoch = sorted(sorted(next(batches)) for _ in range(2))
    assert epoch == [[0, 2, 4], [1, 3, 5]]
