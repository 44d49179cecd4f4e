"""Makes examples of task `path` from the graph alone: questions for paths that exist."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from trellis.domain.graph import Revisit
from trellis.domain.ports import Embedder, Graph
from trellis.domain.schema import Schema
from trellis.steps.paths.path_prompt import build_masked_path_prompt, mention_placeholder
from trellis.training.examples import Example, MentionPath, path_segments
from trellis.training.synthesis.asking import Asker
from trellis.training.synthesis.conjunctions import Pair, Pairs
from trellis.training.synthesis.phrasebook import Phrasebook, Phrases
from trellis.training.synthesis.walks import SampledPath, sample_paths

_TWIN = 0.08  # weight of a backward step whose meaning another relation has forwards
_BACK = 0.5  # weight of other backward steps
_EACH, _LEAST, _MOST = 25, 4_000, 12_000  # questions for each path; the fewest and most in all
_SHARES = (0.35, 0.35, 0.3)  # of paths with one step, with two, and with three or more
_MEET = 0.2  # share of questions with two conditions
_IDIOM = 0.3  # probability that two steps are named by one noun, where there is one


async def synthesize_path_examples(
    graph: Graph,
    embedder: Embedder,
    schema: Schema,
    *,
    hops: int,
    revisit: Revisit,
    count: int | None,
    seed: int,
    wording: Path | None,
    meets: bool,
) -> tuple[tuple[Example, ...], int]:
    """`count` questions for paths of up to `hops` steps, and the number of different paths.

    Where `count` is None, it follows from the number of paths.
    """
    book = Phrasebook.load(wording, schema.synonyms)
    paths = await sample_paths(graph, embedder, schema, hops, revisit, seed)
    count = count or max(_LEAST, min(_MOST, _EACH * len(paths)))
    return compose_examples(paths, book, count, seed, meets=meets), len(paths)


def compose_examples(
    paths: Sequence[SampledPath], book: Phrasebook, count: int, seed: int, *, meets: bool = False
) -> tuple[Example, ...]:
    """Questions for paths, which are drawn by how natural and how frequent they are.

    `meets`: whether a share of the questions has two conditions. They need labels in the graph.
    """
    forward = {book.concept_of(step.relation) for path in paths for step in path.steps}
    weights = _balance_lengths(paths, [_weigh_path(path, book, forward - {None}) for path in paths])
    generator, asker = random.Random(seed), Asker(seed)
    pairs = Pairs(paths) if meets else None
    tries = range(round(_MEET * count) if pairs else 0)
    attempts = (
        [_make_joint_example(pairs.draw_pair(generator), book, asker) for _ in tries]
        if pairs
        else []
    )
    joint = [example for example in attempts if example is not None]
    drawn = generator.choices(paths, weights, k=count - len(joint))
    return (*(_make_example(path, book, asker, generator) for path in drawn), *joint)


def _balance_lengths(paths: Sequence[SampledPath], weights: Sequence[float]) -> list[float]:
    """Weights scaled so that each length gets its share, as people mostly ask for short paths and
    a graph has few of them."""
    totals: dict[int, float] = defaultdict(float)
    for path, weight in zip(paths, weights, strict=True):
        totals[len(path.steps)] += weight
    return [
        weight / totals[len(path.steps)] * _SHARES[min(len(path.steps), len(_SHARES)) - 1]
        for path, weight in zip(paths, weights, strict=True)
    ]


def _weigh_path(path: SampledPath, book: Phrasebook, forward: set[str | None]) -> float:
    """How natural and frequent a path is; `forward`: the concepts that relations name."""
    weight = path.weight
    for step in path.steps:
        if step.reversed:
            weight *= _TWIN if book.inverse_of(step) in forward else _BACK
    return weight


def _make_joint_example(pair: Pair, book: Phrasebook, asker: Asker) -> Example | None:
    """An example of two paths that meet; None where no question puts their topics in order."""
    topics = (mention_placeholder(0).lower(), mention_placeholder(1).lower())
    question = asker.ask_conjunction(
        _find_phrases(pair.first, book), _find_phrases(pair.second, book), topics
    )
    if question is None or question.find(topics[0]) > question.find(topics[1]):
        return None
    for number, topic in enumerate(topics):
        question = question.replace(topic, mention_placeholder(number))
    paths = [MentionPath(0, pair.first.steps), MentionPath(1, pair.second.steps)]
    return Example(build_masked_path_prompt(question), path_segments(paths))


def _find_phrases(path: SampledPath, book: Phrasebook) -> list[Phrases]:
    """The phrases of each step of a path."""
    pairs = zip(path.steps, path.labels, strict=True)
    return [book.phrases_of(step, label) for step, label in pairs]


def _make_example(
    path: SampledPath, book: Phrasebook, asker: Asker, generator: random.Random
) -> Example:
    topic = mention_placeholder(0).lower()
    phrases = _find_phrases(path, book)
    for index in range(len(phrases) - 1):
        nouns = book.idiom_of(path.steps[index : index + 2])
        if nouns and generator.random() < _IDIOM:
            phrases[index : index + 2] = [Phrases(nouns=nouns, wh="who")]
            break
    question = asker.ask_path(phrases, topic).replace(topic, mention_placeholder(0))
    return Example(build_masked_path_prompt(question), path_segments([MentionPath(0, path.steps)]))
