"""A hosted model that writes patterns: what it is told, and what its lines mean."""

from __future__ import annotations

import pytest

from chat_server import scripted
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.domain.models.card import ModelCard
from trellis.domain.models.prompt import Prompt
from trellis.engines.chats.chat import ChatFormat
from unit.decoding.hosted import Written, write

FREE = PatternWords(free_tokens=12)
PROMPT = Prompt("pattern", "who directed ENT1 and ENT2?", "Pattern")
ANSWER = "ENT1 -> directed by -> ASKED (person) ; ENT2 -> directed by -> ASKED"


async def decode(*answers: str, language: PatternLanguage | None = None) -> Written:
    spoken, card = language or PatternLanguage(2, FREE, FREE), ModelCard(tasks={}, base="m")
    return await write(scripted(*answers), PROMPT, spoken, ChatFormat(96), card)


@pytest.mark.parametrize(
    "written", [ANSWER, f"```\n{ANSWER}\n```", f"1. {ANSWER}", f'"{ANSWER}"', f" {ANSWER}  "]
)
async def test_a_pattern_is_read_however_it_is_wrapped(written: str) -> None:
    read = await decode(written)
    [sentence] = read.sentences
    assert sentence.text == ANSWER
    [pattern] = sentence.values
    assert [t.relation for t in pattern.triples] == ["directed by", "directed by"]
    assert len(read.requests) == 1
    assert read.tally == {"read": 1, "dropped": 0}


async def test_a_wrong_pattern_goes_back_once_with_what_could_have_been_said() -> None:
    wrong = ("ENT1 -> directed by -> ENT3 -> x -> ASKED", "ENT1 -> (directed) -> ASKED")
    written = await decode("\n".join(wrong), ANSWER)
    told = written.told(1)
    assert 'fine up to "ENT1 -> directed by -> ENT", not "3 -> x -> ASKED"' in told
    assert '"ENT1 -> directed by -> ENT2"' in told
    assert 'It could go on with words of your own after "ENT1 ->"' in told
    assert written.texts == [ANSWER]
    assert written.tally == {"read": 1, "sent_back": 2, "dropped": 1}


async def test_of_a_language_without_words_nobody_is_asked() -> None:
    silent = PatternLanguage(2, PatternWords(), FREE)
    written = await decode(ANSWER, language=silent)
    assert (written.texts, written.requests) == ([], [])
