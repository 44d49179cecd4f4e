"""Method `dog`: task `chain`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trellis.domain.graphs.graph import Node, PathQuery
from trellis.domain.models.decoding import Search
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.engines.chats.chat import ChatFormat
from trellis.methods.registry import HostedTask, Method, Pipeline, PipelineParts, Task, TaskInput
from trellis.methods.witness import WITNESS_TASK, build_witness
from trellis.pipelines.dog import Dog
from trellis.settings import Settings
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.chains.chain_prompt import ChainPrompt
from trellis.steps.retrieve.chains.grow_chains import ChainGrowth
from trellis.steps.retrieve.chains.retrieve_chains import retrieve_chains
from trellis.steps.retrieve.chains.settings import ChainSettings
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.paths.warm_paths import warm_paths


def _build_pipeline(parts: PipelineParts) -> Pipeline:
    settings = parts.settings
    return Dog(
        parts.graph,
        parts.models[ChainSettings.task],
        parts.settings_of(ChainSettings),
        parts.calibration,
        parts.embedder,
        parts.reasoner,
        Search(width=settings.width, max_tokens=parts.budget.tokens),
        settings.edge_budget,
        parts.budget.rows,
        build_witness(parts),
    )


async def _build_input(parts: PipelineParts, question: Question, reply: Reply) -> TaskInput:
    """The language over all that the reply's chains reach, read in one call."""
    chain = replace(parts.settings_of(ChainSettings), ahead=_measure_longest_path(reply))
    growth = ChainGrowth(parts.graph, question.text, parts.settings.edge_budget, chain)
    language = await retrieve_chains(growth, reply.mentions)
    form = QuestionForm(question.text, reply.mentions, await parts.graph.schema())
    return TaskInput(ChainPrompt(form, chain).build(language), language)


async def _warm(parts: PipelineParts, nodes: Sequence[Node]) -> None:
    chain = parts.settings_of(ChainSettings)
    paths = PathSettings(rendering=chain.rendering, revisit=chain.revisit)
    await warm_paths(parts.graph, paths, nodes)


def _measure_longest_path(reply: Reply) -> int:
    queries = [each.query for each in reply.candidates if isinstance(each.query, PathQuery)]
    return max((len(path.steps) for query in queries for path in query.paths), default=1)


def _build_hosted_settings(settings: Settings) -> ChainSettings:
    """A hosted model names nodes, and sees what is as far from the anchors as its chains may go."""
    hops = settings.decoder_hops
    return ChainSettings("full", most_triples=2 * hops, revisit="any", ahead=hops)


DOG = Method(
    name="dog",
    about="Chains of triples decoded over a graph that grows as they do, run in the database, and "
    "voted on.",
    tasks=(
        Task(
            ChainSettings, _build_input, HostedTask(ChatFormat(200), _build_hosted_settings), _warm
        ),
    ),
    optional=(WITNESS_TASK,),
    build_pipeline=_build_pipeline,
    seconds=0.2,
)
