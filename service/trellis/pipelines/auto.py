"""auto: the methods that can answer, asked as far as that can change the answer.

The method that is expected to bring most is asked first. Where it is not sure enough, others are
asked side by side, as long as what they may bring is worth their time, to those who wait, too.
Answers that agree strengthen one another; of those that contradict, the more probable one is
given, if it is probable enough.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from trellis.domain.errors import (
    GraphUnavailableError,
    InputError,
    MethodBrokenError,
    OutOfTimeError,
    TrellisError,
)
from trellis.domain.limits.budget import count_waiting, measure_time_left
from trellis.domain.limits.sharing import share_work
from trellis.domain.replies.choice import Choice, Opinion, Stance
from trellis.domain.replies.events import Event, Watch, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.steps.choose.fuse_replies import AnswerHypothesis, FusedReply, fuse_replies
from trellis.steps.choose.order_methods import (
    MethodTraits,
    choose_first,
    choose_next,
    order_methods,
)
from trellis.steps.choose.tell_choice import tell_choice

_SPARE = 0.05  # of the time left, what is kept for the answer itself

_FOR_ALL = (InputError, GraphUnavailableError)
"""Errors of the question or of the graph, which every method would end in."""

AskMethod = Callable[[str, Question, Watch], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class _MethodOutcome:
    """What asking one method ended in: an opinion, of a reply or of an error."""

    opinion: Opinion
    reply: Reply | None = None
    error: TrellisError | None = None


@dataclass
class _CollectedOutcomes:
    """What the methods that were asked have said so far, in the order in which they were asked;
    `cut_short`: whether others would have been asked, had nobody waited."""

    voices: list[_MethodOutcome] = field(default_factory=list)
    cut_short: bool = False

    @property
    def replies(self) -> list[Reply]:
        return [voice.reply for voice in self.voices if voice.reply]

    @property
    def errors(self) -> list[TrellisError]:
        return [voice.error for voice in self.voices if voice.error]

    @property
    def opinions(self) -> list[Opinion]:
        return [voice.opinion for voice in self.voices]

    @property
    def held_back(self) -> Reply | None:
        """The reply of the first to find anything, where it says why that is no answer."""
        found = [reply for reply in self.replies if reply.held_back or AnswerHypothesis.of(reply)]
        return found[0] if found and found[0].held_back else None


@dataclass(frozen=True)
class Auto:
    """Answers a question by the methods of `traits`, which `ask` asks by their names.

    `at_once`: how many are asked side by side.
    """

    traits: Sequence[MethodTraits]
    ask: AskMethod
    at_once: int = 2
    name: str = "auto"

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:
        """The reply that is believed; raises the first error where no method came to a reply."""
        async with share_work():
            return await self._ask_and_conclude(question, watch)

    async def _ask_and_conclude(self, question: Question, watch: Watch) -> Reply:
        left, hearing = order_methods(self.traits), _CollectedOutcomes()
        batch, told = [choose_first(left, measure_time_left())], watch
        while batch:
            await self._ask_side_by_side(batch, question, told, hearing)
            if hearing.errors and isinstance(hearing.errors[0], _FOR_ALL):
                raise hearing.errors[0]
            for opinion in hearing.opinions[-len(batch) :]:
                watch(Event("opinion", opinion))
            left = [each for each in left if each not in batch]
            told = ignore_event  # steps of several methods at once would only confuse
            batch = self._choose_next(left, hearing)
        if not hearing.replies:
            error = hearing.errors[0]
            raise (isinstance(error, MethodBrokenError) and error.__cause__) or error
        return self._conclude(hearing, left)

    def _choose_next(
        self, left: Sequence[MethodTraits], hearing: _CollectedOutcomes
    ) -> list[MethodTraits]:
        held = hearing.held_back
        if held and not held.found_other:  # only what can say more may say what is left out
            says_all = self._says_operators(held.method)
            left = [each for each in left if each.says_operators and not says_all]
        if any(reply.is_absent for reply in hearing.replies):  # others would say what is nearest
            left = [each for each in left if each.says_operators]
        fused = fuse_replies(hearing.replies) if hearing.replies else None
        is_given = fused is not None and not fused.reply.abstained
        if fused and is_given and fused.reply.says_operators:  # what paths cannot say
            left = [each for each in left if each.says_operators]
        is_whole = fused is not None and is_given and not fused.reply.unshown
        if fused and is_given and not is_whole:  # only what says more can say what is left out
            left = [each for each in left if each.says_operators]
        confidence = fused.confidence if fused and is_whole else 0.0
        limits = confidence, _measure_time_to_spend(), self.at_once
        chosen = choose_next(left, *limits, count_waiting())
        hearing.cut_short = not chosen and bool(choose_next(left, *limits))
        return chosen

    def _says_operators(self, method: str) -> bool:
        return any(each.says_operators for each in self.traits if each.name == method)

    async def _ask_side_by_side(
        self,
        batch: Sequence[MethodTraits],
        question: Question,
        watch: Watch,
        hearing: _CollectedOutcomes,
    ) -> None:
        left = _measure_time_to_spend()
        most = left if hearing.replies and math.isfinite(left) else None
        asked = (self._ask_one(each.name, question, watch, most) for each in batch)
        hearing.voices += await asyncio.gather(*asked)

    async def _ask_one(
        self, name: str, question: Question, watch: Watch, most: float | None
    ) -> _MethodOutcome:
        """What one method comes to, in `most` seconds."""
        began = time.perf_counter()
        try:
            async with asyncio.timeout(most):
                reply = await self.ask(name, question, watch)
        except (TimeoutError, TrellisError) as error:
            return _describe_failure(name, error, time.perf_counter() - began)
        return _MethodOutcome(_build_opinion(name, reply, time.perf_counter() - began), reply)

    def _conclude(self, hearing: _CollectedOutcomes, left: Sequence[MethodTraits]) -> Reply:
        """The believed reply, with what all methods came to; without its claim where this is not
        sure enough given the others."""
        fused = fuse_replies(hearing.replies)
        least = next(each.least for each in self.traits if each.name == fused.reply.method)
        reply = _apply_confidence(fused, least)
        asked = [opinion.method for opinion in hearing.opinions]
        agreeing = (fused.reply.method, *fused.agreeing)
        choice = Choice(
            tuple(replace(it, agrees=it.method in agreeing) for it in hearing.opinions),
            tuple(each.name for each in left),
            tell_choice(fused, asked, is_given=not reply.abstained, cut_short=hearing.cut_short),
            hearing.cut_short,
        )
        failed = [f"{it.method}: {it.problem}" for it in hearing.opinions if it.problem]
        return replace(reply, choice=choice, notes=(*reply.notes, *failed))


def _measure_time_to_spend() -> float:
    """The seconds that methods may take together; a little is kept for the answer itself."""
    return measure_time_left() * (1 - _SPARE)


def _apply_confidence(fused: FusedReply, least: float) -> Reply:
    reply = replace(fused.reply, confidence=fused.confidence)
    is_doubted = bool(fused.contradicting) and fused.confidence < least
    return reply.withdraw_answers() if is_doubted and not reply.abstained else reply


def _build_opinion(name: str, reply: Reply, seconds: float) -> Opinion:
    stance: Stance = "none"
    if reply.answers:
        stance = "answered"
    elif reply.abstained:
        stance = "held_back" if reply.held_back else "abstained"
    return Opinion(name, stance, reply.confidence, seconds, len(reply.answers))


def _describe_failure(
    name: str, error: TimeoutError | TrellisError, seconds: float
) -> _MethodOutcome:
    if isinstance(error, TrellisError):
        return _MethodOutcome(
            Opinion(name, "failed", seconds=seconds, problem=error.problem), error=error
        )
    late = OutOfTimeError(f"{name} found nothing in {seconds:.1f} s", "ask again")
    return _MethodOutcome(
        Opinion(name, "late", seconds=seconds, problem="its time was up"), error=late
    )
