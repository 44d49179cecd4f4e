"""Whether the parts and the methods of an app are ready, and why not; and what broke."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trellis.app.models import ModelSet
from trellis.domain.errors import MethodBrokenError, TrellisError
from trellis.domain.replies.events import Watch
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.methods.registry import Method, Pipeline

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MissingPart:
    """A part that is not ready, and the error that says why."""

    name: str
    error: TrellisError


@dataclass(frozen=True, slots=True)
class MethodState:
    """Whether a method can answer: its models' names by task, or the error that says why not."""

    method: Method
    models: Mapping[str, str] = field(default_factory=dict)
    error: TrellisError | None = None

    @property
    def is_ready(self) -> bool:
        return self.error is None


async def drop_retelling(models: ModelSet, ready: Sequence[Method]) -> list[Method]:
    """The methods that can answer, without those whose model says in other words what another of
    them is asked for (`ModelCard.told_as`): together they would seem to agree, or it would
    contradict a model that was trained for the other."""
    asked, telling = {method.tasks[0].name for method in ready}, list[Method]()
    for method in ready:
        task = method.tasks[0].name
        card = await (await models.require_source(task)).card.get()
        if card.told_as.get(task) not in asked:
            telling.append(method)
    return telling


async def check_parts(checks: Mapping[str, Callable[[], Any]]) -> list[MissingPart]:
    """The parts whose check raises, by the checks of all parts; these run side by side."""
    results = await asyncio.gather(*(_check_part(part, check) for part, check in checks.items()))
    return [missing for missing in results if missing is not None]


async def _check_part(part: str, check: Callable[[], Any]) -> MissingPart | None:
    """The part as missing where its check raises, else None."""
    try:
        await check()
    except TrellisError as error:
        return MissingPart(part, error)
    except Exception as error:  # a part that fails with a foreign error is not ready either
        log.error("the %s broke", part, exc_info=error)
        return MissingPart(part, TrellisError(f"the {part} broke", "the log has the details"))
    return None


async def answer_safely(pipeline: Pipeline, name: str, question: Question, watch: Watch) -> Reply:
    """The pipeline's reply; a foreign error becomes a MethodBrokenError, and is logged."""
    try:
        return await pipeline.answer(question, watch)
    except (TrellisError, TimeoutError):
        raise
    except Exception as error:
        log.error("method %s broke", name, exc_info=error)
        raise MethodBrokenError(f"method {name} broke", "the log has the details") from error
