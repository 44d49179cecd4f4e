"""Task `schema_graph`: lessons of assertions and the triples that they mean."""

from __future__ import annotations

import asyncio

import numpy as np

from trellis.automata.schema_graphs.kinds import RelationKinds
from trellis.domain.ports import Embedder
from trellis.lexicon.phrasebook import Phrasebook
from trellis.steps.ground.patterns.guide_entities import write_relation_words
from trellis.steps.retrieve.schema_graphs.settings import SchemaGraphSettings
from trellis.training.contract import LessonRequest, TrainingTask
from trellis.training.examples import relation_segments
from trellis.training.language_models.lesson import LanguageLesson, train_language_model
from trellis.training.supervision.paths.plain_queries import read_plain_queries
from trellis.training.supervision.word_counts import count_words
from trellis.training.synthesis.assertion_words import AssertionWords
from trellis.training.tasks.assertion_examples import SchemaGraphExamples, select_sayable
from trellis.training.tasks.path import render_path_example
from trellis.training.tasks.path_examples import make_path_examples

_STEPS = 1_000  # of a mini


async def make_schema_graph_lesson(request: LessonRequest) -> LanguageLesson:
    """The lesson of some questions' paths, or of the graph alone."""
    made = await make_path_examples(read_plain_queries(request))
    usable = select_sayable(made.examples)
    book = Phrasebook.of_schema(request.schema, request.options.wording)
    types = request.schema.relation_types
    maker = SchemaGraphExamples(
        RelationKinds.of_schema(request.schema),
        AssertionWords.of(types, book),
        request.options.seed,
    )
    rendered = [each for example in usable for each in maker.render_paths(example)]
    if request.adds_made or request.questions is None:
        rendered += maker.render_relations()
    examples = tuple(dict.fromkeys(rendered))
    used = {s.relation for example in usable for path in example.paths for s in path.steps}
    settings = SchemaGraphSettings(
        revisit=made.revisit,
        threshold=await _find_threshold(request.means.embedder, sorted(used), types),
        relations=types,
        words=count_words(tuple(map(render_path_example, usable))),
    )
    return LanguageLesson(
        settings,
        examples,
        tuple(relation_segments(types)),
        source={"assertions": len(examples)},
        most_steps=_STEPS,
    )


SCHEMA_GRAPH = TrainingTask(
    SchemaGraphSettings,
    train_language_model,
    make_schema_graph_lesson,
    graph_needs="relationship",
    gold=("paths", "cypher", "answers"),
)


async def _find_threshold(embedder: Embedder, used: list[str], types: tuple[str, ...]) -> float:
    """The T-score halfway between that of a relation itself, and the best of another one."""
    words = [write_relation_words(name) for name in types]
    vectors = await asyncio.to_thread(embedder.embed, words)
    place = {name: i for i, name in enumerate(types)}
    best = 0.0
    for name in used:
        likeness = vectors @ vectors[place[name]]
        others = np.delete(likeness, place[name])
        best = max(best, float(others.max(initial=0.0)))
    return round((1 + min(best, 1.0)) / 2, 4)
