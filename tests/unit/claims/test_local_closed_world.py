"""The rule by which claims are judged, as a table: a statement, and what the graph makes of it.

The graph holds what is listed here and no more: `Jaws` has a director, two actors and a year;
`Duel` has a director and no year; of `Ark` nothing is known but its genre.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import product

import pytest

from trellis.domain.graphs.graph import Node, Step, Triple
from trellis.domain.replies.claims import (
    Bound,
    ClaimForm,
    ClaimMention,
    ClaimOperator,
    Sign,
    Truth,
    conjoin,
    deny,
    disjoin,
)
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternNode,
    PatternTriple,
    QuestionPattern,
    UnknownNode,
)
from trellis.steps.claims.fact_table import FactKey, FactTable
from trellis.steps.claims.judge_form import judge_form

T, F, OPEN = Truth.TRUE, Truth.FALSE, Truth.OPEN
TRIPLES = """
Jaws directed Spielberg
Duel directed Spielberg
Dune directed Lynch
Jaws starred Shaw
Jaws starred Scheider
Klute starred Scheider
Jaws year 1975
Klute year 1971
Dune year 1984
Ark genre Drama
"""


def make_triples(text: str) -> list[Triple]:
    lines = [line.split() for line in text.strip().splitlines()]
    return [Triple(Node(h, h), r, Node(t, t)) for h, r, t in lines]


def make_fact_table(triples: Iterable[Triple]) -> FactTable:
    """The table of a whole small graph."""
    table: dict[FactKey, list[Triple]] = {}
    for triple in dict.fromkeys(triples):
        table.setdefault((triple.head.id, Step(triple.relation)), []).append(triple)
        table.setdefault((triple.tail.id, Step(triple.relation, True)), []).append(triple)
    return FactTable(table)


FACTS = make_fact_table(make_triples(TRIPLES))


def make_form(
    said: str, operator: ClaimOperator, is_denied: bool = False
) -> tuple[ClaimForm, list[ClaimMention]]:
    """A form from chains such as `Jaws -directed> Spielberg, Jaws -year> <1980`: names are
    mentions, `?x` are unknown, and a sign before a number makes it a bound."""
    nodes: dict[str, int] = {}
    places: list[PatternNode] = []
    mentions: list[ClaimMention] = []
    triples: list[PatternTriple] = []

    def place(word: str) -> int:
        if word not in nodes:
            nodes[word] = len(places)
            if word.startswith("?"):
                places.append(UnknownNode(1 + sum(isinstance(n, UnknownNode) for n in places)))
            else:
                places.append(MentionNode(len(mentions)))
                mentions.append(make_mention(word, len(mentions)))
        return nodes[word]

    for part in said.split(", "):
        words = part.split()
        at = place(words[0])
        for arrow, word in zip(words[1::2], words[2::2], strict=True):
            end = place(word)
            ends = (at, end) if arrow.endswith(">") else (end, at)
            triples.append(PatternTriple(ends[0], arrow.strip("-<>"), ends[1]))
            at = end
    return ClaimForm(
        QuestionPattern(tuple(places), tuple(triples)), operator, is_denied=is_denied
    ), mentions


def make_mention(word: str, at: int) -> ClaimMention:
    sign: Sign | None = next(
        (s for s in ("<", ">", "older", "younger") if word.startswith(s)), None
    )  # type: ignore[assignment]
    if sign:
        return ClaimMention(at, at + 1, word, bound=Bound(sign, word.removeprefix(sign)))
    if word == "Nobody":
        return ClaimMention(at, at + 1, word)
    return ClaimMention(at, at + 1, word, (Node(word, word),))


def judge(said: str, operator: ClaimOperator | None = None, is_denied: bool = False) -> Truth:
    form, mentions = make_form(said, operator or ClaimOperator(), is_denied)
    return judge_form(form, mentions, FACTS).truth


@pytest.mark.parametrize(
    ("said", "truth"),
    [
        ("Jaws -directed> Spielberg", T),  # the triple is there
        ("Jaws -directed> Lynch", F),  # Jaws has directors, and Lynch is none of them
        ("Ark -directed> Lynch", OPEN),  # nobody is said to have directed Ark
        ("Lynch <directed- Ark", F),  # about Lynch: what he directed is listed, and has no Ark
        ("Shaw <directed- Ark", OPEN),  # nothing is said to be directed by Shaw, or to direct Ark
        ("Shaw <directed- Jaws", F),  # about Shaw, but Jaws has directors
        ("Jaws -directed> Nobody", OPEN),  # a name that is not in the graph
        ("Jaws -colour> Spielberg", OPEN),  # a relation that is not in the graph
        ("Jaws -directed> ?x", T),  # there is a director
        ("Ark -directed> ?x", OPEN),  # none is listed, but there may be one
        ("Jaws -directed> ?x <directed- Duel", T),  # they share a director
        ("Jaws -directed> ?x <directed- Dune", F),  # both have directors, other ones
        ("Ark -directed> ?x <directed- Dune", OPEN),
        ("Shaw <starred- ?x -year> 1975", T),
        ("Shaw <starred- ?x -year> 1971", F),  # all his films have years, other ones
        ("Spielberg <directed- ?x -year> 1971", OPEN),  # Duel has no year, and may be of 1971
        ("Jaws -directed> Spielberg, Jaws -year> 1975", T),
        ("Jaws -directed> Spielberg, Jaws -year> 1971", F),
        ("Duel -directed> Spielberg, Duel -year> 1971", OPEN),
        ("Duel -directed> Lynch, Duel -year> 1971", F),  # one false statement is enough
        ("Jaws -year> <1980", T),
        ("Jaws -year> >1980", F),
        ("Jaws -year> older1980", T),  # of years the smaller one is older
        ("Duel -year> <1980", OPEN),
    ],
)
def test_statements(said: str, truth: Truth) -> None:
    assert judge(said) is truth
    assert judge(said, is_denied=True) is deny(truth)  # what is open stays open


@pytest.mark.parametrize(
    ("said", "operator", "truth"),
    [
        ("Jaws -starred> ?x", ClaimOperator("count", "=", 2), T),
        ("Jaws -starred> ?x", ClaimOperator("count", ">", 2), F),
        ("Jaws -starred> ?x", ClaimOperator("count", ">=", 2), T),
        ("Ark -starred> ?x", ClaimOperator("count", "<", 5), OPEN),  # no list, no number
        ("Scheider <starred- ?x -year> >1972", ClaimOperator("count", "=", 1), T),
        ("Scheider <starred- ?x -year> >1990", ClaimOperator("count", "=", 1), F),
        ("Spielberg <directed- ?x -year> <1980", ClaimOperator("count", "=", 1), OPEN),  # Duel?
        ("Spielberg <directed- ?x -year> <1980", ClaimOperator("count", "<=", 2), T),
        ("Jaws -year> ?x <year- Klute", ClaimOperator("values", ">"), T),
        ("Jaws -year> ?x <year- Klute", ClaimOperator("values", "older"), F),
        ("Jaws -year> ?x <year- Duel", ClaimOperator("values", "<"), OPEN),
        ("Spielberg <directed- ?x -directed> Lynch", ClaimOperator("counts", ">"), T),
        ("Spielberg <directed- ?x -directed> Lynch", ClaimOperator("counts", "="), F),
        ("Spielberg <directed- ?x -directed> Shaw", ClaimOperator("counts", ">"), OPEN),
        ("Klute -starred> Scheider, Klute -year> ?x", ClaimOperator("extreme", "older"), T),
        ("Jaws -starred> Scheider, Jaws -year> ?x", ClaimOperator("extreme", "older"), F),
        ("Jaws -directed> Spielberg, Jaws -year> ?x", ClaimOperator("extreme", "older"), OPEN),
    ],
)
def test_counts_and_comparisons(said: str, operator: ClaimOperator, truth: Truth) -> None:
    assert judge(said, operator) is truth


def test_three_valued_logic() -> None:
    for a, b in product(Truth, repeat=2):
        assert deny(conjoin((a, b))) is disjoin((deny(a), deny(b)))  # De Morgan
        assert deny(deny(a)) is a


def test_facts_for_and_against() -> None:
    form, mentions = make_form("Jaws -directed> Lynch", ClaimOperator())
    judged = judge_form(form, mentions, FACTS)
    assert [t.tail.name for t in judged.triples] == ["Spielberg"]  # what Jaws has in its place


def test_what_is_decided_stays_so_as_unrelated_facts_come() -> None:
    """A verdict about a topic depends on what is listed of the topic and of what it leads to."""
    source = random.Random(5)
    words = ("Jaws", "Duel", "Dune", "Spielberg", "Lynch", "Shaw")
    for _ in range(200):
        h, t = source.sample(words, 2)
        said = f"{h} -{source.choice(('directed', 'starred'))}> {t}"
        form, mentions = make_form(said, ClaimOperator())
        extra = make_triples("Heat genre Crime\nHeat directed Mann")
        more = make_fact_table([*make_triples(TRIPLES), *extra])
        assert judge_form(form, mentions, FACTS) == judge_form(form, mentions, more)
