"""Makes lessons of the reader, graph by graph."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from itertools import islice
from pathlib import Path

from trellis.automata.cypher.options import RenderingOptions
from trellis.domain.graphs.schema import Schema
from trellis.models.reader.moves import ReaderMove
from trellis.training.reader.lessons import LessonWriter, ReaderExample, trace_query
from trellis.training.reader.made_paths import MadePaths
from trellis.training.reader.made_schemas import MadeSchema, SchemaMaker
from trellis.training.synthesis.name_mentions import NameKinds
from trellis.training.synthesis.operators.examples import spell_drawn_questions
from trellis.training.synthesis.operators.questions import OperatorQuestions
from trellis.training.synthesis.path_questions import compose_examples

RENDERING = RenderingOptions()
_WITH_RIVALS = 0.3  # share of labels whose names are those of others too, now and then
_LEAST_RIVALS = 2
_OF_A_FILE = 10  # graphs
_QUERIES, _PATHS = 30, 14  # questions of a graph, at most


def make_lessons(maker: SchemaMaker, seeds: range, queries: int, paths: int) -> LessonWriter:
    """The lessons of the graphs of some seeds: up to so many queries and paths of each."""
    writer = LessonWriter()
    for seed in seeds:
        graph = maker.make_graph(seed)
        for example in (*ask_queries(graph, queries, seed), *ask_paths(graph, paths, seed)):
            writer.add_example(example)
    return writer


def make_lesson_files(maker: SchemaMaker, folder: Path, graphs: range) -> Iterator[Path]:
    """The files of lessons of some graphs; those that are there are not made again."""
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(graphs.start, graphs.stop, _OF_A_FILE):
        file = folder / f"{first:08}.npz"
        if not file.exists():
            seeds = range(first, min(first + _OF_A_FILE, graphs.stop))
            part = file.with_suffix(".part.npz")
            make_lessons(maker, seeds, _QUERIES, _PATHS).save(part)
            part.replace(file)
        yield file


def ask_queries(
    graph: MadeSchema, count: int, seed: int, kinds: NameKinds | None = None
) -> Iterator[ReaderExample]:
    """Questions with their queries. `kinds`: what names may be linked to; None: drawn."""
    known: dict[Hashable, tuple[ReaderMove, ...]] = {}
    questions = OperatorQuestions(graph.schema, graph.book, seed)
    kinds = draw_name_kinds(graph.schema, seed) if kinds is None else kinds
    drawn = spell_drawn_questions(questions, graph.schema, RENDERING, kinds, 2 * count)
    for each in islice(filter(None, drawn), count):
        steps = trace_query(each.language, each.example.segments, known)
        yield ReaderExample(each.example.prompt.question, steps, seed)


def ask_paths(graph: MadeSchema, count: int, seed: int) -> Iterator[ReaderExample]:
    """Questions with the paths that answer them, half of them over nodes of no kind."""
    for is_labelled in (False, True):
        paths = MadePaths(graph.schema, seed, is_labelled=is_labelled)
        drawn = paths.draw_paths(count)
        if not drawn:
            return
        for example in compose_examples(
            drawn, graph.book, count // 2, seed, meets=is_labelled, events=()
        ):
            yield ReaderExample(example.question, paths.trace_paths(example), seed)


def draw_name_kinds(schema: Schema, seed: int) -> NameKinds:
    """What names may be linked to beside their own kind: now and then names of another label."""
    choice = random.Random(seed)
    own = [(kind.label, kind.naming) for kind in schema.labels if kind.naming]
    if len(own) < _LEAST_RIVALS:
        return {}
    return {
        kind: [(kind,)] * 4 + [tuple(choice.sample([kind, choice.choice(own)], 2))]
        for kind in own
        if choice.random() < _WITH_RIVALS
    }
