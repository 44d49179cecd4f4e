"""Asks a suite in this process, and fits the confidence of methods to what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from trellis.app.calibrations import is_kept_in_store, keep_calibration
from trellis.app.once import LazyPart
from trellis.app.trellis_app import TrellisApp
from trellis.cli.terminal import echo
from trellis.domain.errors import MethodBrokenError, TrellisError
from trellis.domain.reasons import with_reason
from trellis.domain.replies.claims import ClaimReply
from trellis.domain.replies.question import Question, Topics
from trellis.domain.replies.reply import Reply
from trellis.evaluation.calibration import (
    FittedCalibration,
    calibrate_card,
    fit_calibration,
    fit_confidence,
)
from trellis.evaluation.report import describe_outcome
from trellis.evaluation.run import Outcome, read_candidates_again, run_suite
from trellis.graph.database.progress import Progress
from trellis.methods.registry import Method
from trellis.models.folder import read_card, write_card
from trellis.pipelines.claims import ClaimVerification
from trellis.questions.row import QuestionRow
from trellis.settings import Settings
from trellis.wiring.assemble import assemble_app


@dataclass(frozen=True, slots=True)
class _AppAsker:
    """Asks an app questions by one method, and has it verify claims."""

    opened: TrellisApp
    method: str
    verification: LazyPart[ClaimVerification]

    @classmethod
    async def prepare(cls, opened: TrellisApp, method: str, needs_models: bool) -> _AppAsker:
        """Ready to ask; the method's models are loaded where questions need them."""
        if needs_models:
            await opened.pipelines.build(method)
        return cls(opened, method, LazyPart(opened.build_verification))

    async def ask_question(self, question: Question) -> Reply:
        given = list(question.topics) if question.topics else None
        return await self.opened.answer(
            self.opened.make_question(question.text, given), self.method
        )

    async def verify_claim(self, claim: str) -> ClaimReply:
        verification = await self.verification.get()
        return await verification.verify(self.opened.make_claim(claim))

    async def read_language(self, question: Question, reply: Reply) -> Any:
        framed = await self.opened.pipelines.build_task_input(question, reply)
        return framed.language if framed else None


async def ask_suite(
    opened: TrellisApp,
    questions: Sequence[QuestionRow],
    method: str,
    topics: Topics,
    report: Progress,
    stage: str = "questions",
) -> list[Outcome]:
    """The outcomes of all questions and claims; those that end in an error are told."""
    has_questions = any(not row.claim for row in questions)
    asker = await _AppAsker.prepare(opened, method, has_questions)  # before the clock runs
    await asker.verification.get()
    outcomes: list[Outcome] = []
    report(stage, 0, len(questions))
    async for outcome in run_suite(
        questions,
        asker.ask_question,
        opened.graph,
        read_candidates_again(asker.read_language),
        topics,
        queries=opened.queries,
        verify=asker.verify_claim,
    ):
        outcomes.append(outcome)
        report(stage, len(outcomes), len(questions))
        if outcome.error is not None:
            echo(f"{outcome.gold.id}: {outcome.error}", err=True)
    return outcomes


AskedT = TypeVar("AskedT")
ReplyT = TypeVar("ReplyT")
AskRows = Callable[[Sequence[QuestionRow]], Coroutine[None, None, list[dict[str, Any]]]]


@asynccontextmanager
async def open_row_asker(
    settings: Settings,
    model: str | None,
    method: str,
    topics: Topics,
    at_once: int,
    needs_models: bool,
) -> AsyncIterator[AskRows]:
    """Open an app that answers rows, for a process of its own: each becomes its entry of a report,
    with what was asked and by which method. Nothing is compared with gold.

    `needs_models`: whether there are questions among the rows, and not only claims.
    """
    async with assemble_app(settings, model) as opened:
        asker = await _AppAsker.prepare(opened, method, needs_models)
        # else the first question takes the time that loading takes
        await asyncio.to_thread(opened.embedder.embed, ["ready"])

        async def ask_rows(questions: Sequence[QuestionRow]) -> list[dict[str, Any]]:
            outcomes = run_suite(
                questions,
                _report_breakage(asker.ask_question, method),
                graph=None,
                reread=None,
                topics=topics,
                at_once=at_once,
                verify=_report_breakage(asker.verify_claim, "of claims"),
            )
            return [_describe_row(outcome, method) async for outcome in outcomes]

        yield ask_rows


def _report_breakage(
    ask: Callable[[AskedT], Awaitable[ReplyT]], name: str
) -> Callable[[AskedT], Awaitable[ReplyT]]:
    """The same, but a foreign error becomes a MethodBrokenError: it is one question's alone."""

    async def ask_safely(asked: AskedT) -> ReplyT:
        try:
            return await ask(asked)
        except TrellisError:
            raise
        except Exception as error:
            problem = with_reason(f"method {name} broke", error)
            raise MethodBrokenError(problem, "`trellis evaluate` shows where") from error

    return ask_safely


def _describe_row(outcome: Outcome, method: str) -> dict[str, Any]:
    """The report's entry of a question or claim, and what was asked."""
    body = describe_outcome(outcome)
    if outcome.gold.claim:
        asked = {"claim": outcome.gold.claim}
    else:
        asked = {"question": outcome.gold.question}
        asked["method"] = outcome.reply.method if outcome.reply else method
    kind = {"error_kind": outcome.error_kind} if outcome.error is not None else {}
    return {**body, **asked, **kind}


async def calibrate_method(
    opened: TrellisApp, method: Method, outcomes: Sequence[Outcome], precision: float
) -> FittedCalibration:
    """Fit the method's confidence, and keep it in the card of its first model, or in the store
    where that has no folder of its own."""
    fitted = fit_calibration(outcomes, precision)
    source = await opened.models.require_source(method.tasks[0].name)
    if await is_kept_in_store(source):
        card = calibrate_card(await source.card.get(), method.name, fitted)
        await keep_calibration(source, method.name, card.calibration(method.name), opened.store)
    else:
        assert source.folder
        write_card(source.folder, calibrate_card(read_card(source.folder), method.name, fitted))
    return fitted


async def check_can_calibrate(opened: TrellisApp, method: Method) -> None:
    """Raise what would keep a calibration of the method from being kept: StoreError where the store
    should and cannot."""
    source = await opened.models.require_source(method.tasks[0].name)
    if await is_kept_in_store(source):
        await opened.store.find_calibration(source.name, method.name)


async def judge_methods(
    opened: TrellisApp, folder: Path, questions: Sequence[QuestionRow], report: Progress
) -> None:
    """Ask questions that were not learnt from by each method that a new model folder makes ready,
    and keep in its card how sure each may be; `report` tells how far that is."""
    for method in await opened.pipelines.find_ready_methods():
        name = method.name
        outcomes = await ask_suite(opened, questions, name, "linked", report, f"judging {name}")
        fitted = fit_confidence(outcomes, method.general())
        write_card(folder, read_card(folder).with_calibration(name, fitted))
