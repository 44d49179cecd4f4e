"""Task `chain`: what paths are said as, and that the language says it."""

from __future__ import annotations

import pytest

from trellis.automata.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.chains.language import ChainOptions
from trellis.automata.chains.opening import open_chains
from trellis.automata.reader import Reader, SentenceReading
from trellis.automata.walks import Start
from trellis.domain.graph import Step
from trellis.training.examples import MentionPath, PathExample
from trellis.training.registry import find_tasks
from trellis.training.tasks.chain import render_chain_example

DIRECTED, BACK = Step("directed_by"), Step("directed_by", reversed=True)
ACTS = Step("starred_actors", reversed=True)
GRAPH = [
    (0, "directed_by", 1),
    (2, "directed_by", 1),
    (0, "starred_actors", 3),
    (2, "starred_actors", 4),
    (0, "starred_actors", 4),
]


@pytest.mark.parametrize(
    ("paths", "sentence"),
    [
        ([(0, [BACK])], " ENT1 <- directed_by ="),
        ([(0, [BACK, DIRECTED])], " ENT1 <- directed_by -> directed_by ="),
        ([(1, [ACTS]), (0, [BACK])], " ENT1 <- directed_by ; ENT2 <- starred_actors & X1 ="),
        (
            [(0, [BACK]), (1, [ACTS]), (2, [ACTS])],
            " ENT1 <- directed_by ; ENT2 <- starred_actors & X1 ; ENT3 <- starred_actors & X1 =",
        ),
        (
            [(0, [BACK]), (1, [ACTS, DIRECTED, BACK])],
            " ENT1 <- directed_by ; ENT2 <- starred_actors -> directed_by <- directed_by & X1 =",
        ),
    ],
)
def test_paths_as_chains(paths: list[tuple[int, list[Step]]], sentence: str) -> None:
    placed = tuple(MentionPath(mention, tuple(steps)) for mention, steps in paths)
    example = render_chain_example(PathExample("what of ENT1 and ENT2", placed, 0.5))
    assert "".join(example.segments) == sentence
    assert example.prompt.render() == "Question: what of ENT1 and ENT2\nChain:"
    assert example.weight == 0.5
    names = [str(i) for i in range(5)]
    graph = cut_neighbourhood(build_adjacency(names, names, GRAPH), [1, 3, 4], 5)
    starts = [Start(f" ENT{i + 1}", (i,), i) for i in range(3)]
    language = open_chains(graph, starts, ChainOptions(revisit="any"))
    read = Reader(language).read_text(sentence)
    assert isinstance(read, SentenceReading)
    [chain] = read.values
    said = {(path.mention, path.steps) for path in chain.paths}
    assert said == {(path.mention, path.steps) for path in placed}


def test_the_task_is_trained_by_its_name() -> None:
    [task] = find_tasks(["chain"], has_questions=False)
    assert task.name == "chain"
