"""Explain paths: for questions with answers alone, the relation paths that explain these best.

How far to walk, and whether walks may come back, is chosen on some of the questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trellis.domain.errors import TrainingError
from trellis.domain.graphs.graph import Revisit, Scalar
from trellis.domain.graphs.links import Mention
from trellis.domain.ports import Graph
from trellis.questions.row import GoldPath, QuestionRow
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.link.mask_mentions import mask_mentions
from trellis.training.supervision.paths.explanations import (
    REVISITS,
    Explanation,
    WeakPathExample,
    best_revisit,
    find_explanations,
    measure_fit,
)
from trellis.training.supervision.paths.mixture import choose_explanations
from trellis.training.supervision.paths.path_readings import (
    LinkText,
    Reading,
    link_questions,
    place_paths,
)
from trellis.training.supervision.probing import choose_hops
from trellis.training.wording import split_words

_LONGEST = 3  # hops that are tried
_PROBED = 100  # questions that hops and revisit are chosen on


@dataclass(frozen=True, slots=True)
class ExplainedQuestion:
    """A question in its readings, and the paths that answer it."""

    readings: Sequence[Reading]
    paths: tuple[GoldPath, ...]


@dataclass(frozen=True, slots=True)
class ExplainedPaths:
    """The questions that have paths, the walks that these are, and where they come from."""

    questions: tuple[ExplainedQuestion, ...]
    hops: int
    revisit: Revisit
    source: Mapping[str, Scalar] = field(default_factory=dict)


async def explain_paths(
    questions: Sequence[QuestionRow],
    graph: Graph,
    link: LinkText,
    *,
    hops: int | None,
    edge_budget: int,
    revisit: Revisit | None = None,
) -> ExplainedPaths:
    """The paths of questions: those given, else those that explain the answers best.

    Raises TrainingError where no question has paths or answers around what it mentions.
    """
    readings = await link_questions(questions, graph, link)
    usable = [
        those for those in readings if those and (_is_gold(those) or those[0].asked.known_answers)
    ]
    if not usable:
        raise TrainingError(
            f"none of {len(questions)} questions can be learnt from",
            "give questions about the loaded graph, with `paths` or `answers`",
        )
    gold = [those for those in usable if _is_gold(those)]
    weak = [those for those in usable if not _is_gold(those)]
    probe = _Probe(graph, edge_budget)
    longest = max((len(p.steps) for those in gold for p in those[0].asked.paths), default=0)
    reach = hops or max(longest, await probe.choose_hops(weak) if weak else 0)
    rule = revisit or await probe.choose_revisit(gold, weak, reach)
    explained = await probe.explain(weak, reach, rule)
    known = [ExplainedQuestion(those, those[0].asked.paths) for those in gold]
    source: dict[str, Scalar] = {
        "questions": len(questions),
        "gold_paths": len(gold),
        "explained": len(explained),
        "unused": len(questions) - len(gold) - len(explained),
        "linked": sum(those[0].linked for those in usable),
    }
    return ExplainedPaths((*known, *explained), reach, rule, source)


def _is_gold(readings: Sequence[Reading]) -> bool:
    return bool(readings[0].asked.paths)


@dataclass(frozen=True, slots=True)
class _Probe:
    """Looks around the topics of questions."""

    graph: Graph
    edge_budget: int

    async def choose_hops(self, weak: Sequence[Sequence[Reading]]) -> int:
        """The fewest hops that explain the answers about as well as more would."""
        examples = await self._make_examples(_sample_evenly(weak), _LONGEST)
        found = (
            [find_explanations(example, hops, "not_topic") for example in examples]
            for hops in range(1, _LONGEST + 1)
        )
        fits = [sum(map(_find_best, those)) / max(1, len(those)) for those in found]
        return choose_hops(fits) or 1

    async def choose_revisit(
        self, gold: Sequence[Sequence[Reading]], weak: Sequence[Sequence[Reading]], hops: int
    ) -> Revisit:
        """The rule under which paths reproduce the answers best; see `best_revisit`."""
        answered = _sample_evenly([those for those in gold if those[0].asked.known_answers])
        fits: dict[Revisit, list[float]] = {rule: [] for rule in REVISITS}
        examples = await self._make_examples(answered, hops)
        for those, example in zip(answered, examples, strict=True):
            paths = place_paths(those[0], those[0].asked.paths)
            for rule in REVISITS:
                if paths:
                    fits[rule].append(measure_fit(example, paths, rule))
        for example in await self._make_examples(_sample_evenly(weak), hops):
            for rule in REVISITS:
                explanations = find_explanations(example, hops, rule)
                fits[rule].append(_find_best(explanations))
        return best_revisit(fits)

    async def explain(
        self, weak: Sequence[Sequence[Reading]], hops: int, revisit: Revisit
    ) -> list[ExplainedQuestion]:
        """Questions with the paths that explain their answers; those without are left out."""
        examples = await self._make_examples(weak, hops)
        candidates = [find_explanations(e, hops, revisit) for e in examples]
        chosen = choose_explanations(examples, candidates)
        return [
            ExplainedQuestion(those, _name_topics(those[0].mentions, explanation))
            for those, explanation in zip(weak, chosen, strict=True)
            if explanation is not None
        ]

    async def _make_examples(
        self, readings: Sequence[Sequence[Reading]], hops: int
    ) -> list[WeakPathExample]:
        return [await self._make_example(those[0], hops) for those in readings]

    async def _make_example(self, reading: Reading, hops: int) -> WeakPathExample:
        anchors = dict.fromkeys(a for mention in reading.mentions for a in list_anchor_ids(mention))
        around = await self.graph.neighbourhood(
            list(anchors), hops, edge_budget=self.edge_budget, names=True
        )
        words = split_words(mask_mentions(reading.asked.question, reading.mentions))
        return WeakPathExample.of(words, reading.mentions, around, reading.asked.known_answers)


def _name_topics(mentions: Sequence[Mention], explanation: Explanation) -> tuple[GoldPath, ...]:
    return tuple(GoldPath(mentions[p.mention].best.node.name, p.steps) for p in explanation.paths)


def _find_best(explanations: Sequence[Explanation]) -> float:
    return explanations[0].f1 if explanations else 0.0


def _sample_evenly(readings: Sequence[Sequence[Reading]]) -> Sequence[Sequence[Reading]]:
    """At most `_PROBED` of them, evenly spread."""
    return readings[:: max(1, len(readings) // _PROBED)][:_PROBED]
