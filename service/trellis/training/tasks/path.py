"""Task `path`: lessons of questions and the relation paths that answer them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trellis.domain.errors import TrainingError
from trellis.domain.graph import Scalar
from trellis.questions.row import QuestionRow
from trellis.steps.paths.settings import PathSettings
from trellis.training.contract import LessonRequest, TrainingTask
from trellis.training.examples import Example, relation_segments
from trellis.training.graph_examples import repeat_examples
from trellis.training.language_models.kind import LANGUAGE_MODEL
from trellis.training.language_models.lesson import LanguageLesson
from trellis.training.supervision.paths.explain_paths import ExplainedQuestion, explain_paths
from trellis.training.supervision.paths.path_readings import make_example
from trellis.training.supervision.paths.word_table import count_words
from trellis.training.synthesis.path_questions import synthesize_path_examples
from trellis.training.wording import find_wording, list_usual_words

_MADE, _MOST_MADE = 4_000, 12_000
"""Questions that are made from the graph beside those given, at least and at most: as many as are
given, so that templates do not drive out what other people would say."""

_HOPS = 2  # of paths from the graph alone
_LONGEST_MADE = 3  # hops of what is made beside given questions, where these have fewer
_STEPS, _MOST_STEPS, _ROWS_A_STEP = 2_000, 8_000, 3  # more where there are so many examples


async def make_path_lesson(request: LessonRequest) -> LanguageLesson:
    """The lesson of some questions, with questions made from the graph beside them; or of the graph
    alone."""
    if request.questions is None:
        lesson = await _make_lesson_alone(request)
    else:
        lesson = await _make_lesson(request, request.questions)
        lesson = await _add_synthesized(request, lesson)
    assert isinstance(lesson.settings, PathSettings)
    settings = replace(lesson.settings, words=count_words(lesson.examples))
    types = sorted({kind.type for kind in request.schema.relationships})
    return replace(lesson, settings=settings, segments=tuple(relation_segments(types)))


PATH = TrainingTask(
    PathSettings,
    LANGUAGE_MODEL,
    make_path_lesson,
    graph_needs="relationship",
    gold=("paths", "answers"),
)


async def _make_lesson_alone(request: LessonRequest) -> LanguageLesson:
    """The lesson of the graph alone, and of its own examples, whose paths may be longer."""
    longest = max(
        (len(p.steps) for question in request.examples for p in question.paths), default=0
    )
    hops = request.options.hops or max(_HOPS, longest)
    widened = replace(request, options=replace(request.options, hops=hops))
    lesson = await _synthesize_lesson(widened, request.options.limit)
    return await _learn_examples(widened, lesson) if request.examples else lesson


async def _learn_examples(request: LessonRequest, lesson: LanguageLesson) -> LanguageLesson:
    """A lesson with the graph's own examples, repeated so that they count."""
    settings = lesson.settings
    assert isinstance(settings, PathSettings)
    options = replace(request.options, revisit=settings.revisit)
    count = len(request.examples)
    figures: dict[str, Scalar] = {**lesson.source, "own_examples": count, "own_unused": count}
    try:
        given = await _make_lesson(replace(request, options=options), request.examples)
    except TrainingError:
        return replace(lesson, source=figures)
    repeated = repeat_examples(given.examples, len(lesson.examples))
    words = find_wording([question for question in request.examples if question.names], least=1)
    own = replace(
        settings,
        meets=settings.meets or _do_sentences_meet(given.examples),
        wording=tuple(sorted({*settings.wording, *words})),
    )
    return replace(
        lesson,
        settings=own,
        examples=(*lesson.examples, *repeated),
        source={**figures, "own_unused": given.source["unused"]},
    )


async def _make_lesson(request: LessonRequest, questions: Sequence[QuestionRow]) -> LanguageLesson:
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
    settings = PathSettings(
        hops=explained.hops,
        revisit=explained.revisit,
        meets=_do_sentences_meet(examples),
        wording=wording,
    )
    return LanguageLesson(settings, examples, source=explained.source)


async def _add_synthesized(request: LessonRequest, lesson: LanguageLesson) -> LanguageLesson:
    """The given examples, repeated until they are as many as are made, and the made ones: for
    wordings and relations that the given ones lack, and for paths of one hop more than theirs."""
    settings = lesson.settings
    assert isinstance(settings, PathSettings)
    hops = request.options.hops or max(settings.hops, min(settings.hops + 1, _LONGEST_MADE))
    options = replace(request.options, hops=hops, revisit=settings.revisit)
    same = replace(request, options=options)
    count = max(_MADE, min(_MOST_MADE, len(lesson.examples)))
    made = await _synthesize_lesson(same, count, meets=settings.meets)
    assert isinstance(made.settings, PathSettings)
    times = max(1, round(len(made.examples) / len(lesson.examples)))
    wording = tuple(sorted({*settings.wording, *made.settings.wording}))
    examples = lesson.examples * times + made.examples
    return replace(
        lesson,
        settings=replace(settings, hops=hops, wording=wording),
        examples=examples,
        source={**lesson.source, "made": len(made.examples)},
        most_steps=_limit_steps(len(examples)),
    )


async def _synthesize_lesson(
    request: LessonRequest, count: int | None, *, meets: bool = True
) -> LanguageLesson:
    options = request.options
    hops, revisit = options.hops or _HOPS, options.revisit or "any"
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
    words = list_usual_words([_say_question(example) for example in examples])
    settings = PathSettings(
        hops=hops, revisit=revisit, meets=_do_sentences_meet(examples), wording=words
    )
    steps = _limit_steps(len(examples))
    return LanguageLesson(settings, examples, source={"paths": paths}, most_steps=steps)


def _limit_steps(examples: int) -> int:
    return max(_STEPS, min(_MOST_STEPS, examples // _ROWS_A_STEP))


def _make_examples(explained: ExplainedQuestion, hops: int) -> list[Example]:
    """The pairs of a question's readings; they share its weight."""
    if any(len(path.steps) > hops for path in explained.paths):
        return []
    weight = 1.0 / len(explained.readings)
    made = [make_example(reading, explained.paths, weight) for reading in explained.readings]
    return [example for example in made if example is not None]


def _do_sentences_meet(examples: Sequence[Example]) -> bool:
    """Whether sentences join two paths."""
    return any(segment.startswith(" & ") for e in examples for segment in e.segments)


def _say_question(example: Example) -> str:
    """A question's own words, its placeholders left out."""
    return example.prompt.question.replace("ENT", "")
