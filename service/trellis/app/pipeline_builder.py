"""Builds the pipelines of methods out of the parts of a running Trellis."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trellis.app.calibrations import read_calibration
from trellis.app.models import ModelSource
from trellis.app.readiness import MethodState, answer_safely, drop_retelling
from trellis.domain.errors import TrellisError
from trellis.domain.limits.budget import Budget
from trellis.domain.ports import GuidanceModel, LanguageModel
from trellis.domain.replies.events import Watch
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.methods.registry import AUTO, Method, Pipeline, PipelineParts, TaskInput, find_method
from trellis.pipelines.auto import Auto
from trellis.steps.choose.order_methods import MethodTraits

if TYPE_CHECKING:
    from trellis.app.trellis_app import TrellisApp


@dataclass(frozen=True, slots=True)
class PipelineBuilder:
    """Says which methods can answer with the models of an app, and builds their pipelines."""

    app: TrellisApp

    async def describe_method(self, method: Method) -> MethodState:
        """Whether a method can answer, judged by the models' cards: no weights are loaded."""
        models: dict[str, str] = {}
        try:
            async for task, source in self.find_sources(method):
                models[task] = source.full_name
        except TrellisError as error:
            return MethodState(method, models, error)
        return MethodState(method, models)

    async def find_sources(self, method: Method) -> AsyncIterator[tuple[str, ModelSource]]:
        """The tasks of a method, each with the source of the model that does it.

        An optional task that no model does is left out. Raises WrongTaskError where no model does a
        task that is needed, and the error of a card that cannot be read.
        """
        for task in method.tasks:
            yield task.name, await self.app.models.require_source(task.name)
        for task in method.optional:
            source = await self.app.models.find_source(task.name, is_guide=task.is_guide)
            if source is not None:
                yield task.name, source

    async def describe_methods(self) -> list[MethodState]:
        """All methods; those that can answer come first, and the first of these is the default."""
        states = [await self.describe_method(method) for method in self.app.methods.values()]
        return sorted(states, key=lambda state: not state.is_ready)

    async def find_ready_methods(self) -> list[Method]:
        """The methods that have their models; there may be none."""
        return [state.method for state in await self.describe_methods() if state.is_ready]

    async def list_ready_methods(self) -> list[Method]:
        """The methods that have their models, at least one.

        Where none has, raises the error that keeps the first one from answering.
        """
        states = await self.describe_methods()
        if states[0].error:
            raise states[0].error
        return [state.method for state in states if state.is_ready]

    async def build(self, method: str | None = None, budget: Budget | None = None) -> Pipeline:
        """The pipeline of a method, its models loaded; unset: `auto`.

        Raises UnknownMethodError, WrongTaskError, or the error that keeps a model from loading.
        """
        spend = budget or self.app.make_budget()
        if method in (None, AUTO):
            return await self._build_auto(spend)
        return await self._build_method(find_method(self.app.methods, method), spend)

    async def _build_method(self, method: Method, budget: Budget) -> Pipeline:
        return method.build_pipeline(await self.load_parts(method, budget))

    async def _build_auto(self, budget: Budget) -> Auto:
        """All methods that can answer and tell it in their own way, as one; raises what keeps the
        first one from answering."""
        telling = await drop_retelling(self.app.models, await self.list_ready_methods())
        traits = [await self._find_traits(method) for method in telling]

        async def ask_method(name: str, question: Question, watch: Watch) -> Reply:
            pipeline = await self._build_method(self.app.methods[name], budget)
            return await answer_safely(pipeline, name, question, watch)

        return Auto(traits, ask_method, self.app.settings.methods_at_once)

    async def _find_traits(self, method: Method) -> MethodTraits:
        source = await self.app.models.require_source(method.tasks[0].name)
        fitted = await read_calibration(source, method.name, self.app.store)
        return MethodTraits(
            method.name,
            method.seconds,
            fitted.accuracy,
            fitted.abstain_below,
            method.says_operators,
        )

    async def build_task_input(self, question: Question, reply: Reply) -> TaskInput | None:
        """The prompt and language of a reply's candidates, read from the graph again.

        None where the method's candidates are not sentences of a language.
        """
        named = self.app.methods.get(reply.method)  # None: a connection of nodes, without a model
        framing = named.tasks[0].build_input if named else None
        if named is None or framing is None:
            return None
        parts = await self.load_parts(named, self.app.make_budget())
        return await framing(parts, replace(question, text=reply.asked or question.text), reply)

    async def load_parts(self, method: Method, budget: Budget) -> PipelineParts:
        """The parts that a method is built of; its models are loaded."""
        models: dict[str, LanguageModel] = {}
        guides: dict[str, GuidanceModel] = {}
        own = {task.name for task in method.all_tasks if task.is_guide}
        async for task, source in self.find_sources(method):
            if task not in own:
                models[task] = await source.model.get()
            elif source.guide is not None:
                guides[task] = await source.guide.get()
        first = await self.app.models.require_source(method.tasks[0].name)
        calibration = await read_calibration(first, method.name, self.app.store)
        return PipelineParts(
            self.app.settings,
            self.app.graph,
            self.app.queries,
            models,
            self.app.embedder,
            self.app.reasoner,
            calibration,
            budget,
            guides,
            self.app.text_ranker,
        )
