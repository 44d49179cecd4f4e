"""Task `pattern`: lessons of questions and the patterns that they mean."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.patterns.language import MOST_TRIPLES, PatternLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.automata.patterns.writing import write_pattern
from trellis.domain.graphs.schema import Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.steps.retrieve.patterns.pattern_prompt import build_masked_pattern_prompt
from trellis.steps.retrieve.patterns.settings import PatternSettings
from trellis.training.contract import LessonRequest, TrainingTask
from trellis.training.examples import Example, PathExample, build_path_pattern, relation_segments
from trellis.training.language_models.lesson import LanguageLesson, train_language_model
from trellis.training.supervision.claims.explain_claims import explain_claims
from trellis.training.supervision.paths.plain_queries import read_plain_queries
from trellis.training.supervision.word_counts import count_words
from trellis.training.tasks.path_examples import make_path_examples


async def make_pattern_lesson(request: LessonRequest) -> LanguageLesson:
    """The lesson of some questions, or of the graph alone."""
    made = await make_path_examples(read_plain_queries(request))
    usable = [example for example in made.examples if example.triple_count <= MOST_TRIPLES]
    language = _build_language(request.schema, usable)
    examples = tuple(render_pattern_example(example, language) for example in usable)
    book = Phrasebook.of_schema(request.schema, request.options.wording)
    taught = await explain_claims(request.claims, request.schema, request.means, book)
    settings = PatternSettings(
        most_triples=max(made.hops, *(example.triple_count for example in usable)),
        revisit=made.revisit,
        wording=made.wording,
        words=count_words(examples),
        claim_words=taught.words,
        claim_wording=taught.wording,
    )
    return LanguageLesson(
        settings,
        examples,
        tuple(relation_segments(request.schema.relation_types)),
        source={**made.source, **taught.source},
        most_steps=made.most_steps,
    )


PATTERN = TrainingTask(
    PatternSettings,
    train_language_model,
    make_pattern_lesson,
    graph_needs="relationship",
    gold=("paths", "cypher", "answers"),
)


def render_pattern_example(example: PathExample, language: PatternLanguage) -> Example:
    """The prompt and the sentence of some paths, as task `pattern` says them."""
    prompt = build_masked_pattern_prompt(example.question)
    segments = write_pattern(language, build_path_pattern(example.paths))
    return Example(prompt, segments, example.weight)


def _build_language(schema: Schema, examples: Sequence[PathExample]) -> PatternLanguage:
    """A language in which all examples can be said."""
    mentions = 1 + max((p.mention for each in examples for p in each.paths), default=0)
    return PatternLanguage(mentions, PatternWords(schema.relation_types), PatternWords())
