"""Lessons: what a model of task `path` is trained on, and what its card will say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from trellis.domain.errors import TrainingError
from trellis.domain.graph import Revisit, Scalar
from trellis.domain.links import Mention
from trellis.domain.ports import Graph
from trellis.steps.paths.path_prompt import mask_mentions
from trellis.steps.paths.retrieve_trie import anchor_ids
from trellis.training import mentions, supervision
from trellis.training.examples import Example, MentionPath
from trellis.training.mentions import Link, Reading
from trellis.training.questions import Asked, GoldPath, words
from trellis.training.supervision import REVISITS, Explanation, Puzzle

DEFAULT_HOPS = 2
_LONGEST = 3  # hops that weak supervision tries
_PROBED = 100  # questions that hops and revisit are chosen on
_GAIN = 0.02  # what a further hop must explain more of


@dataclass(frozen=True, slots=True)
class Lesson:
    """Examples, and the walks that they teach."""

    examples: tuple[Example, ...]
    hops: int
    revisit: Revisit
    meets: bool
    source: Mapping[str, Scalar] = field(default_factory=dict)

    def beside(self, made: Lesson) -> Lesson:
        """These examples, repeated until they are as many as the ones made, and those."""
        times = max(1, round(len(made.examples) / len(self.examples)))
        source = {**self.source, "made": len(made.examples)}
        return replace(self, examples=self.examples * times + made.examples, source=source)


@dataclass(frozen=True, slots=True)
class Taught:
    """Questions in their readings, each with the paths that answer it, and where these are from."""

    pairs: tuple[tuple[Sequence[Reading], tuple[GoldPath, ...]], ...]
    hops: int
    revisit: Revisit
    source: Mapping[str, Scalar] = field(default_factory=dict)


async def from_questions(
    questions: Sequence[Asked],
    graph: Graph,
    link: Link,
    *,
    hops: int | None,
    edge_budget: int,
    revisit: Revisit | None = None,
) -> Lesson:
    """Lessons from gold paths where questions have them, else from what explains their answers."""
    found = await taught(
        questions, graph, link, hops=hops, edge_budget=edge_budget, revisit=revisit
    )
    examples = tuple(e for those, paths in found.pairs for e in _examples(those, paths, found.hops))
    if not examples:
        raise TrainingError("no question has a path from its topics", "see the question format")
    return Lesson(examples, found.hops, found.revisit, meeting(examples), found.source)


async def taught(
    questions: Sequence[Asked],
    graph: Graph,
    link: Link,
    *,
    hops: int | None,
    edge_budget: int,
    revisit: Revisit | None = None,
) -> Taught:
    """The paths of questions: those given, else those that explain the answers best."""
    found = await mentions.readings(questions, graph, link)
    usable = [
        those for those in found if those and (those[0].asked.paths or those[0].asked.answers)
    ]
    if not usable:
        raise TrainingError(
            f"none of {len(questions)} questions can be learnt from",
            "give questions about the loaded graph, with `paths` or `answers`",
        )
    gold = [those for those in usable if those[0].asked.paths]
    weak = [those for those in usable if not those[0].asked.paths]
    study = _Study(graph, edge_budget)
    longest = max((len(p.steps) for those in gold for p in those[0].asked.paths), default=0)
    reach = hops or max(longest, await study.hops(weak) if weak else 0)
    rule = revisit or await study.revisit(gold, weak, reach)
    explained = await study.explained(weak, reach, rule)
    pairs = [(those, those[0].asked.paths) for those in gold] + explained
    source: dict[str, Scalar] = {
        "questions": len(questions),
        "gold_paths": len(gold),
        "explained": len(explained),
        "unused": len(questions) - len(gold) - len(explained),
        "linked": sum(those[0].linked for those in usable),
    }
    return Taught(tuple(pairs), reach, rule, source)


@dataclass(frozen=True, slots=True)
class _Study:
    """Looks around the topics of questions."""

    graph: Graph
    edge_budget: int

    async def hops(self, weak: Sequence[Sequence[Reading]]) -> int:
        """The fewest hops that explain the answers about as well as more would."""
        probed = await self.puzzles(_spread(weak), _LONGEST)
        chosen, best = 1, 0.0
        for hops in range(1, _LONGEST + 1):
            fit = _mean([_best(supervision.explanations(p, hops, "not_topic")) for p in probed])
            if fit > best + _GAIN:
                chosen, best = hops, fit
        return chosen

    async def revisit(
        self, gold: Sequence[Sequence[Reading]], weak: Sequence[Sequence[Reading]], hops: int
    ) -> Revisit:
        """The rule under which paths reproduce the answers best; see `best_revisit`."""
        answered = [those for those in gold if those[0].asked.answers]
        fits: dict[Revisit, list[float]] = {rule: [] for rule in REVISITS}
        for those, puzzle in await self._pairs(_spread(answered), hops):
            paths = _placed(those[0], those[0].asked.paths)
            for rule in REVISITS:
                if paths:
                    fits[rule].append(supervision.fit_of(puzzle, paths, rule))
        for puzzle in await self.puzzles(_spread(weak), hops):
            for rule in REVISITS:
                fits[rule].append(_best(supervision.explanations(puzzle, hops, rule)))
        return supervision.best_revisit(fits)

    async def explained(
        self, weak: Sequence[Sequence[Reading]], hops: int, revisit: Revisit
    ) -> list[tuple[Sequence[Reading], tuple[GoldPath, ...]]]:
        """Questions with the paths that explain their answers; those without are left out."""
        pairs = await self._pairs(weak, hops)
        candidates = [supervision.explanations(puzzle, hops, revisit) for _, puzzle in pairs]
        chosen = supervision.chosen([puzzle for _, puzzle in pairs], candidates)
        return [
            (those, _named(those[0].mentions, one))
            for (those, _), one in zip(pairs, chosen, strict=True)
            if one is not None
        ]

    async def puzzles(self, found: Sequence[Sequence[Reading]], hops: int) -> list[Puzzle]:
        return [puzzle for _, puzzle in await self._pairs(found, hops)]

    async def _pairs(
        self, found: Sequence[Sequence[Reading]], hops: int
    ) -> list[tuple[Sequence[Reading], Puzzle]]:
        return [(those, await self._puzzle(those[0], hops)) for those in found]

    async def _puzzle(self, reading: Reading, hops: int) -> Puzzle:
        anchors = dict.fromkeys(a for mention in reading.mentions for a in anchor_ids(mention))
        around = await self.graph.neighbourhood(
            list(anchors), hops, edge_budget=self.edge_budget, names=True
        )
        said = words(mask_mentions(reading.asked.text, reading.mentions))
        return Puzzle.of(said, reading.mentions, around, reading.asked.answers)


def _examples(those: Sequence[Reading], paths: Sequence[GoldPath], hops: int) -> list[Example]:
    """The pairs of a question's readings; they share its weight."""
    if any(len(path.steps) > hops for path in paths):
        return []
    found = [mentions.example(reading, paths, 1.0 / len(those)) for reading in those]
    return [example for example in found if example is not None]


def _placed(reading: Reading, paths: Sequence[GoldPath]) -> tuple[MentionPath, ...]:
    numbers = [mentions.mention_of(path.topic, reading.mentions) for path in paths]
    pairs = zip(numbers, paths, strict=True)
    placed = tuple(MentionPath(n, path.steps) for n, path in pairs if n is not None)
    return placed if len(placed) == len(paths) else ()


def _named(found: Sequence[Mention], one: Explanation) -> tuple[GoldPath, ...]:
    return tuple(GoldPath(found[p.mention].links[0].node.name, p.steps) for p in one.paths)


def meeting(examples: Sequence[Example]) -> bool:
    return any(segment.startswith(" & ") for e in examples for segment in e.segments)


def _best(found: Sequence[Explanation]) -> float:
    return found[0].f1 if found else 0.0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))


def _spread(found: Sequence[Sequence[Reading]]) -> Sequence[Sequence[Reading]]:
    """At most `_PROBED` of them, evenly spread."""
    return found[:: max(1, len(found) // _PROBED)][:_PROBED]
