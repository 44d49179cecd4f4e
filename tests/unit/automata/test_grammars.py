"""Languages as grammars: what a server may write by its grammar is what the language says."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from trellis.automata.grammars.compile_grammar import GrammarBounds, compile_grammar
from trellis.automata.grammars.dialects import write_grammar
from trellis.automata.grammars.grammar import END, Choices, Grammar
from trellis.automata.one_of import OneOf
from trellis.automata.reader import Reader, SentenceReading
from unit.automata.cypher.cinema import cinema
from unit.automata.laws import list_end_states
from unit.automata.test_laws import language
from unit.automata.worlds import World, worlds


def expand(grammar: Grammar, rule: int = 0) -> Iterator[str]:
    for choice in grammar.rules[rule]:
        assert isinstance(choice, Choices)
        if choice.then == END:
            yield ""
        for text in choice.texts:
            for rest in expand(grammar, choice.then):
                yield text + rest


@given(world=worlds(), meets=st.booleans())
@settings(max_examples=25, deadline=None)
def test_a_grammar_of_few_states_says_the_sentences_of_the_language(
    world: World, meets: bool
) -> None:
    said = language(world, meets)
    grammar = compile_grammar(said, GrammarBounds(10**6, 10**8, 10**7))
    wanted = {said.text(state) for state in list_end_states(said)}
    if grammar is None:
        assert not wanted
        return
    assert grammar.is_exact
    assert set(expand(grammar)) == wanted


def walk_at_random(grammar: Grammar, seed: int, most: int = 40) -> str | None:
    """A sentence that a grammar says; None where it is longer than `most` moves."""
    random, rule, said = Random(seed), 0, ""
    for _ in range(most):
        choice = random.choice(grammar.rules[rule])
        assert isinstance(choice, Choices)
        if choice.then == END:
            return said
        said += random.choice(choice.texts)
        rule = choice.then
    return None


def test_a_grammar_of_many_states_is_bounded_and_says_what_can_be_read() -> None:
    grammar = compile_grammar(cinema(), GrammarBounds(rules=600))
    assert grammar
    assert not grammar.is_exact
    assert len(grammar.rules) <= 600
    assert len(write_grammar(grammar, "gbnf")) < 500_000
    reader: Reader[Any, Any] = Reader(cinema())
    texts = [text for seed in range(200) if (text := walk_at_random(grammar, seed))]
    read = [isinstance(reader.read_text(text), SentenceReading) for text in texts]
    assert len(texts) > 20
    assert sum(read) > 10


def test_a_language_that_does_not_fit_has_no_grammar_rather_than_the_beginning_of_one() -> None:
    assert compile_grammar(cinema(), GrammarBounds(steps=100)) is None


def test_the_dialects_write_what_a_server_reads() -> None:
    grammar = compile_grammar(OneOf([" a", ' say "so"\\', "line\nbreak"]))
    assert grammar
    assert write_grammar(grammar, "gbnf").splitlines() == [
        'root ::= ("a" | "say \\"so\\"\\\\" | "line\\x0abreak") r1',
        'r0 ::= (" a" | " say \\"so\\"\\\\" | "line\\x0abreak") r1',
        'r1 ::= ""',
    ]
    assert write_grammar(grammar, "lark").splitlines()[0].startswith('start: ("a" | ')


def test_nothing_is_written_where_nothing_can_be_said() -> None:
    assert compile_grammar(OneOf([])) is None
