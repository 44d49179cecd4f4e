"""Task `cypher`: lessons of questions and the queries that answer them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.domain.errors import TrainingError
from trellis.domain.graphs.graph import Scalar
from trellis.domain.limits.sharing import do_once
from trellis.lexicon.phrasebook import Phrasebook
from trellis.questions.row import QuestionRow
from trellis.steps.retrieve.queries.query_prompt import drop_masked_values
from trellis.steps.retrieve.queries.retrieve_queries import link_task_values
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.training.contract import LessonRequest, TrainingTask
from trellis.training.examples import Example
from trellis.training.graph_examples import repeat_examples
from trellis.training.language_models.lesson import (
    LanguageLesson,
    MiniShape,
    train_language_model,
)
from trellis.training.means import TrainingContext
from trellis.training.options import sample_items
from trellis.training.supervision.queries.claimed_words import (
    drop_contradicting,
    find_claimed_words,
)
from trellis.training.supervision.queries.coverage import count_coverage
from trellis.training.supervision.queries.explain_queries import explain_queries
from trellis.training.synthesis.full_names import say_full_names
from trellis.training.synthesis.noise import wrap_copies
from trellis.training.synthesis.operators.examples import make_operator_examples
from trellis.training.synthesis.operators.parts.patterns import Directions
from trellis.training.synthesis.recombining import Recombiner
from trellis.training.tasks.cypher_examples import (
    LinkValues,
    QueryExamples,
    list_offered_segments,
    list_query_segments,
    make_query_examples,
)
from trellis.training.tasks.name_kinds import (
    find_name_kinds,
    find_symmetric_types,
    find_undirected_types,
)
from trellis.training.wording import list_usual_words

RENDERING = RenderingOptions()
"""The bounds of the queries that a model is trained to write."""

_SHAPE = MiniShape(width=192, layers=3, heads=6, dropout=0.1, average=1 / 6)
"""Larger than for paths, as queries are longer."""

_STEPS = 2_000  # of a mini, at most
_MOST_STEPS, _ROWS_A_STEP = 6_000, 3  # where there are so many examples that they take more

_EXPLAINED = 3_000  # questions without a query that one is looked for, at most

DEFAULT_SETTINGS = CypherSettings.of_options(RENDERING)

_RECOMBINED, _ALONE = 5_000, 16_000
"""Questions recombined from those given (at most twice as many), and made without any."""

_PLAIN = 0.1  # share of made questions in the schema's own words, where a wording file has others

_GIVEN_PART = 1  # for each made question there is about one that is given or recombined

_BESIDE = 21_000  # questions made from the schema beside those given, at most

_A_KIND = 300  # questions made for each property and direction of a relationship


@dataclass(frozen=True, slots=True)
class QuestionsWithQueries:
    """Questions that have a query, given or found, and the figures of those found."""

    questions: Sequence[QuestionRow]
    source: Mapping[str, Scalar] = field(default_factory=dict)


async def make_cypher_lesson(request: LessonRequest) -> LanguageLesson:
    """The lesson of some questions, of others recombined from them and of some made from the
    schema; or of the schema alone."""
    if request.questions is None:
        lesson = await _synthesize_lesson(request)
    elif not request.adds_made:
        lesson = await _make_given_lesson(request, request.questions)
    else:
        lesson = await _make_lesson(request, request.questions)
    settings = lesson.settings
    assert isinstance(settings, CypherSettings)
    schema, options = request.schema, settings.options
    known = list_query_segments(CypherLanguage(schema, (), options))
    offered = await asyncio.to_thread(list_offered_segments, schema, options)
    return replace(lesson, segments=tuple(dict.fromkeys((*known, *offered))))


CYPHER = TrainingTask(
    CypherSettings, train_language_model, make_cypher_lesson, gold=("cypher", "answers")
)


async def find_queries(
    request: LessonRequest, questions: Sequence[QuestionRow]
) -> QuestionsWithQueries:
    """The questions with a query, and those whose answers a query is found for; tasks that are
    learnt together share the search for them."""
    named = tuple(row.id or row.question for row in questions)
    key = "queries", request.options.seed, named
    return await do_once(key, lambda: _search_queries(request, questions))


async def _search_queries(
    request: LessonRequest, questions: Sequence[QuestionRow]
) -> QuestionsWithQueries:
    given = [asked for asked in questions if asked.cypher]
    bare = [asked for asked in questions if not asked.cypher]
    bare = sample_items(bare, _EXPLAINED, request.options.seed)
    if not bare:
        return QuestionsWithQueries(given)
    explanations, study = await explain_queries(bare, request.means, request.options)
    source = {**count_coverage(explanations), "hops apart": study.apart}
    explained = [explanation.asked for explanation in explanations if explanation.run]
    return QuestionsWithQueries([*given, *explained], source)


def value_linker(means: TrainingContext, settings: CypherSettings) -> LinkValues:
    """Links a question's values over a graph, as answering does."""
    return lambda text: link_task_values(text, means.graph, settings, means.embedder)


async def _synthesize_lesson(request: LessonRequest) -> LanguageLesson:
    made = await _make_questions(request, request.options.limit or _ALONE)
    own, figures = await _learn_examples(request, _list_words(made))
    examples = (*made, *repeat_examples(own.examples, len(made)))
    return _build_lesson(request, examples, {"made": len(made), **figures})


async def _learn_examples(
    request: LessonRequest, words: tuple[str, ...]
) -> tuple[QueryExamples, Mapping[str, Scalar]]:
    """The graph's own examples, and how many there are and cannot be learnt from. `words`: of
    questions, which say no value."""
    if not request.examples:
        return QueryExamples(), {}
    count = len(request.examples)
    settings = replace(DEFAULT_SETTINGS, wording=words)
    link, report = value_linker(request.means, settings), request.means.report
    try:
        explained = await find_queries(request, request.examples)
        given = await make_query_examples(
            explained.questions, request.schema, link, _choose_rendering(request), report
        )
    except TrainingError:
        return QueryExamples(), {"own_examples": count, "own_unused": count}
    return given, {"own_examples": count, "own_unused": count - len(given.examples)}


async def _make_given_lesson(
    request: LessonRequest, questions: Sequence[QuestionRow]
) -> LanguageLesson:
    """The lesson of given questions alone, linked as a model that belongs to no graph links."""
    found = await find_queries(request, questions)
    general = request.means.general_settings.get(CypherSettings.task, DEFAULT_SETTINGS)
    assert isinstance(general, CypherSettings)
    link = value_linker(request.means, general)
    given = await make_query_examples(
        found.questions, request.schema, link, _choose_rendering(request)
    )
    return _build_lesson(request, given.examples, found.source)


async def _make_lesson(request: LessonRequest, questions: Sequence[QuestionRow]) -> LanguageLesson:
    """The lesson of given questions, of others recombined from them, and of many made beside them.

    Templates alone would drive out what people say otherwise, and few questions make no lesson; so
    there is always much that is made, and where few are given, they are repeated.
    """
    schema, seed = request.schema, request.options.seed
    with_queries = await find_queries(request, questions)
    asked = await _make_questions(request, _count_made(request))
    link = value_linker(request.means, replace(DEFAULT_SETTINGS, wording=_list_words(asked)))
    given = await make_query_examples(
        with_queries.questions, schema, link, _choose_rendering(request), request.means.report
    )
    drawing = Recombiner(given.examples, given.moves, _choose_rendering(request), seed)
    anew = drawing.draw_examples(min(_RECOMBINED, 2 * len(given.examples)))
    wording = CypherLanguage(schema, (), _choose_rendering(request)).lexicon.wording
    types = wording.types.values()
    claimed = find_claimed_words(given.examples, types)
    made = drop_contradicting(asked, claimed, types)
    repeated = repeat_examples((*given.examples, *anew), len(made), least=1, part=_GIVEN_PART)
    own = _wrap_questions(say_full_names(repeated, schema, wording, seed), seed)
    figures = {"recombined": len(anew), "made": len(made)}
    source = {**given.source, **with_queries.source, **figures}
    return _build_lesson(request, (*own, *made), source)


def _wrap_questions(examples: Sequence[Example], seed: int) -> list[Example]:
    """The examples, now and then with words around their questions."""
    wrapped = wrap_copies([example.prompt.question for example in examples], seed)
    return [
        replace(example, prompt=replace(example.prompt, question=text))
        for example, text in zip(examples, wrapped, strict=True)
    ]


def _count_made(request: LessonRequest) -> int:
    """How many made questions the schema carries, at most as many as are asked for."""
    schema = request.schema
    kinds = sum(1 + len(label.properties) for label in schema.labels) + 2 * len(
        schema.relationships
    )
    return min(_BESIDE, _A_KIND * kinds, request.options.limit or _BESIDE)


async def _make_questions(request: LessonRequest, count: int) -> tuple[Example, ...]:
    """Questions in the words of the graph's wording file, and some in those of the schema alone,
    which the file's phrases replace."""
    schema, options = request.schema, request.options
    plain = round(_PLAIN * count) if options.wording else 0
    books = (Phrasebook.of_schema(schema, options.wording), Phrasebook.of_schema(schema))
    kinds = await find_name_kinds(request.means, schema, DEFAULT_SETTINGS)
    symmetric = await find_symmetric_types(request.means, schema)
    directions = Directions(symmetric, find_undirected_types(request.questions or (), schema))
    rendering, report = _choose_rendering(request), request.means.report
    return tuple(
        example
        for book, share in zip(books, (count - plain, plain), strict=True)
        for example in make_operator_examples(
            schema, book, rendering, share, options.seed, kinds, directions, report
        )
    )


def _list_words(examples: Sequence[Example]) -> tuple[str, ...]:
    """The words that questions use, rather than names: made ones say them of no value, so that
    `how long` in a given one speaks of nobody called Long, as it does when it is answered."""
    return list_usual_words([drop_masked_values(each.prompt.question) for each in examples])


def _build_lesson(
    request: LessonRequest, examples: tuple[Example, ...], source: Mapping[str, Scalar]
) -> LanguageLesson:
    settings = CypherSettings.of_options(_choose_rendering(request), _list_words(examples))
    steps = max(_STEPS, min(_MOST_STEPS, len(examples) // _ROWS_A_STEP))
    return LanguageLesson(settings, examples, source=source, shape=_SHAPE, most_steps=steps)


def _choose_rendering(request: LessonRequest) -> RenderingOptions:
    """The usual bounds, in the rendering that is asked for."""
    return replace(RENDERING, rendering=request.options.rendering)
