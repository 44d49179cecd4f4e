"""The grammar of ordinary Cypher: all that the language says, in the names of the schema alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.made.cypher_sentences import make_random_sentence
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.words.bound_values import number_values
from trellis.automata.grammars.query_grammar import write_query_grammar
from trellis.domain.graphs.schema import LabelKind, Schema
from unit.automata.cypher.cinema import CINEMA, kinds
from unit.automata.cypher.cinema import VALUES as LINKED
from unit.automata.cypher.schemas import SchemaWorld, schema_worlds
from unit.automata.cypher.shop import SHOP, VALUES

CLAUSES = RenderingOptions(rendering="cypher")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|[A-Za-z]\w*|[()|*+?]|\s+')


def compile_to_pattern(grammar: str) -> re.Pattern[str]:
    """The grammar as a regular expression, as none of its rules comes back to itself."""
    rules = dict(line.split(" ::= ", 1) for line in grammar.splitlines())
    return re.compile(expand("root", rules, {}))


def unescape(found: re.Match[str]) -> str:
    return chr(int(found[1][1:], 16)) if len(found[1]) == 3 else found[1]


def expand(rule: str, rules: Mapping[str, str], done: dict[str, str]) -> str:
    if rule not in done:
        tokens = [found[0] for found in _TOKEN.finditer(rules[rule])]
        assert "".join(tokens) == rules[rule]
        done[rule] = "".join(expand_token(token, rules, done) for token in tokens)
    return f"(?:{done[rule]})"


def expand_token(token: str, rules: Mapping[str, str], done: dict[str, str]) -> str:
    if token.startswith('"'):
        text = re.sub(r"\\(x[0-9a-f]{2}|.)", unescape, token[1:-1], flags=re.DOTALL)
        return f"(?:{re.escape(text)})"
    if token[0].isalpha():
        return expand(token, rules, done)
    return "" if token.isspace() else "(?:" if token == "(" else token


def accepts(language: CypherLanguage, text: str) -> bool:
    grammar = write_query_grammar(language)
    assert grammar
    return bool(compile_to_pattern(grammar).fullmatch(text.strip()))


def build_cinema() -> CypherLanguage:
    return CypherLanguage(CINEMA, number_values(LINKED), CLAUSES)


@pytest.mark.slow
@pytest.mark.parametrize(
    "language", [build_cinema(), CypherLanguage(SHOP, number_values(VALUES), CLAUSES)]
)
def test_all_that_the_language_says_is_in_the_grammar(language: CypherLanguage) -> None:
    grammar = write_query_grammar(language)
    assert grammar
    pattern = compile_to_pattern(grammar)
    random = Random(7)
    sentences = ["".join(make_random_sentence(language, random)[0]) for _ in range(300)]
    assert [it for it in sentences if not pattern.fullmatch(it.strip())] == []


@pytest.mark.slow
@given(world=schema_worlds(), seed=st.integers(0, 2**32))
@settings(max_examples=6, deadline=None)
def test_so_it_is_over_any_schema(world: SchemaWorld, seed: int) -> None:
    language = replace(world, options=CLAUSES).language()
    moves, _ = make_random_sentence(language, Random(seed))
    assert accepts(language, "".join(moves))


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ("MATCH (p:Person)-[:ACTED_IN]->(f:Film) WHERE f.year > $v1 RETURN p.name", True),
        ("MATCH (f:Film)<-[:ACTED_IN]-(p:Person) RETURN f ORDER BY count(p) DESC LIMIT 3", True),
        ("MATCH (p:Person) WHERE NOT EXISTS { MATCH (p)-[:LIKES]->(f:Film) } RETURN p", True),
        ("MATCH (p:Person)-[:ACTED_IN]->(p2:Person) RETURN p", False),
        ("MATCH (p:Person)-[:STARRED_IN]->(f:Film) RETURN p", False),
        ("MATCH (a:Actor) RETURN a", False),
        ("MATCH (p:Person) RETURN p.title", False),
        ("MATCH (p:Person) WHERE p.name = 'Ann' RETURN p", False),
        ("MATCH (p:Person) WHERE p.name = $v9 RETURN p", False),
        ("MATCH (f:Film) WHERE f.title = $v0 RETURN f", False),
        ("MATCH (c:Country) WHERE c.name IN [$v3] RETURN c", True),
        ("MATCH (p:Person) DETACH DELETE p", False),
        ("MATCH (p:Person) RETURN p; MATCH (f:Film) RETURN f", False),
    ],
)
def test_nothing_is_named_that_the_graph_or_the_question_has_not(text: str, is_said: bool) -> None:
    assert accepts(build_cinema(), text) == is_said


def test_a_schema_that_is_too_large_has_none() -> None:
    kind = kinds(name="STRING")
    labels = tuple(LabelKind(f"A label of many, number {at}", 1, None, kind) for at in range(4_000))
    assert write_query_grammar(CypherLanguage(Schema(labels, (), 1, 0, "large"))) is None
    assert write_query_grammar(CypherLanguage(Schema((), (), 0, 0, "none"))) is None
