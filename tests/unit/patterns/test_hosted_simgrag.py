"""SimGRAG with a hosted chat model: patterns in its own words, read through the language."""

from __future__ import annotations

from openai import AsyncOpenAI

from chat_server import chat_server, scripted
from memory_graph import MemoryGraph, TrigramEmbedder
from memory_grounding import GroundingQueries
from trellis.domain.models.card import ModelCard
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.engines.chats.completions import ChatCompletions
from trellis.engines.chats.hosted import HostedModel
from trellis.methods import METHODS
from trellis.methods.registry import list_hosted_tasks
from trellis.pipelines.simgrag import SimGrag
from trellis.settings import Settings
from trellis.steps.retrieve.patterns.settings import PatternSettings

GRAPH = MemoryGraph.of(
    [
        ("Her", "directed_by", "Spike Jonze"),
        ("Adaptation", "directed_by", "Spike Jonze"),
        ("Her", "release_year", "2013"),
        ("Adaptation", "release_year", "2002"),
    ]
)
TASK = list_hosted_tasks(METHODS.values())[PatternSettings.task]


async def ask(text: str, *written: str) -> tuple[Reply, list[str]]:
    """The reply, and what the chat model was asked last."""
    with chat_server(scripted(*written)) as server:
        async with AsyncOpenAI(base_url=server.url, api_key="k", max_retries=0) as client:
            settings = TASK.build_settings(Settings(_env_file=None))
            assert isinstance(settings, PatternSettings)
            model = HostedModel(
                ChatCompletions(client, "m", 60.0),
                ModelCard.of("m", settings),
                {PatternSettings.task: TASK.chat_format},
            )
            method = SimGrag(
                GRAPH, GroundingQueries(GRAPH), model, settings, embedder=TrigramEmbedder()
            )
            reply = await method.answer(Question(text))
            asked = [str(request["messages"][-1]["content"]) for request in server.requests]
    return reply, asked


async def test_words_of_its_own_are_taken_for_the_nearest_relations() -> None:
    broken = "ENT1 -> directed <- UNKNOWN 1 (film)"
    said = "ENT1 <- director <- UNKNOWN 1 (film) -> year of release -> ASKED"
    question = "When were the films of Spike Jonze released?"
    reply, asked = await ask(question, f"{broken}\n{said}", "")
    assert sorted(answer.node.name for answer in reply.answers) == ["2002", "2013"]
    assert reply.reading == (
        "the answer, where film A is directed by Spike Jonze and film A has as release year the "
        "answer"
    )
    assert "“year of release” for release_year" in reply.notes[0]
    assert "spike" not in asked[0].lower()  # the mention is masked


async def test_where_it_writes_no_pattern_nothing_is_claimed() -> None:
    reply, _ = await ask("Who directed Her?", "I cannot say.", "Sorry.")
    assert reply.abstained
    assert reply.notes[-1] == "no pattern was written that could be looked for"
