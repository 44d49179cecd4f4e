"""Examples of task `path` from the graph alone: questions made for paths that exist."""

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

_TWIN = 0.08  # how often a step is walked backwards that another relation says forwards
_BACK = 0.5  # how often other steps are walked backwards
_EACH, _LEAST, _MOST = 25, 4_000, 12_000  # questions made for a path, and in all
_SHARES = (0.35, 0.35, 0.3)  # of paths of one, two, and three steps or more
_MEET = 0.2  # questions with two conditions, beside the others


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
    """`count` questions for paths of up to `hops` steps (None: as many as the paths are worth), and
    how many paths there are."""
    book = Phrasebook.load(wording, schema.synonyms)
    found = await sample_paths(graph, embedder, schema, hops, revisit, seed)
    count = count or max(_LEAST, min(_MOST, _EACH * len(found)))
    return compose_examples(found, book, count, seed, meets=meets), len(found)


def compose_examples(
    found: Sequence[SampledPath], book: Phrasebook, count: int, seed: int, *, meets: bool = False
) -> tuple[Example, ...]:
    """Questions for paths drawn by how natural and how frequent they are.

    `meets`: a share of them have two conditions, where the graph has labels to join them by.
    """
    forward = {book.concept_of(step.relation) for trail in found for step in trail.steps}
    weights = _balance_lengths(
        found, [_weigh_path(trail, book, forward - {None}) for trail in found]
    )
    generator, asker = random.Random(seed), Asker(seed)
    pairs = Pairs(found) if meets else None
    tries = range(round(_MEET * count) if pairs else 0)
    tried = (
        [_make_joint_example(pairs.draw_pair(generator), book, asker) for _ in tries]
        if pairs
        else []
    )
    joint = [example for example in tried if example is not None]
    drawn = generator.choices(found, weights, k=count - len(joint))
    return (*(_make_example(trail, book, asker, generator) for trail in drawn), *joint)


def _balance_lengths(found: Sequence[SampledPath], weights: Sequence[float]) -> list[float]:
    """Weights that give each length its share: there are few short paths, and they are what people
    ask for most."""
    totals: dict[int, float] = defaultdict(float)
    for trail, weight in zip(found, weights, strict=True):
        totals[len(trail.steps)] += weight
    return [
        weight / totals[len(trail.steps)] * _SHARES[min(len(trail.steps), len(_SHARES)) - 1]
        for trail, weight in zip(found, weights, strict=True)
    ]


def _weigh_path(trail: SampledPath, book: Phrasebook, forward: set[str | None]) -> float:
    weight = trail.weight
    for step in trail.steps:
        if step.reversed:
            weight *= _TWIN if book.inverse_of(step) in forward else _BACK
    return weight


def _make_joint_example(pair: Pair, book: Phrasebook, asker: Asker) -> Example | None:
    """An example of two paths that meet; None where their relations cannot be said together."""
    topics = (mention_placeholder(0).lower(), mention_placeholder(1).lower())
    question = asker.ask_conjunction(
        _find_phrases(pair.one, book), _find_phrases(pair.other, book), topics
    )
    if question is None or question.find(topics[0]) > question.find(topics[1]):
        return None
    for number, topic in enumerate(topics):
        question = question.replace(topic, mention_placeholder(number))
    paths = [MentionPath(0, pair.one.steps), MentionPath(1, pair.other.steps)]
    return Example(build_masked_path_prompt(question), path_segments(paths))


def _find_phrases(trail: SampledPath, book: Phrasebook) -> list[Phrases]:
    pairs = zip(trail.steps, trail.labels, strict=True)
    return [book.phrases_of(step, label) for step, label in pairs]


def _make_example(
    trail: SampledPath, book: Phrasebook, asker: Asker, generator: random.Random
) -> Example:
    topic = mention_placeholder(0).lower()
    said = _find_phrases(trail, book)
    for at in range(len(said) - 1):
        nouns = book.idiom_of(trail.steps[at : at + 2])
        if nouns and generator.random() < 0.3:
            said[at : at + 2] = [Phrases(nouns=nouns, wh="who")]
            break
    question = asker.ask_path(said, topic).replace(topic, mention_placeholder(0))
    return Example(build_masked_path_prompt(question), path_segments([MentionPath(0, trail.steps)]))
