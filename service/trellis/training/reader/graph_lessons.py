"""Lessons of the reader from one graph: questions made from its schema, and those that are given
with queries or paths."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from trellis.automata.cypher.language import CypherLanguage
from trellis.domain.errors import TrainingError
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.schema import Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.models.reader.moves import ReaderMove
from trellis.questions.row import QuestionRow
from trellis.steps.link.values.value_mentions import name_values
from trellis.training.contract import LessonRequest
from trellis.training.examples import PathExample
from trellis.training.graph_examples import repeat_examples
from trellis.training.reader.lessons import ReaderExample, trace_query
from trellis.training.reader.made_paths import MadePaths
from trellis.training.reader.made_schemas import MadeSchema
from trellis.training.reader.make import RENDERING, ask_paths, ask_queries
from trellis.training.tasks.cypher import DEFAULT_SETTINGS, value_linker
from trellis.training.tasks.cypher_examples import make_query_examples
from trellis.training.tasks.name_kinds import find_name_kinds
from trellis.training.tasks.path_examples import make_path_examples

_QUERIES, _PATHS = 1_200, 400
"""Questions that are made from the schema."""

_GIVEN_PART = 1  # for each made question there is about one that is given


@dataclass(frozen=True)
class GraphReaderLessons:
    """Examples of the reader; `source`: how many were made, and how many given questions had a
    query and a path that could be learnt from, as a card says it."""

    examples: tuple[ReaderExample, ...]
    source: dict[str, Scalar]


async def make_reader_lessons(request: LessonRequest) -> GraphReaderLessons:
    """The given questions, repeated so that they count, and beside them some of the schema.

    Raises TrainingError where no questions are given, or none can be learnt from.
    """
    schema, options = request.schema, request.options
    given = (*(request.questions or ()), *request.examples)
    if not given:
        raise TrainingError(
            "a reader reads every schema already, and learns nothing from this one alone",
            "give --questions, or [[examples]] in the graph's file; or train another --base",
        )
    graph = MadeSchema(schema, Phrasebook.of_schema(schema, options.wording))
    kinds = await find_name_kinds(request.means, schema, DEFAULT_SETTINGS)
    made = [
        *ask_queries(graph, options.limit or _QUERIES, options.seed, kinds),
        *ask_paths(graph, options.limit or _PATHS, options.seed),
    ]
    queries, paths = await _trace_queries(request, given), await _trace_paths(request, given)
    if not queries and not paths:
        raise TrainingError(
            f"none of {len(given)} questions has a query or a path to learn from",
            "give questions with `cypher`, with `paths`, or with `topics` and `answers`",
        )
    own = repeat_examples((*queries, *paths), len(made), least=1, part=_GIVEN_PART)
    source: dict[str, Scalar] = {"made": len(made), "queries": len(queries), "paths": len(paths)}
    return GraphReaderLessons((*made, *own), source)


async def _trace_queries(
    request: LessonRequest, questions: Sequence[QuestionRow]
) -> tuple[ReaderExample, ...]:
    """The examples of questions that have a query which the language says."""
    with_query = [asked for asked in questions if asked.cypher]
    if not with_query:
        return ()
    schema, link = request.schema, value_linker(request.means, DEFAULT_SETTINGS)
    try:
        given = await make_query_examples(with_query, schema, link, RENDERING, request.means.report)
    except TrainingError:
        return ()
    known: dict[Hashable, tuple[ReaderMove, ...]] = {}
    traced = []
    for example, mentions in zip(given.examples, given.mentions, strict=True):
        language = CypherLanguage(schema, name_values(mentions, schema), RENDERING)
        steps = trace_query(language, example.segments, known)
        traced.append(ReaderExample(example.prompt.question, steps, 0))
    return tuple(traced)


async def _trace_paths(
    request: LessonRequest, questions: Sequence[QuestionRow]
) -> tuple[ReaderExample, ...]:
    """The examples of questions whose paths are given, or found for their answers."""
    with_paths = [asked for asked in questions if asked.paths or (asked.names and asked.answers)]
    if not with_paths:
        return ()
    alone = replace(request, questions=with_paths, examples=(), adds_made=False)
    try:
        made = await make_path_examples(alone)
    except TrainingError:
        return ()
    return tuple(_trace_walkable(request.schema, made.examples, request.options.seed))


def _trace_walkable(
    schema: Schema, examples: Sequence[PathExample], seed: int
) -> Iterator[ReaderExample]:
    paths = MadePaths(schema, seed, is_labelled=True)
    for example in examples:
        if paths.can_trace(example):
            yield ReaderExample(example.question, paths.trace_paths(example), 0)
