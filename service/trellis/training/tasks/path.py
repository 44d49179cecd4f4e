"""Task `path`: lessons of questions and the relation paths that answer them."""

from __future__ import annotations

from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.training.contract import LessonRequest, TrainingTask
from trellis.training.examples import Example, PathExample, path_segments, relation_segments
from trellis.training.language_models.lesson import LanguageLesson, train_language_model
from trellis.training.supervision.word_counts import count_words
from trellis.training.tasks.path_examples import make_path_examples


async def make_path_lesson(request: LessonRequest) -> LanguageLesson:
    """The lesson of some questions, or of the graph alone."""
    made = await make_path_examples(request)
    examples = tuple(map(render_path_example, made.examples))
    settings = PathSettings(
        hops=made.hops,
        revisit=made.revisit,
        meets=made.meet,
        wording=made.wording,
        words=count_words(examples),
    )
    segments = tuple(relation_segments(request.schema.relation_types))
    return LanguageLesson(
        settings, examples, segments, source=made.source, most_steps=made.most_steps
    )


def render_path_example(example: PathExample) -> Example:
    """The prompt and the sentence of some paths, as task `path` says them."""
    prompt = build_masked_path_prompt(example.question)
    return Example(prompt, path_segments(example.paths), example.weight)


PATH = TrainingTask(
    PathSettings,
    train_language_model,
    make_path_lesson,
    graph_needs="relationship",
    gold=("paths", "answers"),
)
