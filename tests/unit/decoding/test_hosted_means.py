"""By which means a hosted model is kept inside a language, and how probable what it writes is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from math import exp, log
from typing import Any

import pytest
from fastapi import Response
from fastapi.responses import JSONResponse

from trellis.domain.errors import DecoderError
from trellis.domain.limits.spending import count_spending
from trellis.domain.models.decoding import Sentence
from trellis.domain.models.prompt import PromptMessage
from unit.decoding.hosted import PATH_FORMAT, PATH_PROMPT, AnswerBody, Body, walks, write


def choices(*texts: str, logprob: float | None = None) -> Response:
    """A response with a choice for each text, of one token each."""
    listed = []
    for number, text in enumerate(texts):
        message = {"role": "assistant", "content": text}
        choice: Body = {"index": number, "finish_reason": "stop", "message": message}
        if logprob is not None:
            token = {"token": text, "logprob": logprob, "bytes": None, "top_logprobs": []}
            choice["logprobs"] = {"content": [token], "refusal": None}
        listed.append(choice)
    body = {"id": "1", "object": "chat.completion", "created": 0, "model": "m"}
    return JSONResponse({**body, "choices": listed, "usage": usage(10, 5)})


def usage(read: int, written: int) -> Body:
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def first_sentence(grammar: str) -> str:
    """What a server writes that takes the first text of each rule."""
    rules = dict(line.split(" ::= ", 1) for line in grammar.splitlines())
    said, rule = "", "root"
    while text := re.match(r'\(?"((?:[^"\\]|\\.)+)"', rules[rule]):
        said += text[1]
        rule = re.findall(r"r\d+", rules[rule][text.end() :])[0]
    return said


def grammar_of(body: Body, means: str) -> str | None:
    """The grammar of a request, where it is given as a server of some kind takes it."""
    if means == "structured_outputs":
        return body.get("structured_outputs", {}).get("grammar")
    return body.get({"ebnf": "ebnf", "gbnf": "grammar"}[means])


async def decode(answer: AnswerBody, **more: Any) -> tuple[Sequence[Sentence], list[Body], str]:
    """The sentences, the requests, and the means by which the server was led."""
    chosen = {"fixed_means": None, "samples": 1, **more}
    written = await write(answer, PATH_PROMPT, walks(), PATH_FORMAT, **chosen)
    return written.sentences, written.requests, written.model.known_means


@pytest.mark.slow
@pytest.mark.parametrize("means", ["structured_outputs", "ebnf", "gbnf"])
async def test_a_server_that_obeys_a_grammar_is_given_that_of_the_language(means: str) -> None:
    def answer(body: Body) -> Any:
        grammar = grammar_of(body, means)
        return first_sentence(grammar) if grammar else "Hello!"

    said, requests, found = await decode(answer, times=2)
    assert found == means
    assert len(said) == 1
    assert said[0].text.startswith("ENT1 ")
    asked = [it for it in requests if grammar_of(it, means) and "ENT1" in str(it["messages"])]
    assert len(asked) == 1  # the second search is the first one again
    assert "HAS_CAPITAL" in str(grammar_of(asked[0], means))


async def test_a_server_that_obeys_a_schema_is_given_the_names_of_the_graph() -> None:
    def answer(body: Body) -> Any:
        if "response_format" not in body:
            return Response('{"error": {"message": "unknown field"}}', 400)
        schema = body["response_format"]["json_schema"]["schema"]
        names = schema["properties"]["parts"]["items"]["enum"]
        wanted = [name for name in ("ENT1", " -> HAS_CAPITAL") if name in names]
        return json.dumps({"parts": wanted or names[:1]})

    said, requests, means = await decode(answer)
    assert (means, [it.text for it in said]) == ("json", ["ENT1 -> HAS_CAPITAL"])
    assert len(requests) == 5  # three grammars that it refuses, the proof, the question


async def test_a_server_that_ignores_all_of_it_is_read() -> None:
    said, requests, means = await decode(lambda _: "ENT1 -> HAS_CAPITAL")
    assert (means, [it.text for it in said]) == ("text", ["ENT1 -> HAS_CAPITAL"])
    assert "structured_outputs" not in requests[-1]


async def test_a_server_that_writes_what_the_grammar_has_not_says_nothing() -> None:
    def answer(body: Body) -> Any:
        proves = "ENT1" not in str(body["messages"])
        return first_sentence(body["structured_outputs"]["grammar"]) if proves else "I think so."

    said, requests, means = await decode(answer)
    assert (means, said) == ("structured_outputs", [])
    assert "I think so." in str(requests[-1]["messages"])  # it is told what was wrong, once


async def test_sentences_are_as_probable_as_samples_agree() -> None:
    left = iter([["ENT1 -> PART_OF"], ["ENT1 -> HAS_CAPITAL", "ENT1 -> HAS_CAPITAL"]])
    said, requests, _ = await decode(lambda _: choices(*next(left)), fixed_means="text", samples=3)
    assert [it.text for it in said] == ["ENT1 -> HAS_CAPITAL", "ENT1 -> PART_OF"]
    assert [exp(it.score) for it in said] == pytest.approx([2 / 3, 1 / 3])
    assert [(it["temperature"], it.get("n")) for it in requests] == [(0, None), (0.7, 2)]


async def test_sentences_are_as_probable_as_the_server_says() -> None:
    left = iter([("ENT1 -> PART_OF", log(0.6)), ("ENT1 -> HAS_CAPITAL", log(0.2))])

    def answer(_: Body) -> Any:
        text, logprob = next(left)
        return choices(text, logprob=logprob)

    said, _, _ = await decode(answer, width=2, fixed_means="text", samples=2)
    assert [it.text for it in said] == ["ENT1 -> PART_OF", "ENT1 -> HAS_CAPITAL"]
    assert [exp(it.score) for it in said] == pytest.approx([0.75, 0.25])


async def test_a_server_that_gives_one_text_a_call_is_asked_more_often() -> None:
    def answer(body: Body) -> Any:
        refused = [name for name in ("n", "logprobs") if name in body]
        if refused:
            error = {"message": f"{refused[0]} is not supported", "param": refused[0]}
            return JSONResponse({"error": error}, 400)
        return "ENT1 -> PART_OF"

    said, requests, _ = await decode(answer, fixed_means="text", samples=3)
    assert [(it.text, it.score) for it in said] == [("ENT1 -> PART_OF", 0.0)]
    assert sum("n" not in it and "logprobs" not in it for it in requests) == 3


async def test_a_question_takes_no_more_calls_than_it_may_and_says_how_many() -> None:
    with count_spending(most_calls=2, most_tokens=10**6) as spending:
        said, requests, _ = await decode(
            lambda _: choices("ENT1 -> PART_OF"), width=9, fixed_means="text", samples=9
        )
    assert len(requests) == 2
    assert [it.text for it in said] == ["ENT1 -> PART_OF"]
    assert spending.describe() == "hosted models took 2 calls and 30 tokens"


async def test_a_question_that_took_its_tokens_asks_no_more() -> None:
    with count_spending(most_calls=9, most_tokens=15):
        said, requests, _ = await decode(
            lambda _: choices("ENT1 -> PART_OF"), fixed_means="text", samples=3
        )
    assert (len(requests), len(said)) == (1, 1)


async def test_a_model_that_thinks_first_is_read_behind_its_thoughts() -> None:
    def answer(_: Body) -> Any:
        return "<think>ENT1 <- PART_OF, or not?</think>\nENT1 -> PART_OF"

    said, _, _ = await decode(answer, fixed_means="text")
    assert [it.text for it in said] == ["ENT1 -> PART_OF"]


@pytest.mark.parametrize("body", ['{"error": {"message": "no memory"}}', "[]", '"x"', "data: x"])
async def test_a_reply_with_an_error_is_an_error_whatever_its_status(body: str) -> None:
    with pytest.raises(DecoderError):
        await decode(lambda _: Response(body, media_type="application/json"), fixed_means="text")


async def test_the_chat_that_was_written_for_a_prompt_is_what_the_model_gets() -> None:
    turns = tuple(PromptMessage(role, (role, " says")) for role in ("system", "user"))  # type: ignore[arg-type]
    prompt = replace(PATH_PROMPT, messages=turns)
    written = await write(lambda _: "ENT1 -> PART_OF", prompt, walks(), PATH_FORMAT)
    assert written.requests[0]["messages"] == [
        {"role": "system", "content": "system says"},
        {"role": "user", "content": "user says"},
    ]
