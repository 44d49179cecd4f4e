"""Task `chain`: lessons of questions and the chains of triples that answer them.

The nodes of a chain stay sets here, as no small model can foresee their names.
"""

from __future__ import annotations

from trellis.steps.retrieve.chains.chain_prompt import build_masked_chain_prompt
from trellis.steps.retrieve.chains.settings import ChainSettings
from trellis.training.contract import LessonRequest, TrainingTask
from trellis.training.examples import Example, PathExample, chain_segments, relation_segments
from trellis.training.language_models.lesson import LanguageLesson, train_language_model
from trellis.training.supervision.paths.plain_queries import read_plain_queries
from trellis.training.supervision.word_counts import count_words
from trellis.training.tasks.path_examples import make_path_examples


async def make_chain_lesson(request: LessonRequest) -> LanguageLesson:
    """The lesson of some questions, or of the graph alone."""
    made = await make_path_examples(read_plain_queries(request))
    examples = tuple(map(render_chain_example, filter(_is_sayable, made.examples)))
    settings = ChainSettings(
        most_triples=max(ChainSettings().most_triples, 2 * made.hops),
        revisit=made.revisit,
        wording=made.wording,
        words=count_words(examples),
    )
    return LanguageLesson(
        settings,
        examples,
        tuple(relation_segments(request.schema.relation_types)),
        source=made.source,
        most_steps=made.most_steps,
    )


CHAIN = TrainingTask(
    ChainSettings,
    train_language_model,
    make_chain_lesson,
    graph_needs="relationship",
    gold=("paths", "cypher", "answers"),
)


def render_chain_example(example: PathExample) -> Example:
    """The prompt and the sentence of some paths, as task `chain` says them."""
    prompt = build_masked_chain_prompt(example.question)
    return Example(prompt, chain_segments(example.paths), example.weight)


def _is_sayable(example: PathExample) -> bool:
    """Whether no two paths begin with one triple, which a chain does not write twice."""
    firsts = {(path.mention, path.steps[0]) for path in example.paths}
    return len(firsts) == len(example.paths)
