"""Task `assertion`: lessons of questions and the assertions that they mean."""

from __future__ import annotations

from trellis.lexicon.phrasebook import Phrasebook
from trellis.steps.retrieve.schema_graphs.settings import AssertionSettings
from trellis.training.contract import LessonRequest, TrainingTask
from trellis.training.language_models.lesson import LanguageLesson, train_language_model
from trellis.training.supervision.paths.plain_queries import read_plain_queries
from trellis.training.synthesis.assertion_words import AssertionWords
from trellis.training.synthesis.walks import sample_nodes
from trellis.training.tasks.assertion_examples import (
    count_strategies,
    render_assertion_example,
    select_sayable,
)
from trellis.training.tasks.path_examples import make_path_examples

_SAMPLED = 400  # nodes at which relationships are counted


async def make_assertion_lesson(request: LessonRequest) -> LanguageLesson:
    """The lesson of some questions, or of the graph alone."""
    made = await make_path_examples(read_plain_queries(request))
    means, options = request.means, request.options
    book = Phrasebook.of_schema(request.schema, options.wording)
    words = AssertionWords.of(request.schema.relation_types, book)
    nodes = await sample_nodes(means.graph, means.embedder, _SAMPLED, options.seed)
    table = await count_strategies(means.graph, nodes, made.explained, options.edge_budget)
    examples = tuple(
        render_assertion_example(example, words, table) for example in select_sayable(made.examples)
    )
    return LanguageLesson(
        AssertionSettings(known=tuple(sorted(words.written.values())), wording=made.wording),
        examples,
        tuple(f" {said}" for said in words.written.values()),
        source=made.source,
        most_steps=made.most_steps,
    )


ASSERTION = TrainingTask(
    AssertionSettings,
    train_language_model,
    make_assertion_lesson,
    graph_needs="relationship",
    gold=("paths", "cypher", "answers"),
)
