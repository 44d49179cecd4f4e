"""Makes examples from the graph alone: questions for paths that exist."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from trellis.domain.graphs.graph import Revisit, Step
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Embedder, Graph
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.lexicon.names import read_name, strip_endings
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.relations.event_verbs import EventKind
from trellis.lexicon.relations.phrases import Phrases
from trellis.steps.link.mask_mentions import mention_placeholder
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary
from trellis.training.examples import MentionPath, PathExample
from trellis.training.synthesis.asking import Asker
from trellis.training.synthesis.walks import SampledPath, sample_paths

_TWIN = 0.08  # weight of a backward step whose meaning another relation has forwards
_BACK = 0.5  # weight of other backward steps
_EACH, _LEAST, _MOST = 25, 4_000, 30_000  # questions for each path; the fewest and most in all
_SHARES = (0.35, 0.35, 0.3)  # of paths with one step, with two, and with three or more
_RARE = 0.5  # exponent by which paths over rare relations are favoured
_MEET = 0.2  # share of questions with two conditions
_LONGER = 0.25  # share of these of which one path has two steps, where there are any
_IDIOM = 0.3  # probability that two steps are named by one noun, where there is one
_EVENT = 0.6  # probability that two steps over an event are said by a verb
_KIND_SAID = 0.12  # share of questions that say what kind of node their topic is
_KINDS = ("the {kind} {topic}", "the {kind} {topic}", "{kind} {topic}", "the {kind} called {topic}")
_OTHERS = ("one", "others", "things")
_WITH_ANYBODY = ("people",)
_SAME_ASKS = (
    "which [k] have the same [n] as {}",
    "which [k] share [n] with {}",
    "what other [k] have the [n] of {}",
    "what [k] share their [n] with {}",
    "which [k] are of the same [n] as {}",
    "the [n] of {} is also the [n] of which [k]",
    "{} shares its [n] with which [k]",
    "loved {} , more from the same [n]",
    "i liked {} , what else is there by the same [n]",
    "more [k] with the [n] of {}",
    "what else is by the [n] of {}",
)
_SAME_CLAUSES = (
    "the [k] with the same [n] as {}",
    "[k] that share [n] with {}",
    "the [k] that have the same [n] as {}",
    "other [k] of the [n] of {}",
    "[k] sharing their [n] with {}",
    "the [k] whose [n] is also the [n] of {}",
    "[k] by the same [n] as {}",
    "other [k] with the [n] of {}",
    "more [k] from the [n] of {}",
)
_WITH_ASKS = (
    "who worked with {}",
    "which [n] worked with {}",
    "which [n] has {} worked with",
    "with which [n] did {} work",
    "whom did {} work with as [n]",
)
_WITH_CLAUSES = (
    "the [n] who worked with {}",
    "[n] who have worked with {}",
    "the [n] that {} worked with",
    "[n] {} has worked with",
)

OverEvents = Mapping[tuple[Step, Step], tuple[EventKind, bool]]
"""The events that two steps go over, and whether they lead to what is done to something."""

OwnNames = Mapping[str, Collection[str]]
"""The relations that have some words as their name, by these words without endings."""


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
    report: Progress = ignore_progress,
) -> tuple[tuple[PathExample, ...], int]:
    """`count` questions for paths of up to `hops` steps, and the number of different paths.

    Where `count` is None, it follows from the number of paths.
    """
    book = Phrasebook.of_schema(schema, wording)
    events = read_schema_vocabulary(schema).events
    paths = await sample_paths(graph, embedder, schema, hops, revisit, seed, report=report)
    count = count or max(_LEAST, min(_MOST, _EACH * len(paths)))
    examples = compose_examples(paths, book, count, seed, meets=meets, events=events)
    return examples, len(paths)


def compose_examples(
    paths: Sequence[SampledPath],
    book: Phrasebook,
    count: int,
    seed: int,
    *,
    meets: bool = False,
    events: Sequence[EventKind] = (),
) -> tuple[PathExample, ...]:
    """Questions for paths, which are drawn by how natural and how frequent they are.

    `meets`: whether a share of the questions has two conditions. They need labels in the graph.
    `events`: those of the graph, which steps over them are at times said by a verb of.
    """
    over = {steps: (event, to) for event in events for steps, to in event.list_steps().items()}
    forward = {book.concepts.find_id(step.relation) for path in paths for step in path.steps}
    own = _list_own_names(paths)
    natural = [_weigh_path(path, book, forward - {None}) for path in paths]
    weights = _balance_lengths(paths, _balance_relations(paths, natural))
    generator, asker = random.Random(seed), Asker(seed)
    pairs = Pairs(paths) if meets else None
    tries = range(round(_MEET * count) if pairs else 0)
    attempts = (
        [_make_joint_example(*pairs.draw_pair(generator), book, own, asker) for _ in tries]
        if pairs
        else []
    )
    joint = [example for example in attempts if example is not None]
    drawn = generator.choices(paths, weights, k=count - len(joint))
    alone = (_make_example(path, book, own, over, asker, generator) for path in drawn)
    return (*alone, *joint)


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


def _balance_relations(paths: Sequence[SampledPath], weights: Sequence[float]) -> list[float]:
    """Weights that favour paths over relations that few others go over, so that every relation is
    asked about, and not the frequent ones alone."""
    often: dict[Step, float] = defaultdict(float)
    for path in paths:
        for step in path.steps:
            often[step] += path.weight
    return [
        weight * sum(often[step] ** -_RARE for step in path.steps) / len(path.steps)
        for path, weight in zip(paths, weights, strict=True)
    ]


def _weigh_path(path: SampledPath, book: Phrasebook, forward: set[str | None]) -> float:
    """How natural and frequent a path is; `forward`: the concepts that relations name."""
    weight = path.weight
    for step in path.steps:
        if step.reversed:
            weight *= _TWIN if book.concepts.find_inverse(step) in forward else _BACK
    return weight


class Pairs:
    """Draws pairs of paths that can meet, because their answers have a label in common."""

    def __init__(self, paths: Sequence[SampledPath]) -> None:
        self._short: dict[str, list[SampledPath]] = defaultdict(list)
        self._long: dict[str, list[SampledPath]] = defaultdict(list)
        for path in paths:
            label = path.labels[-1]
            if label is not None and len(path.steps) <= 2:
                (self._short if len(path.steps) == 1 else self._long)[label].append(path)
        self._labels = [label for label, short in self._short.items() if len(short) > 1]

    def __bool__(self) -> bool:
        return bool(self._labels)

    def draw_pair(self, generator: random.Random) -> tuple[SampledPath, SampledPath]:
        """Two paths; both may be the same path, which then starts from two topics."""
        sizes = [len(self._short[label]) for label in self._labels]
        label = generator.choices(self._labels, sizes)[0]
        short = _pick_path(self._short[label], generator)
        other = _pick_path(self._short[label], generator)
        if self._long[label] and generator.random() < _LONGER:
            other = _pick_path(self._long[label], generator)
        return (short, other) if generator.random() < 0.5 else (other, short)


def _pick_path(paths: Sequence[SampledPath], generator: random.Random) -> SampledPath:
    return generator.choices(paths, [path.weight for path in paths])[0]


def _make_joint_example(
    first: SampledPath, second: SampledPath, book: Phrasebook, own: OwnNames, asker: Asker
) -> PathExample | None:
    """An example of two paths that meet; None where no question puts their topics in order."""
    topics = (mention_placeholder(0).lower(), mention_placeholder(1).lower())
    question = asker.ask_conjunction(
        _find_phrases(first, book, own), _find_phrases(second, book, own), topics
    )
    if question is None or question.find(topics[0]) > question.find(topics[1]):
        return None
    for number, topic in enumerate(topics):
        question = question.replace(topic, mention_placeholder(number))
    return PathExample(question, (MentionPath(0, first.steps), MentionPath(1, second.steps)))


def _list_own_names(paths: Sequence[SampledPath]) -> OwnNames:
    own: dict[str, set[str]] = defaultdict(set)
    for relation in {step.relation for path in paths for step in path.steps}:
        own[strip_endings(read_name(relation).core)].add(relation)
    return own


def _find_phrases(path: SampledPath, book: Phrasebook, own: OwnNames) -> list[Phrases]:
    """The phrases of each step of a path, without nouns that are another relation's own name."""
    found = []
    for step, label in zip(path.steps, path.labels, strict=True):
        phrases = book.phrases_of(step, label)
        nouns, types = (
            tuple(noun for noun in those if _is_free(noun, step, own))
            for those in (phrases.nouns, phrases.types)
        )
        said = bool(nouns or phrases.asks or phrases.clauses)
        found.append(replace(phrases, nouns=nouns, types=types) if said else phrases)
    return found


def _is_free(noun: str, step: Step, own: OwnNames) -> bool:
    """Whether a noun can mean a step: it is not the name of another relation, nor, of a step
    backwards, that of its own."""
    named = own.get(strip_endings(noun), set())
    return not named or (step.relation in named and not step.reversed)


def _make_example(
    path: SampledPath,
    book: Phrasebook,
    own: OwnNames,
    over: OverEvents,
    asker: Asker,
    generator: random.Random,
) -> PathExample:
    topic = mention_placeholder(0).lower()
    phrases = _join_steps(path, _find_phrases(path, book, own), book, over, generator)
    question = asker.ask_path(phrases, topic)
    kinds = book.start_nouns(path.steps[0], path.start)
    if kinds and generator.random() < _KIND_SAID:
        kind = generator.choice(_KINDS).format(kind=generator.choice(kinds), topic=topic)
        question = question.replace(topic, kind, 1)
    question = question.replace(topic, mention_placeholder(0))
    return PathExample(question, (MentionPath(0, path.steps),))


def _join_steps(
    path: SampledPath,
    phrases: list[Phrases],
    book: Phrasebook,
    over: OverEvents,
    generator: random.Random,
) -> list[Phrases]:
    """The phrases, those of the first two steps that can be said at once at times joined."""
    for at in range(len(phrases) - 1):
        two = path.steps[at : at + 2], phrases[at : at + 2]
        joined = _join_two(*two, book, over, generator)
        if joined:
            return [*phrases[:at], joined, *phrases[at + 2 :]]
    return phrases


def _join_two(
    steps: Sequence[Step],
    phrases: Sequence[Phrases],
    book: Phrasebook,
    over: OverEvents,
    generator: random.Random,
) -> Phrases | None:
    """Two steps said by a verb for the event that they go over, by a noun that means both, as what
    has the same, where the second goes back over the first, or as who worked with somebody."""
    first, second = steps
    event, to_patient = over.get((first, second), (None, False))
    if event and generator.random() < _EVENT:
        asked = event.patient if to_patient else event.agent
        verb = generator.choice(event.verbs)
        return event.say_ends(verb, to_patient, phrases[1].types, asks_person=asked.is_person)
    nouns = book.idiom_of((first, second))
    if nouns and generator.random() < _IDIOM:
        return Phrases(nouns=nouns, wh="who")
    is_back = first.relation == second.relation and first.reversed != second.reversed
    if is_back and phrases[0].nouns and generator.random() < _IDIOM:
        return _say_same(phrases[0], phrases[1], generator)
    if _meet_at_work(steps, book) and generator.random() < _IDIOM:
        return _say_with_whom(phrases[1], generator)
    return None


def _meet_at_work(steps: Sequence[Step], book: Phrasebook) -> bool:
    """Whether two steps lead from who did something, over what was done, to who did it too."""
    first, second = steps
    done = first.reversed and not second.reversed and book.phrases_of(first).wh == "what"
    doers = Step(first.relation), second
    return done and all(book.phrases_of(step).wh == "who" for step in doers)


def _say_with_whom(second: Phrases, generator: random.Random) -> Phrases:
    """The phrases for who worked with Y: the directors that an actor worked with."""
    noun = generator.choice(second.nouns or _WITH_ANYBODY)
    asks, clauses = (
        tuple(text.replace("[n]", noun) for text in texts) for texts in (_WITH_ASKS, _WITH_CLAUSES)
    )
    return Phrases(asks=asks, clauses=clauses, types=second.types, wh="who")


def _say_same(first: Phrases, back: Phrases, generator: random.Random) -> Phrases:
    """The phrases for what has the same as Y: films with the same director as Y."""
    ends = back.types or back.nouns or _OTHERS
    kind, noun = generator.choice(ends), generator.choice(first.nouns)
    asks, clauses = (
        tuple(text.replace("[k]", kind).replace("[n]", noun) for text in texts)
        for texts in (_SAME_ASKS, _SAME_CLAUSES)
    )
    return Phrases(asks=asks, clauses=clauses, types=back.types, wh=back.wh)
