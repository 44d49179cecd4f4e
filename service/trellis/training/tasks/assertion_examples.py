"""Examples of tasks `assertion` and `schema_graph`: paths as decompositions and schema graphs.

Source: STEM, appendix C: the triples of a reasoning path with its unknown entities masked, and an
assertion for each of them. Whether a question has one answer or several is decided for all that
ask along the same relations, so that a model does not learn the luck of one topic.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from trellis.automata.assertions.language import AssertionLanguage
from trellis.automata.assertions.writing import number_entities, write_decomposition
from trellis.automata.patterns.words import PatternWords
from trellis.automata.schema_graphs.kinds import RelationKinds
from trellis.automata.schema_graphs.writing import write_schema_graph
from trellis.domain.errors import InputError
from trellis.domain.graphs.graph import NodeId, Step
from trellis.domain.ports import Graph
from trellis.domain.structures.decompositions import MOST_ASSERTIONS, Assertion, Decomposition
from trellis.domain.structures.traces import Strategy
from trellis.questions.row import GoldPath
from trellis.steps.retrieve.schema_graphs.retrieve_assertions import build_schema_graph_language
from trellis.steps.retrieve.schema_graphs.trace_prompts import (
    build_assertion_prompt,
    build_schema_graph_prompt,
)
from trellis.training.examples import Example, MentionPath, PathExample
from trellis.training.supervision.paths.explain_paths import ExplainedQuestion
from trellis.training.synthesis.assertion_words import AssertionWords, EntityWords

_MENTION = re.compile(r"\bENT(\d+)\b")
_SEVERAL = 0.5  # share of questions with several answers from which on breadth is the strategy

KeyT = TypeVar("KeyT")

PathSteps = tuple[tuple[Step, ...], ...]
"""The steps of each path of a question, in order."""


@dataclass(frozen=True, slots=True)
class StrategyTable:
    """How often several nodes answer: by the paths of questions, and by single steps."""

    by_paths: Mapping[PathSteps, float]
    by_step: Mapping[Step, float]

    def choose_strategy(self, paths: Sequence[MentionPath]) -> Strategy:
        """The strategy of questions along some paths. Where none was answered, by their steps: one
        way of several paths that meet has to lead to a single node."""
        known = self.by_paths.get(list_path_steps(paths))
        if known is None:
            known = min(self._estimate(path.steps) for path in paths)
        return "breadth" if known > _SEVERAL else "precision"

    def _estimate(self, steps: Sequence[Step]) -> float:
        single = 1.0
        for step in steps:
            single *= 1 - self.by_step.get(step, 0.0)
        return 1 - single


async def count_strategies(
    graph: Graph, nodes: Sequence[NodeId], questions: Sequence[ExplainedQuestion], edge_budget: int
) -> StrategyTable:
    """The table of answered questions, and of the relationships at some nodes."""
    several: dict[PathSteps, list[bool]] = defaultdict(list)
    for question in questions:
        answers = question.readings[0].asked.known_answers
        if answers:
            several[list_path_steps(question.paths)].append(len(set(answers)) > 1)
    around = await graph.neighbourhood(nodes, 1, edge_budget=edge_budget, names=False)
    many: dict[Step, list[bool]] = defaultdict(list)
    for row in around.anchors.tolist():
        targets: dict[Step, set[int]] = defaultdict(set)
        for entry in around.entries_of(row):
            targets[entry.step].add(entry.target)
        for step, reached in targets.items():
            many[step].append(len(reached) > 1)
    return StrategyTable(_average(several), _average(many))


def list_path_steps(paths: Sequence[MentionPath | GoldPath]) -> PathSteps:
    """The steps of paths, in an order of their own."""
    return tuple(sorted(path.steps for path in paths))


def decompose_paths(
    example: PathExample, words: AssertionWords, strategy: Strategy
) -> Decomposition:
    """The paths of an example as assertions, in the wording that is written."""
    triples = list_triples(example)
    assertions = tuple(Assertion(s, words.written[relation], o) for s, relation, o in triples)
    mentions = count_mentions(example)
    asked = mentions + len(example.paths[0].steps) - 1
    return number_entities(Decomposition(mentions, assertions, asked, strategy))


def list_triples(example: PathExample) -> list[tuple[int, str, int]]:
    """The triples of paths as they are said: the first path from its mention on, the others from
    what is asked for back to theirs, so that each is joined to those before it."""
    mentions = count_mentions(example)
    asked = mentions + len(example.paths[0].steps) - 1
    fresh, triples = mentions, list[tuple[int, str, int]]()
    for number, path in enumerate(example.paths):
        at, said = path.mention, list[tuple[int, str, int]]()
        for place, step in enumerate(path.steps, 1):
            if place == len(path.steps):
                other = asked
            else:
                fresh += fresh == asked
                other, fresh = fresh, fresh + 1
            head, tail = (other, at) if step.reversed else (at, other)
            said.append((head, step.relation, tail))
            at = other
        triples += reversed(said) if number else said
    return triples


def count_mentions(example: PathExample) -> int:
    """How many mentions a masked question has."""
    masks = [int(number) for number in _MENTION.findall(example.question)]
    return max([*masks, *(path.mention + 1 for path in example.paths)])


def render_assertion_example(
    example: PathExample, words: AssertionWords, table: StrategyTable
) -> Example:
    """The prompt and the sentence of some paths, as task `assertion` says them."""
    meant = decompose_paths(example, words, table.choose_strategy(example.paths))
    language = AssertionLanguage(meant.mentions, PatternWords(tuple(words.written.values())))
    prompt = build_assertion_prompt(example.question)
    return Example(prompt, write_decomposition(language, meant), example.weight)


class SchemaGraphExamples:
    """Makes examples of task `schema_graph`: assertions in many wordings, and their triples."""

    def __init__(self, kinds: RelationKinds, words: AssertionWords, seed: int) -> None:
        self._kinds = kinds
        self._words = words
        self._generator = random.Random(seed)

    def render_paths(self, example: PathExample) -> list[Example]:
        """The assertions of some paths, as they are written and in other words."""
        meant = decompose_paths(example, self._words, "precision")
        steps = [Step(relation) for _, relation, _ in list_triples(example)]
        varied, turned = self._vary(meant, steps)
        made = [self._render(meant, steps), self._render(varied, turned)]
        return [each for each in made if each is not None]

    def render_relations(self) -> Iterator[Example]:
        """Each relation of the schema alone, from a mention and to one, in all its wordings."""
        for relation in self._kinds.types:
            usual = EntityWords(self._words.written[relation])
            for wording in (usual, *self._words.read[relation]):
                for subject, end in ((0, 1), (1, 0)):
                    meant = Decomposition(
                        1, (Assertion(subject, wording.words, end),), 1, "precision"
                    )
                    made = self._render(meant, [Step(relation, wording.is_turned)])
                    if made is not None:
                        yield made

    def _vary(
        self, meant: Decomposition, steps: Sequence[Step]
    ) -> tuple[Decomposition, list[Step]]:
        """The same assertions in other words, at random."""
        assertions, said = [], []
        for each, step in zip(meant.assertions, steps, strict=True):
            usual = EntityWords(self._words.written[step.relation])
            wording = self._generator.choice((usual, *self._words.read[step.relation]))
            ends = each.subject, each.object
            subject, end = ends[::-1] if wording.is_turned else ends
            assertions.append(Assertion(subject, wording.words, end))
            said.append(Step(step.relation, wording.is_turned))
        return number_entities(replace(meant, assertions=tuple(assertions))), said

    def _render(self, meant: Decomposition, steps: Sequence[Step]) -> Example | None:
        """None where the schema says that these relations do not fit together."""
        try:
            language = build_schema_graph_language(self._kinds, meant)
            segments = write_schema_graph(language, steps)
        except InputError:
            return None
        return Example(build_schema_graph_prompt(meant), segments)


def select_sayable(examples: Sequence[PathExample]) -> list[PathExample]:
    """The examples with no more triples than a decomposition has assertions."""
    return [example for example in examples if example.triple_count <= MOST_ASSERTIONS]


def _average(flags: Mapping[KeyT, Sequence[bool]]) -> dict[KeyT, float]:
    return {key: sum(those) / len(those) for key, those in flags.items()}
