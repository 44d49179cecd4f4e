"""Method `gcr`: task `path`."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.graphs.graph import Node
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.engines.chats.chat import ChatFormat
from trellis.methods.registry import HostedTask, Method, Pipeline, PipelineParts, Task, TaskInput
from trellis.methods.witness import build_path_search
from trellis.pipelines.gcr import Gcr
from trellis.settings import Settings
from trellis.steps.retrieve.paths.path_prompt import build_path_prompt
from trellis.steps.retrieve.paths.retrieve_trie import retrieve_trie
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.paths.warm_paths import warm_paths


def _build_pipeline(parts: PipelineParts) -> Pipeline:
    settings = parts.settings
    return Gcr(
        parts.graph,
        parts.models[PathSettings.task],
        parts.settings_of(PathSettings),
        parts.calibration,
        parts.embedder,
        parts.reasoner,
        build_path_search(parts),
        settings.edge_budget,
        parts.budget.rows,
    )


async def _build_input(parts: PipelineParts, question: Question, reply: Reply) -> TaskInput:
    path = parts.settings_of(PathSettings)
    trie = await retrieve_trie(parts.graph, reply.mentions, path, parts.settings.edge_budget)
    return TaskInput(build_path_prompt(question.text, reply.mentions), trie)


async def _warm(parts: PipelineParts, nodes: Sequence[Node]) -> None:
    await warm_paths(parts.graph, parts.settings_of(PathSettings), nodes)


def _build_hosted_settings(settings: Settings) -> PathSettings:
    return PathSettings(hops=settings.decoder_hops, meets=True)


GCR = Method(
    name="gcr",
    about="Paths decoded inside the KG-Trie, run in the database, and voted on.",
    tasks=(
        Task(
            PathSettings,
            _build_input,
            HostedTask(ChatFormat(64), _build_hosted_settings),
            _warm,
            build_general=_build_hosted_settings,
        ),
    ),
    build_pipeline=_build_pipeline,
    seconds=0.1,
)
