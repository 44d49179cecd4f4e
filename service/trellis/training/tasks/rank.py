"""Task `rank`: lessons of answers, right and wrong ones, to questions."""

from __future__ import annotations

from itertools import chain

from trellis.domain.errors import TrainingError
from trellis.steps.conclude.rank_answers import IRRELEVANT_WORD, RELEVANT_WORD
from trellis.steps.retrieve.queries.settings import CypherSettings, RankSettings
from trellis.training.contract import LessonRequest, TrainingTask
from trellis.training.language_models.lesson import (
    LanguageLesson,
    MiniShape,
    train_language_model,
)
from trellis.training.options import sample_items
from trellis.training.tasks.cypher import DEFAULT_SETTINGS, find_queries, value_linker
from trellis.training.tasks.rank_examples import RankExamples

_SHAPE = MiniShape(width=128, layers=3, heads=4)
_RANKED = 1_000  # questions whose answers are ranked: for each, several queries are run
_STEPS = 2_000  # of a mini: a row teaches one word, so it takes more rows than sentences do


async def make_rank_lesson(request: LessonRequest) -> LanguageLesson:
    """Answers to rank are those of the set model's queries where one is set, and of queries near
    the right ones."""
    questions = request.questions or ()
    with_queries = await find_queries(request, questions)
    writer = await request.means.find_writer()
    settings = writer.card.settings(CypherSettings) if writer else DEFAULT_SETTINGS
    maker = RankExamples(
        request.means.graph,
        request.means.queries,
        request.schema,
        value_linker(request.means, settings),
        settings.options,
        request.options.seed,
        writer,
    )
    judged = sample_items(with_queries.questions, _RANKED, request.options.seed)
    made = await maker.make_examples(judged)
    if not made:
        raise TrainingError(
            f"none of {len(questions)} questions has answers that can be learnt from",
            "give questions over the loaded graph with `answers`, or `cypher` that returns some",
        )
    return LanguageLesson(
        RankSettings(),
        tuple(chain.from_iterable(made)),
        (RELEVANT_WORD, IRRELEVANT_WORD),
        {"questions": len(questions), "ranked": len(made)},
        _SHAPE,
        least_steps=_STEPS,
        most_steps=_STEPS,
    )


RANK = TrainingTask(
    RankSettings,
    train_language_model,
    make_rank_lesson,
    needs_questions=True,
    gold=("cypher", "answers"),
    is_shared=False,
)
