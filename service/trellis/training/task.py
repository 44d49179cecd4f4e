"""Task `path`, from a loaded graph to a model folder: what `trellis train --task path` does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from pathlib import Path

from trellis.domain.errors import EmptyGraphError
from trellis.domain.links import Mention
from trellis.domain.ports import Embedder, Graph
from trellis.domain.schema import Schema
from trellis.graph.progress import Progress, silent
from trellis.models.folder import check_target
from trellis.steps.paths.settings import PathSettings
from trellis.training import lessons
from trellis.training.examples import relation_segments
from trellis.training.learners import RUN
from trellis.training.lessons import DEFAULT_HOPS, Lesson
from trellis.training.options import Options, Outcome, picked
from trellis.training.questions import read_questions, wording
from trellis.training.synthesis.lesson import from_graph
from trellis.training.teaching import teach

Linker = Callable[[str, Collection[str]], Awaitable[tuple[Mention, ...]]]
"""Links a question, given the words that are the questions' own."""


FEW = 4_000
"""Fewer examples than this are helped by questions made from the graph, as many."""


async def train_path(
    graph: Graph,
    embedder: Embedder,
    link: Linker,
    options: Options,
    cache: Path,
    report: Progress = silent,
) -> Outcome:
    """Train on the loaded graph and leave a model folder at `options.out`.

    Goes on where an unfinished run with the same arguments stopped. Raises EmptyGraphError,
    FileFormatError, InputError, TrainingError, ModelMissingError.
    """
    began = time.monotonic()
    check_target(options.out, RUN)
    schema = await graph.schema()
    if not schema.edges:
        raise EmptyGraphError("the graph has no relationship to learn", "load one: `trellis load`")
    if options.questions:
        lesson, words = await _from_questions(graph, link, options)
        if len(lesson.examples) < FEW:
            lesson, words = await _helped(lesson, words, graph, embedder, schema, options)
    else:
        lesson, words = await _from_graph(graph, embedder, schema, options)
    settings = PathSettings(
        hops=lesson.hops, revisit=lesson.revisit, meets=lesson.meets, wording=words
    )
    segments = relation_segments(sorted({kind.type for kind in schema.relationships}))
    card, trained = await asyncio.to_thread(
        teach, lesson, segments, settings, options, cache, report
    )
    return Outcome(card, len(lesson.examples), trained, time.monotonic() - began)


async def _from_questions(
    graph: Graph, link: Linker, options: Options
) -> tuple[Lesson, tuple[str, ...]]:
    asked = picked(read_questions(options.questions), options.limit, options.seed)
    own = wording(asked)
    lesson = await lessons.from_questions(
        asked,
        graph,
        lambda text: link(text, own),
        hops=options.hops,
        edge_budget=options.edge_budget,
        revisit=options.revisit,
    )
    return lesson, own


async def _helped(
    lesson: Lesson,
    words: tuple[str, ...],
    graph: Graph,
    embedder: Embedder,
    schema: Schema,
    options: Options,
) -> tuple[Lesson, tuple[str, ...]]:
    """Few questions, and beside them as many that are made: for wordings that they lack."""
    same = replace(options, hops=lesson.hops, revisit=lesson.revisit, limit=FEW)
    made, more = await _from_graph(graph, embedder, schema, same, meets=lesson.meets)
    return lesson.beside(made), tuple(sorted({*words, *more}))


async def _from_graph(
    graph: Graph, embedder: Embedder, schema: Schema, options: Options, *, meets: bool = True
) -> tuple[Lesson, tuple[str, ...]]:
    return await from_graph(
        graph,
        embedder,
        schema,
        hops=options.hops or DEFAULT_HOPS,
        revisit=options.revisit or "any",
        count=options.limit,
        seed=options.seed,
        wording=options.wording,
        meets=meets,
    )
