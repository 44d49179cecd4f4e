"""All parts of a running Trellis, and answering questions with them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from trellis.app.answer_cache import AnswerCache
from trellis.app.models import ModelSet
from trellis.app.pipeline_builder import PipelineBuilder
from trellis.app.readiness import MissingPart, check_parts, drop_retelling
from trellis.app.recalling import recall_answer
from trellis.app.warming import WarmUp
from trellis.automata.tokens.tries import CacheFigures
from trellis.domain.errors import StoreError
from trellis.domain.graphs.graph import Node
from trellis.domain.limits.budget import Budget, limit_time
from trellis.domain.limits.spending import count_spending
from trellis.domain.ports import Embedder, Gate, Graph, Reasoner, TextRanker
from trellis.domain.replies.claims import ClaimReply
from trellis.domain.replies.events import Watch, enter_step, ignore_event
from trellis.domain.replies.question import Question, check_claim, check_question
from trellis.domain.replies.reply import Reply
from trellis.engines.workers.replicas import WorkerFigures
from trellis.graph.database.connection import GraphVersion
from trellis.graph.neighbourhoods.trie_cache import TrieFigures
from trellis.methods.registry import AUTO, Method, Pipeline
from trellis.pipelines.claims import ClaimVerification
from trellis.pipelines.connection_reply import ConnectionReply
from trellis.pipelines.distance_reply import DistanceReply
from trellis.settings import Settings
from trellis.steps.claims.known_words import read_untaught_words
from trellis.steps.claims.step_companions import StepCompanions
from trellis.steps.conclude.namesakes import tell_namesakes
from trellis.steps.ground.connect_nodes import ConnectionSearch
from trellis.steps.link.vocabulary.misspelt_words import read_misspelt_words
from trellis.steps.retrieve.patterns.settings import PatternSettings
from trellis.store.answers import Store
from trellis.store.migration import migrate_store

ReadVersion = Callable[[], Awaitable[GraphVersion | None]]
"""Reads the graph's version; None where the server does not give one."""


@dataclass(frozen=True, slots=True)
class TrellisApp:
    """All parts of a running Trellis; `check_graph` raises where the graph cannot be used.

    `companions`: what claims have shown of the steps that nodes have together.
    """

    settings: Settings
    graph: Graph
    queries: Gate
    companions: StepCompanions
    connections: ConnectionSearch
    models: ModelSet
    embedder: Embedder
    reasoner: Reasoner | None
    store: Store
    methods: Mapping[str, Method]
    check_graph: Callable[[], Any]
    trie_figures: Callable[[], TrieFigures] | None = None  # None: no trie is remembered
    graph_notes: Callable[[], Awaitable[tuple[str, ...]]] | None = None  # None: there are none
    text_ranker: TextRanker | None = None
    read_version: ReadVersion | None = None  # None: what the graph holds cannot be told
    answers: AnswerCache | None = None  # None: no reply is remembered
    english_words: frozenset[str] = frozenset()  # empty: no word is taken for a misspelt one

    def remember_answers(self) -> TrellisApp:
        """The same app, giving the replies it gave before while the graph is what it was, as far as
        the settings allow it and the graph's version can be told."""
        size = self.settings.answer_cache
        if not size or self.read_version is None:
            return self
        return replace(self, answers=AnswerCache(size * 2**20, self.read_version))

    @property
    def pipelines(self) -> PipelineBuilder:
        """What builds the pipelines of methods out of these parts."""
        return PipelineBuilder(self)

    def make_budget(
        self, seconds: float | None = None, rows: int | None = None, tokens: int | None = None
    ) -> Budget:
        """The budget of a question: what is asked for, but at most what the settings allow."""
        most = self.settings
        return Budget(
            min(seconds or most.question_timeout, most.question_timeout),
            min(rows or most.answer_limit, most.answer_limit),
            min(tokens or most.token_budget, most.token_budget),
        )

    def site_figures(self) -> Sequence[CacheFigures]:
        """Figures of the site tries of each loaded model that decodes in this process."""
        return [model.site_figures() for model in self._list_loaded_models("site_figures")]

    def worker_figures(self) -> Sequence[WorkerFigures]:
        """Figures of the requests to decoding workers, for each loaded model that workers run."""
        return [model.worker_figures() for model in self._list_loaded_models("worker_figures")]

    def _list_loaded_models(self, ability: str) -> list[Any]:
        return [model for model in self.models.loaded_models if hasattr(model, ability)]

    async def check_models(self) -> None:
        """Raises where a model cannot be loaded or reached, or where no method has its models."""
        tasks = (task for method in self.methods.values() for task in method.all_tasks)
        guided = {task.name for task in tasks if task.is_guide}
        for source in await self.models.list_fitting():
            if source.guide is not None and {*(await source.card.get()).tasks} <= guided:
                await source.guide.get()
                continue
            check = getattr(await source.model.get(), "check", None)
            if check:
                await check()
        await self.pipelines.list_ready_methods()

    async def answer(
        self,
        question: Question,
        method: str | None = None,
        watch: Watch = ignore_event,
        budget: Budget | None = None,
    ) -> Reply:
        """The method's reply, within a budget; OutOfTimeError says in which step time ran out.

        Where no method is named, or `auto`, those that can answer are asked as far as that can
        change the answer; unless somebody watches, a reply that was given before is given again
        while the graph is what it was. Where nothing was linked, the graph is checked: a graph that
        is empty or not indexed raises an error rather than giving no answer.
        """
        spend = budget or self.make_budget()
        calls, tokens = self.settings.hosted_calls, self.settings.hosted_tokens
        with count_spending(calls, tokens) as spending:
            async with limit_time(spend.seconds):
                find = partial(self._find_answer, question, method, watch, spend)
                is_watched = watch is not ignore_event
                reply = await (
                    find() if is_watched else recall_answer(self, question, method, spend, find)
                )
                cost = filter(None, [spending.describe()])
                return replace(reply, notes=(*reply.notes, *cost, *await self.read_notes()))

    async def _find_answer(
        self, question: Question, method: str | None, watch: Watch, budget: Budget
    ) -> Reply:
        """The method's reply to a question, spelt as it is read."""
        enter_step("link")
        spelt = await read_misspelt_words(question.text, self.graph, self.english_words)
        asked = replace(question, text=spelt.text)
        reply = await self._answer_without_model(asked, method, watch)
        if reply is None:
            enter_step("load")
            pipeline = await self.pipelines.build(method, budget)
            reply = await pipeline.answer(asked, watch)
        reply = await tell_namesakes(self.graph, reply)
        if spelt.words:
            notes = (*(word.describe() for word in spelt.words), *reply.notes)
            reply = replace(reply, question=question.text, asked=spelt.text, notes=notes)
        if reply.abstained and not reply.mentions:
            await self.check_graph()
        return reply

    async def _answer_without_model(
        self, question: Question, method: str | None, watch: Watch
    ) -> Reply | None:
        """The reply to a question for how nodes are connected, what they share or how far they are
        apart; None of any other, and where another method is named."""
        if method not in (None, AUTO):
            return None
        parts = (self.graph, self.connections, self.embedder)
        reply = await ConnectionReply(*parts).answer(question, watch)
        return reply or await DistanceReply(*parts).answer(question, watch)

    async def read_notes(self) -> tuple[str, ...]:
        """Notes on how the graph is read, for example that it is slower than it could be, and on
        models that were trained for another one."""
        about_graph = await self.graph_notes() if self.graph_notes else ()
        return (*about_graph, *await self._note_foreign_models())

    async def _note_foreign_models(self) -> list[str]:
        loaded = [it for it in await self.models.list_fitting() if it.model.loaded]
        if not loaded:
            return []
        names = (await self.graph.schema()).names
        return [
            f"{source.name} was trained for another graph: it knows less than half of the labels "
            "and relationship types of this one; train one with `trellis train`, or use `reader`"
            for source in loaded
            if not (await source.card.get()).fits_schema(names)
        ]

    async def verify(self, claim: str, budget: Budget | None = None) -> ClaimReply:
        """The verdict on a claim that `make_claim` gave, within a budget.

        It needs no model; one that does task `pattern` brings the words that training counted.
        """
        spend = budget or self.make_budget()
        async with limit_time(spend.seconds):
            reply = await (await self.build_verification()).verify(claim)
            if not reply.mentions:
                await self.check_graph()
            return replace(reply, notes=(*reply.notes, *await self.read_notes()))

    async def build_verification(self) -> ClaimVerification:
        """What verifies claims."""
        source = await self.models.find_source(PatternSettings.task)
        taught = PatternSettings()
        if source:
            taught = (await source.card.get()).settings(PatternSettings)
        if taught.claim_words:
            return ClaimVerification(
                self.companions, taught.claim_words, taught.claim_wording, self.embedder
            )
        known = await asyncio.to_thread(read_untaught_words, await self.graph.schema())
        return ClaimVerification(self.companions, known, (), self.embedder, is_taught=False)

    def make_claim(self, text: str) -> str:
        """A checked claim; ClaimError where it cannot be used."""
        return check_claim(text, self.settings.question_limit)

    def make_question(
        self, text: str, topics: list[str] | None = None, limit: int | None = None
    ) -> Question:
        """A question of a checked text and topics; QuestionError where one cannot be used."""
        most = self.settings.question_limit
        names = tuple(check_question(topic, most) for topic in topics) if topics else None
        return Question(check_question(text, most), names, limit)

    async def prepare_store(self) -> None:
        """Create the tables of an SQLite store; other databases are migrated by the user."""
        if self.settings.store_url.startswith("sqlite"):
            with suppress(StoreError):  # `find_missing_parts` reports it
                await migrate_store(self.settings.store_url)

    async def warm_up(self) -> None:
        """Pay for what a first question would pay for, by every method that `auto` may ask; no
        hosted model is asked."""
        offline = replace(self, reasoner=None)
        parts: dict[str, Callable[[Sequence[Node]], Awaitable[None]]] = {}
        pipelines: list[Pipeline] = []
        ready = await self.pipelines.find_ready_methods()
        for method in await drop_retelling(self.models, ready):
            built = await offline.pipelines.load_parts(method, self.make_budget())
            parts |= {task.name: partial(task.warm, built) for task in method.tasks if task.warm}
            if not any(
                [source.is_hosted async for _, source in self.pipelines.find_sources(method)]
            ):
                pipelines.append(method.build_pipeline(built))
        await WarmUp(self.graph, self.embedder, parts, pipelines).run()

    async def find_missing_parts(self) -> list[MissingPart]:
        """The parts that are not ready; parts that are not loaded yet are loaded."""
        return await check_parts(
            {
                "graph": self.check_graph,
                "model": self.check_models,
                "embedder": lambda: asyncio.to_thread(self.embedder.embed, ["ready"]),
                "store": self.store.check_ready,
            }
        )
