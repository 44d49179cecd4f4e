"""Method `graphraft`: task `cypher`, and task `rank` where a model does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.grammars.query_grammar import write_query_grammar
from trellis.domain.graphs.graph import Node
from trellis.domain.models.card import Calibration
from trellis.domain.models.decoding import Search
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.engines.chats.chat import ChatFormat
from trellis.engines.chats.json_queries.form import QUERY_JSON
from trellis.engines.chats.query_reader import QueryReader
from trellis.methods.registry import HostedTask, Method, Pipeline, PipelineParts, Task, TaskInput
from trellis.pipelines.graphraft import GraphRaft
from trellis.settings import Settings
from trellis.steps.conclude.confidence.general_confidence import load_general_confidence
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.queries.query_prompt import build_query_prompt
from trellis.steps.retrieve.queries.retrieve_queries import link_question_values, retrieve_queries
from trellis.steps.retrieve.queries.settings import CypherSettings, RankSettings
from trellis.steps.retrieve.queries.warm_queries import warm_queries

_GENERAL_MARGIN = 4.0
"""How far below the best query a general model's are looked for: of less than a twentieth of its
probability none is run, and what is left is for rules that move them."""
_GENERAL_TOKENS = 256
"""Tokens of a general model's query at most: those of people have some fifty, and a model that adds
one condition after the other is not waited for."""


def _build_pipeline(parts: PipelineParts) -> Pipeline:
    card = parts.models[CypherSettings.task].card
    is_general = card.is_general
    margin = _GENERAL_MARGIN if is_general else 0.0
    tokens = min(parts.budget.tokens, _GENERAL_TOKENS) if is_general else parts.budget.tokens
    return GraphRaft(
        parts.graph,
        parts.queries,
        parts.models[CypherSettings.task],
        parts.settings_of(CypherSettings),
        _choose_calibration(parts),
        parts.models.get(RankSettings.task),
        parts.reasoner,
        parts.embedder,
        Search(width=parts.settings.width, max_tokens=tokens, margin=margin),
        row_limit=parts.budget.rows,
        hops=parts.settings.grounded_hops,
        is_general=is_general,
        text_ranker=parts.text_ranker,
    )


def _choose_calibration(parts: PipelineParts) -> Calibration:
    """The model's own; of one that was trained as those were on which it was fitted, and on which
    nothing was, that of others."""
    card = parts.models[CypherSettings.task].card
    has_learnt = bool(card.training) and not card.is_general
    if parts.calibration == Calibration() and has_learnt:
        return load_general_confidence()
    return parts.calibration


async def _build_input(parts: PipelineParts, question: Question, _: Reply) -> TaskInput:
    cypher = parts.settings_of(CypherSettings)
    mentions = await link_question_values(question, parts.graph, cypher, parts.embedder)
    form = QuestionForm(question.text, mentions, await parts.graph.schema())
    is_general = parts.models[CypherSettings.task].card.is_general
    language = await retrieve_queries(
        parts.graph, form, cypher, is_general=is_general, embedder=parts.embedder
    )
    return TaskInput(build_query_prompt(question.text, mentions), language)


async def _warm(parts: PipelineParts, nodes: Sequence[Node]) -> None:
    await warm_queries(parts.graph, nodes)


def _build_hosted_settings(_: Settings) -> CypherSettings:
    """A large model has seen all of Cypher, so that it may write all that can be said."""
    return CypherSettings.of_options(RenderingOptions())


def _build_general_settings(settings: Settings) -> CypherSettings:
    return replace(_build_hosted_settings(settings), rendering=settings.rendering)


_CHAT_FORMAT = ChatFormat(192, QueryReader, QUERY_JSON, write_query_grammar)

GRAPHRAFT = Method(
    name="graphraft",
    about="Queries decoded inside the language of the schema, run behind the gate, and ranked.",
    tasks=(
        Task(
            CypherSettings,
            _build_input,
            HostedTask(_CHAT_FORMAT, _build_hosted_settings),
            _warm,
            build_general=_build_general_settings,
        ),
    ),
    optional=(Task(RankSettings),),
    build_pipeline=_build_pipeline,
    general=load_general_confidence,
    seconds=0.3,
    says_operators=True,
)
