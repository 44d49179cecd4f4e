"""A sentence that ends without a value of the question loses, in the search and not behind it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trellis.automata.codec import decode_language, encode_language
from trellis.automata.cypher.language import SET_ASIDE_LOSS, CypherLanguage
from trellis.automata.cypher.options import NARROW, Rendering
from trellis.automata.cypher.words.bound_values import number_values
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.decoding.search import decode
from trellis.domain.models.decoding import Search, Sentence
from unit.automata.cypher.cinema import CINEMA, VALUES
from unit.automata.kinds import vocabulary
from unit.decoding.scorers import Dice, prompt

WANTED = (("v0",), ("v1", "3"))
SEARCH = Search(width=60, max_tokens=40)


def make_language(rendering: Rendering, wanted: tuple[tuple[str, ...], ...]) -> CypherLanguage:
    options = replace(NARROW, nodes=2, items=1, rendering=rendering)
    return CypherLanguage(CINEMA, number_values(VALUES), options, wanted=wanted)


def search_sentences(language: CypherLanguage) -> dict[str, Sentence]:
    machine = TokenAutomaton(language, vocabulary("bytes-500"))
    return {each.text: each for each in decode(Dice(), [prompt(1)], [machine], SEARCH)[0]}


@pytest.mark.parametrize("rendering", ["brief", "cypher"])
def test_a_sentence_loses_for_each_value_that_it_sets_aside(rendering: Rendering) -> None:
    plain = search_sentences(make_language(rendering, ()))
    weighed = search_sentences(make_language(rendering, WANTED))
    both = plain.keys() & weighed.keys()
    assert both
    for text in both:
        words = text.replace("$", " ").replace(")", " ").split()
        aside = (not {"v0"} & {*words}) + (not {"v1", "3"} & {*words})
        expected = plain[text].score - aside * SET_ASIDE_LOSS
        assert weighed[text].score == pytest.approx(expected, abs=1e-9)
    assert list(weighed) != list(plain)


@pytest.mark.slow
@pytest.mark.parametrize("rendering", ["brief", "cypher"])
def test_a_worker_weighs_them_as_the_service_does(rendering: Rendering) -> None:
    language = make_language(rendering, WANTED)
    sent = decode_language(encode_language(language))
    here, there = search_sentences(language), search_sentences(sent)
    assert [(text, each.score) for text, each in here.items()] == [
        (text, each.score) for text, each in there.items()
    ]
