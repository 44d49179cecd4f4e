"""What a language is, taught by sentences of a small graph.

A language says which moves may come next. Each table below is one sentence, a move a line:

    what is said | all that may come next | some of what may not

`END` stands where the sentence may end. A move is made of segments, set apart by ` · `: each is
spelled by the tokenizer alone, with a space before it. The tables hold for tokens, too: inside a
move the mask allows exactly the tokens that go on to one of the allowed moves, and the automaton
advances with a token if and only if the mask has it. What is in brackets is a list from `LISTS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from trellis.automata.chains.language import ChainOptions
from trellis.automata.chains.opening import Chains, open_chains
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.words.bound_values import number_values
from trellis.automata.language import Language
from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.paths.walks import Start, Walks
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.automata.patterns.writing import write_pattern
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.masks import unpack_mask
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.models.card import Rendering
from unit.automata.kinds import vocabulary

WORDS = vocabulary("bytes-500")

Tokens = tuple[int, ...]

LISTS = {
    "[orders]": "highest, lowest, descending, ascending",
    "[compared year]": "year, year <>, year <, year <=, year >, year >=",
    "[compared name]": "name, name <>",
    "[forms]": "list, show, list distinct, show distinct, [aggregates]",
    "[aggregates]": "[counts], minimum, maximum, sum, average, collect, collect distinct",
    "[counts]": "count, count distinct, count all, count values",
    "[relations]": "-> directed by, <- directed by, -> wrote, <- wrote",
}

# Walks: paths that exist in a graph (the KG-Trie)
#
#   Ada -knows-> Bob -knows-> Cyd      Ada -wrote-> Notes <-wrote- Bob      Cyd -wrote-> Plans

NAMES = ("Ada", "Bob", "Cyd", "Notes", "Plans")
EDGES = [
    (0, "knows", 1),
    (1, "knows", 2),
    (0, "wrote", 3),
    (1, "wrote", 3),
    (2, "wrote", 4),
]


def walks(*starts: Start, hops: int, rendering: Rendering) -> Walks:
    """Walks in that graph in which no node comes twice."""
    anchors = [node for start in starts for node in start.nodes]
    graph = cut_neighbourhood(build_adjacency(NAMES, NAMES, EDGES), anchors, hops)
    named = [Start(start.text, (i,), i) for i, start in enumerate(starts)]
    return Walks(graph, named, hops=hops, rendering=rendering, meets=len(starts) > 1)


WITH_NODES = walks(Start(" Ada", (0,)), hops=2, rendering="full")
"""Two steps from Ada, with the nodes between them."""

FORWARDS = """
             | Ada                       | Bob, Zoe, -> knows, END
Ada          | -> knows, -> wrote        | <- knows, -> likes, -> · Bob, END
-> knows     | -> · Bob                  | -> · Cyd, -> · Notes, <- · Bob, -> knows, END
-> · Bob     | -> knows, -> wrote, END   | <- knows, <- wrote, -> · Cyd, Ada
-> knows     | -> · Cyd                  | -> · Bob, -> · Ada, END
-> · Cyd     | END                       | -> wrote, <- knows, Ada
"""
"""Who do those that Ada knows know? One anchor, what it has, and no way back or beyond 2 steps."""

BACKWARDS = """
             | Ada                       | Notes
Ada          | -> knows, -> wrote        | <- wrote
-> wrote     | -> · Notes                | -> · Plans, <- · Notes
-> · Notes   | <- wrote, END             | -> wrote, <- knows
<- wrote     | <- · Bob                  | -> · Bob, <- · Ada, END
<- · Bob     | END                       | -> knows
"""
"""Who wrote with Ada? A relationship is walked against its direction by the other arrow."""

MEETING = walks(Start(" ENT1", (0,)), Start(" ENT2", (1,)), hops=1, rendering="relations")
"""One step from each of two masked mentions (Ada and Bob), without nodes; walks may meet."""

BOTH = """
             | ENT1, ENT2                | Ada, ENT3, & ENT1, END
ENT1         | -> knows, -> wrote        | <- knows, & ENT2, END
-> wrote     | & ENT2, END               | & ENT1, ENT2, -> wrote
& ENT2       | -> wrote                  | -> knows, <- knows, & ENT1, END
-> wrote     | END                       | & ENT1, -> wrote
"""
"""What did both write? Behind `&` a second walk begins, which must end where the first does."""

APART = """
             | ENT1, ENT2                | ENT3
ENT1         | -> knows, -> wrote        | & ENT2
-> knows     | END                       | & ENT2, -> wrote
"""
"""Bob is whom Ada knows: no walk from Bob ends in Bob, so none can be begun to meet there."""

# Chains: triples of that graph, each touching what was visited, at most two


def chains(*starts: Start, rendering: Rendering) -> Chains:
    """Chains over all of that graph."""
    anchors = [node for start in starts for node in start.nodes]
    graph = cut_neighbourhood(build_adjacency(NAMES, NAMES, EDGES), anchors, 3)
    named = [Start(start.text, (i,), i) for i, start in enumerate(starts)]
    return open_chains(graph, named, ChainOptions(rendering, most_triples=2))


OF_SETS = chains(Start(" ENT1", (0,)), Start(" ENT2", (1,)), rendering="relations")
"""From two masked mentions (Ada and Bob); the nodes stay sets."""

TOUCHING = """
             | ENT1, ENT2                     | Ada, ENT3, =, END
ENT1         | -> knows, -> wrote             | <- knows, =, ; ENT2, END
-> wrote     | <- wrote, ; ENT1, ; ENT2, =    | -> wrote, & X1, ; X1, END
; ENT2       | <- knows, -> knows, -> wrote   | =, ; ENT1, & X1, END
-> wrote     | & X1, =                        | <- wrote, ; ENT1, & X2, END
& X1         | =                              | & X1, ; ENT1, END
=            | END                            | =, -> wrote
"""
"""What did both write? A triple goes on from the last set, or behind `;` from another; the second
set is held to the first; after two triples a chain can only end."""

OF_NAMES = chains(Start(" ENT1", (0,)), rendering="full")
"""From Ada; triples as they stand in the graph."""

STANDING = """
             | Ada                            | Bob, Notes, ENT1, =, END
Ada          | -> knows, -> wrote             | <- knows, -> · Bob, END
-> wrote     | -> · Notes                     | -> · Plans, <- · Notes, END
-> · Notes   | ;, =                           | -> · Notes, Bob, END
;            | Ada, Bob                       | Notes, Cyd, ;, END
Bob          | -> wrote                       | -> knows, <- knows
-> wrote     | -> · Notes                     | -> · Plans
-> · Notes   | =                              | ;, END
=            | Bob, Notes                     | Ada, Cyd, END
Bob          | END                            | =, ;
"""
"""Who wrote with Ada? Bob stands first in the second triple, as in the graph; that Bob knows Cyd
touches nothing yet, and Ada is who was asked about."""


@pytest.mark.parametrize(
    ("language", "table"), [(OF_SETS, TOUCHING), (OF_NAMES, STANDING)], ids=["sets", "names"]
)
def test_a_chain(language: Chains, table: str) -> None:
    (chain,) = check_table(language, table)
    assert chain.has_ended
    assert len(chain.triples) == 2


# Cypher: queries that a schema can plan
#
#   (:Person {name: STRING})-[:ACTED_IN]->(:Film {title: STRING, year: INTEGER})
#   (:Person)-[:KNOWS]->(:Person)          v0: a name of Person          v1: a year of Film

SCHEMA = Schema(
    (
        LabelKind(
            "Film", 3, "title", (PropertyKind("title", "STRING"), PropertyKind("year", "INTEGER"))
        ),
        LabelKind("Person", 3, "name", (PropertyKind("name", "STRING"),)),
    ),
    (
        RelationshipKind("ACTED_IN", "Person", "Film", 3),
        RelationshipKind("KNOWS", "Person", "Person", 3),
    ),
    nodes=6,
    edges=6,
    fingerprint="films",
)


def queries(nodes: int, items: int) -> CypherLanguage:
    """Queries of that schema with so many nodes and returned items at most."""
    values = [StoredValue("Person", "name", "Ann"), StoredValue("Film", "year", 1990, "INTEGER")]
    return CypherLanguage(
        SCHEMA, number_values(values), RenderingOptions(nodes, items, (1,), is_wide=False)
    )


FILTERS = """
          | [forms]                                                    | film, match, END
list      | film, person, any                                          | acted in, v0, list, END
film      | [orders], [compared year], acted in, limit 1, END          | name, title, knows, list
year >=   | v1                                                         | v0, 1990, year, END
v1        | acted in, limit 1, END                                     | v1, year <, name, highest
acted in  | person                                                     | film, any, v0, END
person    | [compared name], [orders], limit 1, END                    | knows, acted in, year
name      | v0                                                         | v1, Ann, END
v0        | name <>, [orders], limit 1, END                            | name, knows, v0, list
limit 1   | END                                                        | limit 1, list, acted in
"""
"""Films since v1 in which v0 acted: a filter has only values of its own property, filters come in
one order, a relationship has only the ends that the schema gives it, and two nodes are all here."""

RETURNS = """
          | [forms]                                                    | film, END
show      | film, person, any                                          | title, END
film      | title, year                                                | name, acted in, END
title     | [orders], [compared year], acted in, list, show, [aggregates], limit 1, END | title
highest   | title, year                                                | name, highest, v1, END
year      | [compared year], acted in, list, show, END                 | [aggregates], [orders]
list      | film                                                       | person, title, END
film      | END                                                        | acted in, show, limit 1
"""
"""The newest film's title, and the film: an order may stand behind the first item, and then nothing
is counted; the pattern comes before a second item, and two are all here."""

BRANCHES = """
           | [forms]                                                   | END
list       | film, person, any                                         | knows
person     | [orders], [compared name], acted in, knows, knows ->, knows <-, limit 1, END | year
knows ->   | person                                                    | film, END
person     | [compared name], acted in, knows, knows ->, knows <-, and, another, [orders], limit 1, END | person 2
and        | person, person 2                                          | film, and, END
person     | acted in, knows, knows ->, knows <-                       | person, name, END
knows <-   | person                                                    | film, END
person     | [compared name], [orders], limit 1, END                   | and, another, knows
"""  # noqa: E501
"""People who know and are known: a branch begins at a node that was said before, by its name; where
a relationship can run both ways between two labels, its direction may be said."""

MEANT = {
    FILTERS: "MATCH (x0:`Film` WHERE x0.`year` >= $v1)"
    "<-[:`ACTED_IN`]-(x1:`Person` WHERE x1.`name` = $v0)\nRETURN x0\nLIMIT 1",
    RETURNS: "MATCH (x0:`Film`)\nRETURN x0.`title`, x0\n"
    "ORDER BY x0.`year` IS NULL, x0.`year` DESC\nLIMIT 1",
    BRANCHES: "MATCH (x0:`Person`)-[:`KNOWS`]->(x1:`Person`)\n"
    "MATCH (x0)<-[:`KNOWS`]-(x2:`Person`)\nRETURN x0",
}


# Patterns: what a question says, whether or not the graph has it
#
#   relations: directed by, wrote          kinds: Film          at most two triples, one mention

PATTERNS = PatternLanguage(
    1, PatternWords(("directed by", "wrote")), PatternWords(("Film",)), most_triples=2
)

CHAIN = """
               | ENT1, UNKNOWN 1, ASKED                     | ENT2, UNKNOWN 2, -> wrote, END
ENT1           | [relations]                                | (film), ;, -> · ASKED, END
<- directed by | <- · UNKNOWN 1, <- · ASKED                 | <- · ENT1, -> · ASKED, <- · UNKNOWN 2, END
<- · UNKNOWN 1 | (film), [relations], ;                     | <- · ASKED, END
(film)         | [relations], ;                             | (film), END
<- wrote       | <- · ASKED                                 | <- · ENT1, <- · UNKNOWN 2, END
<- · ASKED     | (film), END                                | [relations], ;
"""  # noqa: E501
"""Who wrote a film that ENT1 directed? Unknown nodes are numbered as they appear, a kind is said
once, and the last triple has to bring the node that is asked for."""

FORK = """
               | ENT1, UNKNOWN 1, ASKED                     | END
ASKED          | (film), [relations]                        | ;, END
(film)         | [relations]                                | (film), END
-> directed by | -> · ENT1, -> · UNKNOWN 1                  | -> · ASKED
-> · ENT1      | [relations], ;, END                        | (film)
;              | ASKED, UNKNOWN 1                           | ENT1, UNKNOWN 2, ;, END
ASKED          | [relations]                                | (film), ;, END
-> directed by | -> · UNKNOWN 1                             | -> · ENT1, -> · ASKED
-> · UNKNOWN 1 | (film), END                                | [relations], ;
"""
"""Which film did ENT1 and somebody else direct? `;` goes on from another node than the last one,
and no triple is said twice."""

JOINED = """
               | ENT1, UNKNOWN 1, ASKED                     | END
ASKED          | (film), [relations]                        | END
-> wrote       | -> · ENT1, -> · UNKNOWN 1                  | -> · ASKED
-> · UNKNOWN 1 | (film), [relations], ;, END                | -> · ENT1
;              | ASKED, ENT1, UNKNOWN 2                     | UNKNOWN 1, END
ENT1           | [relations]                                | ;, END
-> wrote       | -> · ASKED, -> · UNKNOWN 1                 | -> · UNKNOWN 2, -> · ENT1, END
-> · UNKNOWN 1 | END                                        | (film), [relations], ;
"""
"""What did ENT1 write, too? A new node behind `;` has to lead to one that was said before."""

READ = {
    CHAIN: " ENT1 <- directed by <- UNKNOWN 1 (film) <- wrote <- ASKED",
    FORK: " ENT1 <- directed by <- ASKED (film) -> directed by -> UNKNOWN 1",
    JOINED: " ENT1 -> wrote -> UNKNOWN 1 <- wrote <- ASKED",
}
"""The one sentence of what a table's sentence means."""


@pytest.mark.parametrize("table", [CHAIN, FORK, JOINED])
def test_a_pattern(table: str) -> None:
    (pattern,) = check_table(PATTERNS, table)
    assert "".join(write_pattern(PATTERNS, pattern)) == READ[table]


@pytest.mark.parametrize("table", [FORWARDS, BACKWARDS])
def test_a_walk_with_its_nodes(table: str) -> None:
    check_table(WITH_NODES, table)


@pytest.mark.parametrize("table", [BOTH, APART])
def test_walks_that_may_meet(table: str) -> None:
    check_table(MEETING, table)


@pytest.mark.parametrize(
    ("table", "nodes", "items"), [(FILTERS, 2, 1), (RETURNS, 2, 2), (BRANCHES, 3, 1)]
)
def test_a_query(table: str, nodes: int, items: int) -> None:
    (query,) = check_table(queries(nodes, items), table)
    assert query.text == MEANT[table]


# How a table is checked


@dataclass(frozen=True)
class Row:
    """A line of a table: what is said, and what may come next and may not, each as tokens."""

    said: Tokens
    allowed: frozenset[Tokens]
    refused: frozenset[Tokens]
    may_end: bool
    must_not_end: bool


def check_table(language: Language[Any, Any], table: str) -> tuple[Any, ...]:
    """Hold a language to a table; what its sentence means."""
    automaton: TokenAutomaton[Any, Any] = TokenAutomaton(language, WORDS)
    state = automaton.start()
    first, *others = read_rows(table)
    check_row(automaton, state, first, set())
    before = first
    for row in others:
        assert row.said in before.allowed
        for at, token in enumerate(row.said):
            if at:
                check_inside(automaton, state, before, row.said[:at])
            state = automaton.advance(state, token)
            assert state is not None
        check_row(automaton, state, row, next_tokens(before.allowed, row.said))
        before = row
    return automaton.values(state)


def check_row(automaton: TokenAutomaton[Any, Any], state: Any, row: Row, longer: set[int]) -> None:
    """Between two moves. `longer`: tokens of moves that the last one begins (`year`, `year <`)."""
    assert automaton.accepting(state) == row.may_end
    assert not (row.may_end and row.must_not_end)
    check_mask(automaton, state, next_tokens(row.allowed, ()) | longer)
    for move in row.allowed:
        assert can_say(automaton, state, move), WORDS.decode(move)
    for move in row.refused:
        assert not can_say(automaton, state, move), WORDS.decode(move)


def check_inside(
    automaton: TokenAutomaton[Any, Any], state: Any, before: Row, begun: Tokens
) -> None:
    """Inside a move of which some tokens are said. One that ends here may be gone on from, too."""
    expected = next_tokens(before.allowed, begun)
    if begun in before.allowed:
        assert expected <= set(automaton.allowed_tokens(state).tolist())
    else:
        assert not automaton.accepting(state)
        check_mask(automaton, state, expected)


def check_mask(automaton: TokenAutomaton[Any, Any], state: Any, expected: set[int]) -> None:
    """The mask allows these tokens alone, and the automaton advances with these alone."""
    assert set(unpack_mask(automaton.allow(state)).tolist()) == expected
    for token in range(WORDS.size):
        assert (automaton.advance(state, token) is not None) == (token in expected)


def next_tokens(moves: frozenset[Tokens], begun: Tokens) -> set[int]:
    """The tokens that moves go on with which begin with some tokens."""
    size = len(begun)
    return {move[size] for move in moves if len(move) > size and move[:size] == begun}


def can_say(automaton: TokenAutomaton[Any, Any], state: Any, move: Tokens) -> bool:
    """Whether a move can be said whole: its tokens are accepted, and end at the end of a move."""
    for token in move:
        state = automaton.advance(state, token)
    return state is not None and any(depth == 0 for _, (_, _, depth) in state)


def read_rows(table: str) -> list[Row]:
    """The rows of a table."""
    rows = []
    for line in table.strip("\n").splitlines():
        said, allowed, refused = (part.strip() for part in line.split("|"))
        may, must_not = listed(allowed), listed(refused)
        rows.append(
            Row(
                spelled(said) if said else (),
                frozenset(map(spelled, may - {"END"})),
                frozenset(map(spelled, must_not - {"END"})),
                "END" in may,
                "END" in must_not,
            )
        )
    return rows


def listed(cell: str) -> set[str]:
    """The moves of a cell, with those of the lists that it names."""
    found: set[str] = set()
    for text in filter(None, map(str.strip, cell.split(","))):
        found |= listed(LISTS[text]) if text in LISTS else {text}
    return found


def spelled(move: str) -> Tokens:
    """The tokens of a move, segment by segment."""
    return tuple(t for segment in move.split(" · ") for t in WORDS.encode(f" {segment}"))
