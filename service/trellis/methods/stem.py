"""Method `stem`: tasks `assertion` and `schema_graph`, and `guidance` where a model does it."""

from __future__ import annotations

from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.methods.registry import Method, Pipeline, PipelineParts, Task, TaskInput
from trellis.methods.witness import WITNESS_TASK, build_witness
from trellis.pipelines.stem import Stem
from trellis.settings import Settings
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.schema_graphs.retrieve_assertions import build_assertion_language
from trellis.steps.retrieve.schema_graphs.settings import (
    AssertionSettings,
    GuidanceSettings,
    SchemaGraphSettings,
)
from trellis.steps.retrieve.schema_graphs.trace_prompts import build_assertion_prompt


def _build_pipeline(parts: PipelineParts) -> Pipeline:
    return Stem(
        parts.graph,
        parts.queries,
        parts.embedder,
        parts.models[AssertionSettings.task],
        parts.models[SchemaGraphSettings.task],
        parts.guides.get(GuidanceSettings.task),
        parts.calibration,
        parts.reasoner,
        parts.budget.tokens,
        edge_budget=parts.settings.edge_budget,
        answer_limit=parts.budget.rows,
        witness=build_witness(parts),
    )


async def _build_input(parts: PipelineParts, question: Question, reply: Reply) -> TaskInput:
    form = QuestionForm(question.text, reply.mentions, await parts.graph.schema())
    language = build_assertion_language(form, parts.settings_of(AssertionSettings))
    return TaskInput(build_assertion_prompt(form.masked), language)


def _build_general_settings(_: Settings) -> AssertionSettings:
    """A model that learnt no words for relations says them in its own."""
    return AssertionSettings(words="free")


STEM = Method(
    name="stem",
    about="Assertions decoded from the question, schema graphs decoded from these, their traces "
    "through the graph, and a vote on what these give.",
    tasks=(
        Task(AssertionSettings, _build_input, build_general=_build_general_settings),
        Task(SchemaGraphSettings),
    ),
    optional=(Task(GuidanceSettings, is_guide=True), WITNESS_TASK),
    build_pipeline=_build_pipeline,
    seconds=0.4,
)
