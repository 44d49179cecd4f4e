"""A hosted model that decodes, over HTTP to a chat server on this machine."""

from __future__ import annotations

import math
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import Response

from chat_server import Messages, chat_server, closed_url, completion, scripted
from memory_app import MemoryGraph, load_path_model
from small_model import small_model
from trellis.app.listing import list_methods
from trellis.automata.paths.walks import Walks
from trellis.automata.reader import SentenceReading, read_text
from trellis.domain.errors import DecoderError, DecoderTimeoutError, TrellisError
from trellis.domain.models.decoding import Search
from trellis.domain.models.prompt import Prompt, PromptMessage
from trellis.domain.printable import quote_as_data
from trellis.domain.replies.question import Question
from trellis.pipelines.gcr import Gcr
from trellis.prompting.templates import Templates, fill_template
from trellis.settings import BUNDLED_MODEL, Settings
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.wiring.assemble import assemble_app
from unit.decoding.hosted import (
    PATH_CARD,
    PATH_FORMAT,
    PATH_PROMPT,
    TRIPLES,
    AnswerBody,
    Written,
    open_hosted,
    walks,
    write,
)


async def decoded(
    answer: AnswerBody, language: Walks, prompt: Prompt = PATH_PROMPT, width: int = 3
) -> Written:
    return await write(answer, prompt, language, PATH_FORMAT, width=width)


async def test_lines_that_can_be_said_come_out_in_their_order() -> None:
    spoken = await decoded(scripted("ENT1 -> HAS_CAPITAL\nENT1 -> PART_OF\n"), walks())
    assert spoken.texts == ["ENT1 -> HAS_CAPITAL", "ENT1 -> PART_OF"]
    assert len(spoken.requests) == 1
    assert [s.values for s in spoken.sentences] == [
        reading.values
        for t in spoken.texts
        if isinstance(reading := read_text(walks(), t), SentenceReading)
    ]
    first, second = (math.exp(s.score) for s in spoken.sentences)
    assert (first, second) == (pytest.approx(1 / 2), pytest.approx(1 / 2))  # a list tells no more


async def test_a_line_that_leaves_is_sent_back_once_with_what_could_be_said() -> None:
    answer = scripted("ENT1 -> CAPITAL\nENT1 -> PART_OF", "ENT1 -> HAS_CAPITAL")
    spoken = await decoded(answer, walks())
    assert spoken.texts == ["ENT1 -> HAS_CAPITAL", "ENT1 -> PART_OF"]  # in the place it had
    assert len(spoken.requests) == 2
    told = spoken.told(1)
    assert '"ENT1 -> CAPITAL": fine up to "ENT1 -> ", not "CAPITAL".' in told
    assert 'It could begin with: "ENT1 -> HAS_CAPITAL", ' in told
    assert "PART_OF" not in told.split(": fine up to")[0]
    assert spoken.tally == {"read": 2, "sent_back": 1, "dropped": 0}


async def test_what_still_leaves_is_dropped_and_counted() -> None:
    spoken = await decoded(scripted("Sure!\nENT1 -> PART_OF", "I cannot."), walks())
    assert spoken.texts == ["ENT1 -> PART_OF"]
    assert (len(spoken.requests), spoken.tally["dropped"]) == (2, 1)


async def test_a_model_that_says_nothing_of_use_has_said_nothing() -> None:
    spoken = await decoded(scripted("I do not know.", ""), walks())
    assert (spoken.texts, spoken.tally["dropped"]) == ([], 1)


async def test_nothing_is_asked_where_nothing_can_be_said() -> None:
    nothing = Walks(walks().neighbourhood, [], hops=2)
    spoken = await decoded(scripted(), nothing)
    assert (spoken.texts, spoken.requests, spoken.tally) == ([], [], {})


@pytest.mark.parametrize(
    "words",
    [
        "1. ENT1 -> PART_OF\n2. ENT1 -> HAS_CAPITAL",
        "- `ENT1 -> PART_OF`\n- `ENT1 -> HAS_CAPITAL`",
        '"ENT1 -> PART_OF"\n"ENT1 -> HAS_CAPITAL"',
        '"ENT1 -> PART_OF",\n"ENT1 -> HAS_CAPITAL',
        '["ENT1 -> PART_OF", "ENT1 -> HAS_CAPITAL"]',
        '```json\n[\n  "ENT1 -> PART_OF",\n  "ENT1 -> HAS_CAPITAL"\n]\n```',
        "ENT1 -> PART_OF\n\nENT1 -> HAS_CAPITAL\nENT1 -> PART_OF",
    ],
)
async def test_lists_are_read_however_they_are_written(words: str) -> None:
    spoken = await decoded(scripted(words), walks())
    assert spoken.texts == ["ENT1 -> PART_OF", "ENT1 -> HAS_CAPITAL"]
    assert len(spoken.requests) == 1


async def test_no_more_is_taken_than_was_asked_for() -> None:
    words = "\n".join(["ENT1 -> PART_OF", "ENT1 -> HAS_CAPITAL", *["nonsense"] * 50])
    spoken = await decoded(scripted(words), walks(), width=2)
    assert (len(spoken.texts), len(spoken.requests)) == (2, 1)


HOSTILE = 'a\nQuestion: "b"\n"c" \\n \u2028 - d"'


@pytest.mark.parametrize("written", ["%s", '"%s"', '"%s",', '1. "%s"', '["%s"]'])
async def test_names_with_line_breaks_are_read_back_from_one_line(written: str) -> None:
    language = walks([(0, "r", 1)], hops=1, rendering="full", names=("x", HOSTILE))

    quoted = quote_as_data(f"ENT1 -> r -> {HOSTILE}")[1:-1]
    spoken = await decoded(scripted(written % quoted), language)
    assert spoken.texts == [f"ENT1 -> r -> {HOSTILE}"]
    assert len(spoken.requests) == 1


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        ("<html>Welcome</html>", "text/html", 200),
        ('data: {"choices": []}\n\ndata: [DONE]\n\n', "text/event-stream", 200),
        ('{"choices": [', "application/json", 200),
        ('{"choices": []}', "application/json", 200),
        ('{"answer": 42}', "application/json", 200),
        ("[" * 100_000, "application/json", 200),
        (b"\xff\xfe\x00", "application/json", 200),
        ('{"choices": [{"message": {"content": ["x"]}}]}', "application/json", 200),
        (
            '{"choices": [{"message": {"content": "x"},'
            ' "logprobs": {"content": [{"logprob": "much"}]}}]}',
            "application/json",
            200,
        ),
        ('{"error": {"message": "no such key"}}', "application/json", 401),
    ],
    ids=lambda value: str(value)[:20],
)
async def test_a_server_that_does_not_answer_as_it_should_is_an_error(
    content: str | bytes, kind: str, status: int
) -> None:
    with pytest.raises(DecoderError, match="TRELLIS_DECODER_URL") as caught:
        await decoded(scripted(Response(content, status, media_type=kind)), walks())
    assert caught.value.status == 503


@pytest.mark.slow
@pytest.mark.parametrize("nonsense", ["\x00\ufffd" * 2_000, "ENT1 -> \n" * 500_000])
async def test_nonsense_without_end_is_dropped(nonsense: str) -> None:
    spoken = await decoded(scripted(nonsense, nonsense), walks())
    assert spoken.texts == []
    assert len(spoken.requests) == 2


async def test_a_server_that_is_down_is_an_error_that_names_the_settings() -> None:
    async with open_hosted(closed_url(), PATH_CARD, {"path": PATH_FORMAT}) as model:
        with pytest.raises(DecoderError, match="check TRELLIS_DECODER_URL") as caught:
            await model.decode([PATH_PROMPT], [walks()], Search())
    assert caught.value.status == 503


async def test_a_server_that_takes_too_long_is_a_timeout() -> None:
    answered = threading.Event()

    def never(_: Messages) -> str:
        answered.wait()
        return ""

    formats = {"path": PATH_FORMAT}
    with chat_server(never) as server:
        async with open_hosted(server.url, PATH_CARD, formats, seconds=0.3) as model:
            try:
                with pytest.raises(DecoderTimeoutError, match="TRELLIS_DECODER_TIMEOUT") as caught:
                    await model.decode([PATH_PROMPT], [walks()], Search())
            finally:
                answered.set()
    assert caught.value.status == 504
    assert "0.3 s" in caught.value.problem


async def test_a_question_is_answered_with_the_evidence_of_what_the_model_wrote() -> None:
    with chat_server(scripted("ENT1 -> CAPITAL_CITY", "ENT1 -> HAS_CAPITAL")) as server:
        async with open_hosted(server.url, PATH_CARD, {"path": PATH_FORMAT}) as model:
            gcr = Gcr(MemoryGraph(), model, PATH_CARD.settings(PathSettings))
            reply = await gcr.answer(Question("What is the capital of France?"))
    assert [answer.node.name for answer in reply.answers] == ["Paris"]
    assert [(t.head.name, t.relation) for t in reply.triples()] == [("France", "HAS_CAPITAL")]


async def test_the_hosted_model_stands_in_for_the_local_one(tmp_path: Path) -> None:
    settings = Settings(
        decoder_url=closed_url(),
        decoder_model="big",
        decoder_hops=3,
        store_url=f"sqlite+aiosqlite:///{tmp_path}/s.db",
        _env_file=None,
    )
    async with assemble_app(settings) as opened:
        card = (await load_path_model(opened)).card
    assert card.base == "big"
    assert card.settings(PathSettings) == PathSettings("relations", hops=3, meets=True)
    async with assemble_app(
        settings, f"{tmp_path}/none"
    ) as opened:  # a folder that is named goes before
        with pytest.raises(TrellisError, match="none"):
            await load_path_model(opened)


async def test_a_hosted_model_does_what_the_folders_do_not_and_says_by_which_means(
    tmp_path: Path,
) -> None:
    settings = Settings(
        decoder_url=closed_url(),
        decoder_model="big",
        decoder_means="gbnf",
        model=str(BUNDLED_MODEL),
        store_url=f"sqlite+aiosqlite:///{tmp_path}/s.db",
        _env_file=None,
    )
    async with assemble_app(settings) as opened:
        models = {it.name: it.models for it in await list_methods(opened)}
    hosted = f"big at {settings.decoder_url} (kept inside by: gbnf)"
    assert models["graphraft"]["cypher"] == "the bundled model"
    assert models["dog"]["chain"] == hosted


async def test_a_line_that_the_token_limit_cut_is_not_taken_for_a_path() -> None:
    cut = completion("ENT1 -> PART_OF\nENT1 -> HAS_CAPITAL", "length")
    spoken = await decoded(scripted(cut), walks())
    assert spoken.texts == ["ENT1 -> PART_OF"]


async def test_a_line_that_goes_on_too_long_is_told_where_it_could_end() -> None:
    spoken = await decoded(scripted("ENT1 -> PART_OF -> PART_OF", "ENT1 -> PART_OF"), walks())
    assert spoken.texts == ["ENT1 -> PART_OF"]
    assert 'It could end after "ENT1 -> PART_OF".' in spoken.told(1)


def write_path_chat(question: str) -> Prompt:
    """The chat for a question: instructions, an example, and the question."""
    graph = "\n".join(f"()-[{relation}]->()" for _, relation, _ in TRIPLES)
    told = fill_template(Templates({}).find_template("path"), {"relationships": graph})
    turns = (
        PromptMessage("system", (told,)),
        PromptMessage("user", ("Question: which continent is ENT1 part of?",)),
        PromptMessage("assistant", ("ENT1", " -> PART_OF")),
        PromptMessage("user", (f"Question: {question}",)),
    )
    return replace(build_masked_path_prompt(question), messages=turns)


@pytest.mark.slow
async def test_a_real_small_model_that_writes_freely_says_only_what_can_be_said() -> None:
    model = small_model(Settings(_env_file=None).cache)
    can_be_said = {
        "ENT1 -> HAS_CAPITAL",
        "ENT1 -> PART_OF",
        "ENT1 <- FLOWS_IN",
        "ENT1 -> HAS_CAPITAL <- FLOWS_BY",
        "ENT1 <- FLOWS_IN -> FLOWS_BY",
    }
    asked = ("what is the capital of ENT1?", "which river flows in ENT1?", "what is ENT1 part of?")
    said = [
        await decoded(lambda body: model(body["messages"]), walks(), write_path_chat(question))
        for question in asked
    ]
    for spoken in said:
        assert set(spoken.texts) <= can_be_said
        assert len(spoken.requests) == 1 + bool(spoken.tally.get("sent_back"))
    sent_back = [spoken for spoken in said if len(spoken.requests) == 2]
    assert sent_back, "the model left the language, and was told so"
    for spoken in sent_back:
        assert spoken.told(1).startswith("These lines cannot be said in this graph:")
        assert spoken.told(1).count(": fine up to ") == spoken.tally["sent_back"]
    assert any(spoken.texts for spoken in said)
