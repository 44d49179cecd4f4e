"""Models that learnt no words of a graph: the lexicon says how its relations are spoken of."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import Any

from memory_app import MemoryGraph, WordModel
from trellis.domain.models.decoding import Sentence
from trellis.domain.models.prompt import Prompt
from trellis.domain.replies.question import Question
from trellis.pipelines.gcr import Gcr
from trellis.steps.align.general_words import read_general_words
from trellis.steps.retrieve.paths.settings import PathSettings

GRAPH = MemoryGraph([("Ann", "children", "Cid"), ("Ann", "parents", "Bob")])
SETTINGS = WordModel.card.settings(PathSettings)


class LikelyChildren(WordModel):
    """A model to which every question asks a little more for children."""

    def _best(self, prompt: Prompt, language: Any) -> list[Sentence]:
        found = super()._best(prompt, language)
        scores = [log(0.6 if "children" in sentence.text else 0.4) for sentence in found]
        weighed = (replace(it, score=score) for it, score in zip(found, scores, strict=True))
        return sorted(weighed, key=lambda sentence: -sentence.score)


async def test_words_that_no_relation_is_called_by_choose_the_path() -> None:
    question = Question("Whose son is Ann, who raised Ann?")
    plain = Gcr(GRAPH, LikelyChildren(), SETTINGS)
    helped = Gcr(GRAPH, LikelyChildren(), replace(SETTINGS, general_words=True))
    first = [(await it.answer(question)).candidates[0].text for it in (plain, helped)]
    assert first == [" ENT1 -> children", " ENT1 -> parents"]


async def test_a_step_brings_few_words_in_all_and_grammar_belongs_to_none() -> None:
    table = read_general_words(await GRAPH.schema())
    assert set(table) == {"", " -> children", " <- children", " -> parents", " <- parents"}
    assert all(sum(words.values()) <= 1.001 for step, words in table.items() if step)
    assert table[" -> parents"]["begot"]
    assert "begot" not in table[" -> children"]
    assert "the" in table[""]


async def test_words_of_the_schema_in_small_letters_are_no_names() -> None:
    graph = MemoryGraph([("Dawn", "artist", "Ann"), ("Ben", "profession", "Artist")])
    for general_words, names in ((False, ["Dawn", "artist"]), (True, ["Dawn"])):
        settings = replace(SETTINGS, general_words=general_words)
        reply = await Gcr(graph, WordModel(), settings).answer(Question("what is Dawn 's artist ?"))
        assert [mention.text for mention in reply.mentions] == names
    reply = await Gcr(graph, WordModel(), settings).answer(Question("Who is an Artist?"))
    assert [mention.text for mention in reply.mentions] == ["Artist"]
