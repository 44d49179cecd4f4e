"""Task `cypher`, from a loaded graph to a model folder: what `trellis train --task cypher` does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.domain.errors import EmptyGraphError
from trellis.domain.graph import Scalar
from trellis.domain.ports import Graph, Queries
from trellis.domain.schema import Schema
from trellis.graph.progress import Progress, silent
from trellis.models.folder import check_target
from trellis.steps.queries.link_values import link_values
from trellis.steps.queries.settings import CypherSettings
from trellis.training.cypher_lessons import CypherLesson, from_queries, query_segments
from trellis.training.learners import RUN
from trellis.training.mini import Shape
from trellis.training.options import Options, Outcome, picked
from trellis.training.questions import Asked, read_questions
from trellis.training.synthesis.explaining.coverage import coverage
from trellis.training.synthesis.explaining.explain import Means, explain
from trellis.training.synthesis.query_lesson import made_examples, rivals_of
from trellis.training.synthesis.recombining import Recombining
from trellis.training.teaching import teach

RENDERING = RenderingOptions()
"""How much a query can say."""

SHAPE = Shape(width=192, layers=3, heads=6, steps=3_000, average=1 / 6)
"""A mini's size: queries are longer than paths."""

EXPLAINED = 3_000
"""Questions without a query that one is looked for, at most."""

_ANEW, _BESIDE, _ALONE = 5_000, 1_500, 6_000
"""Questions recombined from those given (at most twice as many), and made from the schema beside
them (at most as many), and made without any."""


async def train_cypher(
    graph: Graph, queries: Queries, options: Options, cache: Path, report: Progress = silent
) -> Outcome:
    """Train on the loaded graph and leave a model folder at `options.out`.

    Goes on where an unfinished run with the same arguments stopped. Raises EmptyGraphError,
    FileFormatError, InputError, TrainingError, ModelMissingError.
    """
    began = time.monotonic()
    check_target(options.out, RUN)
    schema = await graph.schema()
    if not schema.labels:
        raise EmptyGraphError("the graph has no label to ask about", "load one: `trellis load`")
    lesson = await _lesson(graph, queries, schema, options, report)
    settings = CypherSettings.of_options(RENDERING)
    segments = query_segments(CypherLanguage(schema, (), RENDERING))
    card, trained = await asyncio.to_thread(
        teach, lesson, segments, settings, options, cache, report, SHAPE
    )
    return Outcome(card, len(lesson.examples), trained, time.monotonic() - began)


async def _lesson(
    graph: Graph, queries: Queries, schema: Schema, options: Options, report: Progress
) -> CypherLesson:
    if not options.questions:
        made = made_examples(schema, RENDERING, options.limit or _ALONE, options.seed)
        return CypherLesson(made, source={"made": len(made)})
    asked = picked(read_questions(options.questions), options.limit, options.seed)
    bare = picked([one for one in asked if not one.cypher], EXPLAINED, options.seed)
    told = await explained(bare, graph, queries, options, report) if bare else Told()
    those = [*(one for one in asked if one.cypher), *told.asked]
    lesson = await from_queries(those, schema, lambda text: link_values(text, graph), RENDERING)
    count, rivals = len(lesson.examples), rivals_of(lesson.mentions)
    drawing = Recombining(lesson.examples, lesson.moves, RENDERING, options.seed)
    anew = drawing.examples(min(_ANEW, 2 * count))
    beside = min(_BESIDE, count)
    made = made_examples(schema, RENDERING, beside, options.seed, rivals, apart=told.apart)
    source = {**lesson.source, **told.source, "recombined": len(anew), "made": len(made)}
    return replace(lesson, examples=(*lesson.examples, *anew, *made), source=source)


@dataclass(frozen=True, slots=True)
class Told:
    """Questions with the queries that explain their answers, and how many there are.

    `apart`: each hop of these queries is a clause of its own.
    """

    asked: Sequence[Asked] = ()
    source: Mapping[str, Scalar] = field(default_factory=dict)
    apart: bool = False


async def explained(
    asked: Sequence[Asked], graph: Graph, queries: Queries, options: Options, report: Progress
) -> Told:
    """Questions without a query, with the one that explains their answers best."""
    run = options.out / RUN
    means = Means(graph, queries, RENDERING, run, options.hops, options.edge_budget, report)
    found, study = await explain(asked, means)
    source = {**coverage(found), "hops apart": study.apart}
    return Told([each.asked for each in found if each.run], source, study.apart)
