"""Examples of tasks that learn from paths: questions, and the relation paths that answer them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from trellis.domain.errors import TrainingError
from trellis.domain.graphs.graph import Revisit, Scalar
from trellis.domain.graphs.schema import Schema
from trellis.lexicon.names import tells_kind
from trellis.questions.row import QuestionRow
from trellis.training.contract import LessonRequest
from trellis.training.examples import PathExample
from trellis.training.graph_examples import repeat_examples
from trellis.training.supervision.paths.explain_paths import ExplainedQuestion, explain_paths
from trellis.training.supervision.paths.path_readings import make_path_example
from trellis.training.synthesis.noise import wrap_copies
from trellis.training.synthesis.path_questions import synthesize_path_examples
from trellis.training.wording import find_wording, list_usual_words

_MADE, _MOST_MADE = 4_000, 12_000
"""Questions that are made from the graph beside those given, at least and at most: as many as are
given, so that templates do not drive out what other people would say."""

_LONGEST_MADE = 3
"""Hops of what is made from the graph alone, and beside given questions that have fewer."""

_STEPS, _MOST_STEPS, _ROWS_A_STEP = 2_000, 6_000, 4  # more where there are so many examples


@dataclass(frozen=True, slots=True)
class PathExamples:
    """Examples, and the walks that their paths are.

    `hops`: the most relations of a path. `wording`: lower-case words that questions over this graph
    use, rather than names. `source`: what the examples were made from. `most_steps`: of a mini that
    learns them. `explained`: the given questions that have paths.
    """

    examples: tuple[PathExample, ...]
    hops: int
    revisit: Revisit
    wording: tuple[str, ...]
    source: Mapping[str, Scalar] = field(default_factory=dict)
    most_steps: int = 2_000
    explained: tuple[ExplainedQuestion, ...] = ()

    @property
    def meet(self) -> bool:
        """Whether some paths meet others."""
        return any(len(example.paths) > 1 for example in self.examples)


async def make_path_examples(request: LessonRequest) -> PathExamples:
    """The examples of some questions, with questions made from the graph beside them; or of the
    graph alone. Lessons of the same questions share them."""
    questions = None if request.questions is None else tuple(request.questions)
    key = "paths", questions, tuple(request.examples)
    if key not in request.memory:
        request.memory[key] = await _make_examples_anew(request)
    made: PathExamples = request.memory[key]
    return made


async def _make_examples_anew(request: LessonRequest) -> PathExamples:
    if request.questions is None:
        return await _make_alone(request)
    given = await _make_given(request, request.questions)
    return await _add_synthesized(request, given) if request.adds_made else given


async def _make_alone(request: LessonRequest) -> PathExamples:
    """The examples of the graph alone, and its own, whose paths may be longer."""
    longest = max(
        (len(p.steps) for question in request.examples for p in question.paths), default=0
    )
    hops = request.options.hops or max(_LONGEST_MADE, longest)
    widened = replace(request, options=replace(request.options, hops=hops))
    made = await _synthesize(widened, request.options.limit)
    return await _add_own(widened, made) if request.examples else made


async def _add_own(request: LessonRequest, made: PathExamples) -> PathExamples:
    """The examples with the graph's own, repeated so that they count."""
    options = replace(request.options, revisit=made.revisit)
    count = len(request.examples)
    figures: dict[str, Scalar] = {**made.source, "own_examples": count, "own_unused": count}
    try:
        given = await _make_given(replace(request, options=options), request.examples)
    except TrainingError:
        return replace(made, source=figures)
    repeated = repeat_examples(given.examples, len(made.examples))
    words = find_wording([question for question in request.examples if question.names], least=1)
    return replace(
        made,
        examples=(*made.examples, *repeated),
        wording=tuple(sorted({*made.wording, *words})),
        source={**figures, "own_unused": given.source["unused"]},
    )


async def _make_given(request: LessonRequest, questions: Sequence[QuestionRow]) -> PathExamples:
    """Examples from gold paths where questions have them, else from what explains the answers."""
    wording, options = find_wording(questions), request.options
    explained = await explain_paths(
        questions,
        request.means.graph,
        lambda text: request.means.link_mentions(text, wording),
        hops=options.hops,
        edge_budget=options.edge_budget,
        revisit=options.revisit,
    )
    examples = tuple(
        example
        for question in explained.questions
        for example in _make_examples(question, explained.hops)
    )
    if not examples:
        raise TrainingError("no question has a path from its topics", "see the question format")
    return PathExamples(
        examples,
        explained.hops,
        explained.revisit,
        wording,
        explained.source,
        explained=explained.questions,
    )


async def _add_synthesized(request: LessonRequest, given: PathExamples) -> PathExamples:
    """The given examples, repeated until they are as many as are made, now and then with words
    around them, and the made ones: for wordings and relations that the given ones lack, and for
    paths of one hop more than theirs."""
    hops = request.options.hops or max(given.hops, min(given.hops + 1, _LONGEST_MADE))
    options = replace(request.options, hops=hops, revisit=given.revisit)
    count = max(_MADE, min(_MOST_MADE, len(given.examples)))
    made = await _synthesize(replace(request, options=options), count, meets=given.meet)
    times = max(1, round(len(made.examples) / len(given.examples)))
    examples = _wrap_questions(given.examples * times, options.seed) + made.examples
    return replace(
        given,
        examples=examples,
        hops=hops,
        wording=tuple(sorted({*given.wording, *made.wording})),
        source={**given.source, "made": len(made.examples)},
        most_steps=_limit_steps(len(examples)),
    )


def _wrap_questions(examples: Sequence[PathExample], seed: int) -> tuple[PathExample, ...]:
    wrapped = wrap_copies([example.question for example in examples], seed)
    return tuple(replace(e, question=text) for e, text in zip(examples, wrapped, strict=True))


async def _synthesize(
    request: LessonRequest, count: int | None, *, meets: bool = True
) -> PathExamples:
    options = request.options
    hops = options.hops or _LONGEST_MADE
    revisit = options.revisit or find_usual_revisit(request.schema)
    examples, paths = await synthesize_path_examples(
        request.means.graph,
        request.means.embedder,
        request.schema,
        hops=hops,
        revisit=revisit,
        count=count,
        seed=options.seed,
        wording=options.wording,
        meets=meets,
        report=request.means.report,
    )
    words = list_usual_words([example.question.replace("ENT", "") for example in examples])
    steps = _limit_steps(len(examples))
    return PathExamples(examples, hops, revisit, words, {"paths": paths}, steps)


def find_usual_revisit(schema: Schema) -> Revisit:
    """Whether paths may come back, where no question tells: who acts with somebody is somebody
    else, but triples whose nodes are of no kind are asked by relations alone, and a spouse's
    spouse is who is named."""
    return "not_topic" if all(tells_kind(kind.label) for kind in schema.labels) else "any"


def _limit_steps(examples: int) -> int:
    return max(_STEPS, min(_MOST_STEPS, examples // _ROWS_A_STEP))


def _make_examples(explained: ExplainedQuestion, hops: int) -> list[PathExample]:
    """The examples of a question's readings; they share its weight."""
    if any(len(path.steps) > hops for path in explained.paths):
        return []
    weight = 1.0 / len(explained.readings)
    made = [make_path_example(reading, explained.paths, weight) for reading in explained.readings]
    return [example for example in made if example is not None]
