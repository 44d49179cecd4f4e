"""Asks a suite in this process, and fits the confidence of methods to what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from trellis.domain.claims import ClaimReply
from trellis.domain.errors import InputError
from trellis.domain.question import Question, Topics
from trellis.domain.reply import Reply
from trellis.evaluation.calibration import (
    FittedCalibration,
    calibrate_card,
    fit_calibration,
    fit_confidence,
)
from trellis.evaluation.run import Outcome, read_candidates_again, run_suite
from trellis.graph.progress import Progress
from trellis.house.house import House
from trellis.methods.registry import Method
from trellis.models.folder import read_card, write_card
from trellis.questions.row import QuestionRow


async def ask_suite(
    opened: House,
    questions: Sequence[QuestionRow],
    method: str,
    topics: Topics,
    report: Progress,
    stage: str = "questions",
) -> list[Outcome]:
    """The outcomes of all questions and claims; those that end in an error are told."""
    if any(not row.claim for row in questions):
        await opened.build_pipeline(method)  # loads the models before the clock runs
    verification = await opened.build_verification()

    async def ask_question(question: Question) -> Reply:
        given = list(question.topics) if question.topics else None
        return await opened.answer(opened.make_question(question.text, given), method)

    async def verify_claim(claim: str) -> ClaimReply:
        return await verification.verify(opened.make_claim(claim))

    async def language_of(question: Question, reply: Reply) -> Any:
        framed = await opened.build_task_input(question, reply)
        return framed.language if framed else None

    outcomes: list[Outcome] = []
    report(stage, 0, len(questions))
    async for outcome in run_suite(
        questions,
        ask_question,
        opened.graph,
        read_candidates_again(language_of),
        topics,
        queries=opened.queries,
        verify=verify_claim,
    ):
        outcomes.append(outcome)
        report(stage, len(outcomes), len(questions))
        if outcome.error is not None:
            typer.echo(f"{outcome.gold.id}: {outcome.error}", err=True)
    return outcomes


async def calibrate_method(
    opened: House, method: Method, outcomes: Sequence[Outcome], precision: float
) -> FittedCalibration:
    """Fit the method's confidence, and write it to the card of its first model."""
    fitted = fit_calibration(outcomes, precision)
    folder = await find_folder(opened, method)
    write_card(folder, calibrate_card(read_card(folder), method.name, fitted))
    return fitted


async def judge_methods(
    opened: House, folder: Path, questions: Sequence[QuestionRow], report: Progress
) -> None:
    """Ask questions that were not learnt from by each method that a new model folder makes ready,
    and keep in its card how sure each may be; `report` tells how far that is."""
    for name in [it.method.name for it in await opened.describe_methods() if it.is_ready]:
        outcomes = await ask_suite(opened, questions, name, "linked", report, f"judging {name}")
        card = read_card(folder)
        write_card(folder, card.with_calibration(name, fit_confidence(outcomes)))


async def find_folder(opened: House, method: Method) -> Path:
    """The folder of the method's first model; InputError if the model has no folder."""
    source = await opened.models.require_source(method.tasks[0].name)
    if source.folder is None:
        raise InputError(f"{source.name} has no folder to keep a calibration in", "give --model")
    return source.folder
