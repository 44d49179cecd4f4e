"""Method `simgrag`: task `pattern`."""

from __future__ import annotations

from trellis.domain.models.decoding import Search
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.engines.chats.chat import ChatFormat
from trellis.methods.registry import HostedTask, Method, Pipeline, PipelineParts, Task, TaskInput
from trellis.methods.witness import WITNESS_TASK, build_witness
from trellis.pipelines.simgrag import SimGrag
from trellis.settings import Settings
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.patterns.pattern_prompt import build_pattern_prompt
from trellis.steps.retrieve.patterns.retrieve_patterns import build_pattern_language
from trellis.steps.retrieve.patterns.settings import PatternSettings


def _build_pipeline(parts: PipelineParts) -> Pipeline:
    settings = parts.settings
    return SimGrag(
        parts.graph,
        parts.queries,
        parts.models[PatternSettings.task],
        parts.settings_of(PatternSettings),
        parts.calibration,
        parts.embedder,
        parts.reasoner,
        Search(width=settings.width, max_tokens=parts.budget.tokens, diversity=settings.diversity),
        answer_limit=parts.budget.rows,
        witness=build_witness(parts),
    )


async def _build_input(parts: PipelineParts, question: Question, reply: Reply) -> TaskInput:
    form = QuestionForm(question.text, reply.mentions, await parts.graph.schema())
    language = build_pattern_language(form, parts.settings_of(PatternSettings))
    return TaskInput(build_pattern_prompt(form), language)


def _build_hosted_settings(_: Settings) -> PatternSettings:
    """A hosted model says relations and kinds in its own words, as in the paper."""
    return PatternSettings(
        most_triples=6, relations="free", kinds="free", free_tokens=12, needs_mention=False
    )


SIMGRAG = Method(
    name="simgrag",
    about="Patterns decoded from the question, the subgraphs nearest to them, and a vote on what "
    "these give.",
    tasks=(
        Task(PatternSettings, _build_input, HostedTask(ChatFormat(96), _build_hosted_settings)),
    ),
    optional=(WITNESS_TASK,),
    build_pipeline=_build_pipeline,
    seconds=0.3,
)
