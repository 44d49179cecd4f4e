"""A hosted model that writes patterns: what it is told, and what its lines mean."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from openai import AsyncOpenAI

from chat_server import ChatServer, chat_server, scripted
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.domain.card import ModelCard
from trellis.domain.decoding import Search, Sentence
from trellis.domain.prompt import Prompt
from trellis.engines.chat import ChatFormat
from trellis.engines.completions import ChatCompletions
from trellis.engines.hosted import HostedModel

FREE = PatternWords(free_tokens=12)
PROMPT = Prompt("pattern", "who directed ENT1 and ENT2?", "Pattern")
CARD = ModelCard(tasks={}, base="m")
ANSWER = "ENT1 -> directed by -> ASKED (person) ; ENT2 -> directed by -> ASKED"


async def decode(
    *answers: str, language: PatternLanguage | None = None
) -> tuple[Sequence[Sentence], ChatServer, dict[str, int]]:
    language = language or PatternLanguage(2, FREE, FREE)
    with chat_server(scripted(*answers)) as server:
        async with AsyncOpenAI(base_url=server.url, api_key="k", max_retries=0) as client:
            formats = {"pattern": ChatFormat(96)}
            model = HostedModel(ChatCompletions(client, CARD.base, 200.0), CARD, formats)
            [sentences] = await model.decode([PROMPT], [language], Search(width=3))
    return sentences, server, dict(model.tally)


@pytest.mark.parametrize(
    "written", [ANSWER, f"```\n{ANSWER}\n```", f"1. {ANSWER}", f'"{ANSWER}"', f" {ANSWER}  "]
)
async def test_a_pattern_is_read_however_it_is_wrapped(written: str) -> None:
    sentences, server, tally = await decode(written)
    [sentence] = sentences
    assert sentence.text == ANSWER
    [pattern] = sentence.values
    assert [t.relation for t in pattern.triples] == ["directed by", "directed by"]
    assert len(server.requests) == 1
    assert tally == {"read": 1, "dropped": 0}


async def test_a_wrong_pattern_goes_back_once_with_what_could_have_been_said() -> None:
    wrong = ("ENT1 -> directed by -> ENT3 -> x -> ASKED", "ENT1 -> (directed) -> ASKED")
    sentences, server, tally = await decode("\n".join(wrong), ANSWER)
    told = server.told(1)
    assert 'fine up to "ENT1 -> directed by -> ENT", not "3 -> x -> ASKED"' in told
    assert '"ENT1 -> directed by -> ENT2"' in told
    assert 'It could go on with words of your own after "ENT1 ->"' in told
    assert [sentence.text for sentence in sentences] == [ANSWER]
    assert tally == {"read": 1, "sent_back": 2, "dropped": 1}


async def test_of_a_language_without_words_nobody_is_asked() -> None:
    silent = PatternLanguage(2, PatternWords(), FREE)
    sentences, server, _ = await decode(ANSWER, language=silent)
    assert (list(sentences), server.requests) == ([], [])
