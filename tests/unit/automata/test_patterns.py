"""Patterns: what can be said is held against the definition, and what was said is read again."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_languages import HOSTILE, some_patterns
from trellis.automata.codec import decode_language, encode_language
from trellis.automata.language import FreeText
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.order import put_in_order
from trellis.automata.patterns.words import PatternWords
from trellis.automata.patterns.writing import write_pattern
from trellis.automata.question_spans import list_span_texts
from trellis.automata.reader import Departure, Reader, SentenceReading
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.domain.errors import CodecError, InputError
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternTriple,
    QuestionPattern,
    UnknownNode,
    is_asked,
)
from unit.automata import laws
from unit.automata.kinds import LOSSLESS, vocabulary

law = laws.examples(60)
kinds = st.sampled_from(LOSSLESS)

FREE = PatternWords(free_tokens=8)
NAMES = PatternWords(("directed_by", "people.person.gender"), ("was born",))
KINDS = PatternWords(("Film", "TVSeries"))


@law
@given(laws.seeds, kinds)
def test_what_training_spells_is_accepted_and_means_what_was_said(seed: int, kind: str) -> None:
    laws.check_spelling(replaced_limits(some_patterns(seed)), vocabulary(kind), seed)


def replaced_limits(language: PatternLanguage) -> PatternLanguage:
    """The same language, with room for texts that fall into bytes."""
    words = [replace(w, free_tokens=64 * w.are_free) for w in (language.relations, language.kinds)]
    return PatternLanguage(
        len(language.mentions),
        *words,
        most_triples=language.most_triples,
    )


@pytest.mark.slow
@law
@given(laws.seeds)
def test_a_sentence_reads_as_what_was_said_and_is_written_again(seed: int) -> None:
    language = some_patterns(seed)
    reader = Reader(language)
    for more in range(3):
        said, segments = laws.say_at_random(language, Random(seed + more))
        [meant] = language.values(said)
        read = reader.read_text("".join(segments))
        assert isinstance(read, SentenceReading)
        assert meant in read.values
        for pattern in read.values:
            written = "".join(write_pattern(language, pattern))
            again = reader.read_text(written)
            assert again.text == written
            assert pattern in again.values
            assert put_in_order(pattern) == pattern


@law
@given(laws.seeds)
def test_every_pattern_is_sound(seed: int) -> None:
    language = some_patterns(seed)
    said, _ = laws.say_at_random(language, Random(seed))
    [pattern] = language.values(said)
    count, edges = pattern.list_index_edges()
    assert 1 <= len(edges) <= language.most_triples
    assert len(set(pattern.triples)) == len(edges)
    assert all(head != tail for head, tail in edges)
    assert {end for edge in edges for end in edge} == set(range(count))
    assert sum(map(is_asked, pattern.nodes)) == 1
    reached = {0}
    for _ in range(count):
        reached |= {end for edge in edges if reached & set(edge) for end in edge}
    assert len(reached) == count
    numbers = [n.number for n in pattern.nodes if isinstance(n, UnknownNode) and not n.is_asked]
    assert numbers == list(range(1, len(numbers) + 1))


@law
@given(laws.seeds, laws.seeds)
def test_patterns_of_one_meaning_are_one_value(seed: int, way: int) -> None:
    said, _ = laws.say_at_random(some_patterns(seed), Random(seed))
    random, pattern = Random(way), QuestionPattern(said.nodes, said.triples)
    places = random.sample(range(len(pattern.nodes)), len(pattern.nodes))
    moved = sorted(zip(places, pattern.nodes, strict=True), key=lambda pair: pair[0])
    triples = [PatternTriple(places[t.head], t.relation, places[t.tail]) for t in pattern.triples]
    other = QuestionPattern(
        tuple(node for _, node in moved), tuple(random.sample(triples, len(triples)))
    )
    assert put_in_order(other) == put_in_order(pattern)


def are_alike(one: QuestionPattern, other: QuestionPattern) -> bool:
    """Whether two patterns differ only in the order of their parts, by trying every order."""

    def bare(pattern: QuestionPattern) -> list[tuple]:
        return [
            (n.index,) if isinstance(n, MentionNode) else (n.kind, n.is_asked)
            for n in pattern.nodes
        ]

    if len(one.nodes) != len(other.nodes):
        return False
    return any(
        all(a == bare(other)[place] for a, place in zip(bare(one), places, strict=True))
        and {(places[t.head], t.relation, places[t.tail]) for t in one.triples}
        == {(t.head, t.relation, t.tail) for t in other.triples}
        for places in permutations(range(len(one.nodes)))
    )


@pytest.mark.parametrize("mentions", [0, 1])
def test_values_are_equal_if_and_only_if_patterns_are_alike(mentions: int) -> None:
    words, random = PatternWords(("r",)), Random(1)
    language = PatternLanguage(mentions, words, PatternWords(), most_triples=3)
    states = [laws.say_at_random(language, random)[0] for _ in range(120)]
    patterns = [QuestionPattern(state.nodes, state.triples) for state in states]
    values = [put_in_order(pattern) for pattern in patterns]
    for i, one in enumerate(patterns):
        for j, other in enumerate(patterns[:i]):
            assert (values[i] == values[j]) == are_alike(one, other)


def list_texts(mentions: int, relations: list[str], most: int) -> set[str]:
    """All sentences without kinds that ask for a node, by the definition alone."""
    names = [f"ENT{i + 1}" for i in range(mentions)]
    found: set[str] = set()

    def may_be_new(name: str, nodes: list[str]) -> bool:
        number = sum(node.startswith("UNKNOWN") for node in nodes) + 1
        return name in (*names, "ASKED", f"UNKNOWN {number}") and name not in nodes

    everything = [*names, "ASKED", *(f"UNKNOWN {i + 1}" for i in range(most + 1))]

    def go_on(text: str, nodes: list[str], triples: list[tuple], at: str) -> None:
        if triples and "ASKED" in nodes:
            found.add(text)
        if len(triples) == most:
            return
        for origin in everything if triples else [at]:
            if origin not in nodes and not may_be_new(origin, nodes):
                continue
            for relation in relations:
                for arrow in ("->", "<-"):
                    for tail in everything:
                        known = nodes if origin in nodes else [*nodes, origin]
                        if tail not in known and not may_be_new(tail, known):
                            continue
                        if tail == origin or (origin not in nodes and tail not in nodes):
                            continue
                        ends = (origin, tail) if arrow == "->" else (tail, origin)
                        triple = (ends[0], relation, ends[1])
                        after = known if tail in known else [*known, tail]
                        last = len(triples) + 1 == most
                        if triple in triples or (last and "ASKED" not in after):
                            continue
                        more = f" {arrow} {relation} {arrow} {tail}"
                        begun = text if origin == at else f"{text} ; {origin}"
                        go_on(begun + more, after, [*triples, triple], tail)

    for first in everything:
        if may_be_new(first, []):
            go_on(f" {first}", [first], [], first)
    return found


@pytest.mark.parametrize(
    ("mentions", "relations", "most"), [(0, ["r"], 3), (1, ["r", "s"], 2), (2, ["r"], 2)]
)
def test_the_language_is_what_brute_force_says(
    mentions: int, relations: list[str], most: int
) -> None:
    words = PatternWords(tuple(relations))
    language = PatternLanguage(mentions, words, PatternWords(), most_triples=most)
    assert {state.text for state in laws.list_end_states(language)} == list_texts(
        mentions, relations, most
    )


@pytest.mark.slow
@laws.examples(20)
@given(laws.seeds)
def test_an_accepting_state_is_reached_within_distance(seed: int) -> None:
    automaton = TokenAutomaton(some_patterns(seed, are_free=False), vocabulary("bytes-500"))
    laws.check_distances(automaton, laws.wander(automaton, seed))


@pytest.mark.slow
@laws.examples(6)
@given(laws.seeds)
def test_a_token_is_offered_if_a_sentence_ends_in_time(seed: int) -> None:
    automaton = TokenAutomaton(replaced_limits(some_patterns(seed)), vocabulary("bytes-500"))
    laws.check_offers(automaton, [*laws.wander(automaton, seed)][::4])


@pytest.mark.slow
@laws.examples(25)
@given(laws.seeds, kinds)
def test_a_bit_is_set_if_and_only_if_advance_succeeds(seed: int, kind: str) -> None:
    automaton = TokenAutomaton(replaced_limits(some_patterns(seed)), vocabulary(kind))
    tried = laws.choose_tokens(automaton.vocabulary, seed, 100)
    laws.check_masks(automaton, [*laws.wander(automaton, seed)][::6], tried)


@law
@given(laws.seeds)
def test_a_language_that_travelled_says_the_same(seed: int) -> None:
    here = some_patterns(seed)
    there = decode_language(encode_language(here))
    assert encode_language(there) == encode_language(here)
    one, other, random = here.start(), there.start(), Random(seed)
    for _ in range(30):
        assert there.site(other) == here.site(one)
        assert there.accepting(other) == here.accepting(one)
        assert there.text(other) == here.text(one)
        if here.accepting(one):
            assert there.values(other) == here.values(one)
        moves = here.moves(one)
        if isinstance(moves, FreeText):
            assert there.moves(other) == moves
            one, other = here.follow_text(one, "x y"), there.follow_text(other, "x y")
        elif len(moves):
            assert (there.moves(other).texts, there.moves(other).lead) == (moves.texts, moves.lead)
            move = random.randrange(len(moves))
            one, other = here.follow(one, move), there.follow(other, move)


STEPS = """
ENT1                                        |  ->,  <-
ENT1 ->                                     | WORDS
ENT1 -> r                                   | r -> ENT2, r -> UNKNOWN 1, r -> ASKED, WORDS
ENT1 -> directed by ->                      |  -> ENT2,  -> UNKNOWN 1,  -> ASKED
ENT1 -> directed by -> UNKNOWN 1            |  (,  ->,  <-,  ;
ENT1 -> directed by -> UNKNOWN 1 (          | WORDS
ENT1 -> directed by -> UNKNOWN 1 (person)   |  ->,  <-,  ;
ENT1 -> directed by -> UNKNOWN 1 ;          |  ENT1,  ENT2,  UNKNOWN 2,  ASKED
ENT1 -> directed by -> UNKNOWN 1 ; ENT1 -> directed by -> |  -> ENT2,  -> UNKNOWN 2,  -> ASKED
ENT1 -> directed by -> UNKNOWN 1 ; ENT2 -> wrote ->       |  -> ENT1,  -> UNKNOWN 1
ENT1 -> r -> ENT2 -> r ->                   |  -> ENT1,  -> UNKNOWN 1,  -> ASKED
ENT1 -> r -> ENT2 -> r -> UNKNOWN 1 ;       |  ENT1,  ENT2,  ASKED
ENT1 -> r -> ENT2 -> r -> UNKNOWN 1 -> r -> |  -> ASKED
ENT1 -> r -> ASKED                          |  (,  ->,  <-,  ;, END
ENT1 -> r -> ASKED (film) -> s ->           |  -> ENT1,  -> ENT2,  -> UNKNOWN 1
ENT1 -> r -> ASKED ; ENT2 -> s -> ENT1      |  ->,  <-,  ;, END
ENT1 -> r -> ASKED -> s -> ENT2 -> t -> ENT1 | END
"""
"""What is said, and all that can come next, of two mentions, any words, and at most three triples.
The last triple brings the asked node; a triple is not said twice; a new node behind `;` is joined
to one that was said."""


@pytest.mark.parametrize("line", STEPS.strip().splitlines())
def test_what_can_come_next_is_told(line: str) -> None:
    laws.check_next_moves(PatternLanguage(2, FREE, FREE, most_triples=3), line)


@pytest.mark.parametrize(
    ("text", "nodes", "triples"),
    [
        (
            "ENT1 <- starred actors <- UNKNOWN 1 (film) -> release year -> ASKED",
            (MentionNode(0), UnknownNode(1, "film"), UnknownNode(0, "", True)),
            ((1, "starred actors", 0), (1, "release year", 2)),
        ),
        (
            "ASKED -> directed_by -> ENT2 ; ENT1 -> wrote -> ASKED",
            (MentionNode(0), UnknownNode(0, "", True), MentionNode(1)),
            ((0, "wrote", 1), (1, "directed_by", 2)),
        ),
        (
            "ASKED (actor or director) -> born in -> UNKNOWN 1 <- born in <- ENT1",
            (MentionNode(0), UnknownNode(1), UnknownNode(0, "actor or director", True)),
            ((0, "born in", 1), (2, "born in", 1)),
        ),
    ],
)
def test_a_pattern_is_read(text: str, nodes: tuple, triples: tuple) -> None:
    language = PatternLanguage(2, FREE, FREE)
    expected = QuestionPattern(nodes, tuple(PatternTriple(*t) for t in triples))
    found = Reader(language).read_text(text)
    assert isinstance(found, SentenceReading)
    assert found.values == (expected,)
    assert expected.list_index_edges() == (3, tuple((h, t) for h, _, t in triples))


def test_names_of_the_graph_come_back_as_they_stand_there() -> None:
    language = PatternLanguage(1, NAMES, KINDS)
    text = " ENT1 <- gender.person.people <- UNKNOWN 1 (tv series) -> was born -> ASKED (film)"
    found = Reader(language).read_text(text)
    [pattern] = found.values
    assert [t.relation for t in pattern.triples] == ["people.person.gender", "was born"]
    assert [n.kind for n in pattern.nodes[1:]] == ["TVSeries", "Film"]
    assert "".join(write_pattern(language, pattern)) == text


def test_labels_of_the_same_words_are_said_as_they_stand() -> None:
    language = PatternLanguage(1, NAMES, PatternWords(("TVSeries", "tv_series", "Film")))
    texts = language.kind_of
    assert dict(texts) == {"TVSeries": "TVSeries", "tv_series": "tv_series", "film": "Film"}


def test_a_long_chain_is_shorter_than_its_triples_one_by_one() -> None:
    chain = QuestionPattern(
        (UnknownNode(0, "", True), UnknownNode(1), MentionNode(0)),
        (PatternTriple(1, "release year", 0), PatternTriple(1, "starred actors", 2)),
    )
    segments = write_pattern(PatternLanguage(1, FREE, FREE), chain)
    assert "".join(segments) == " ENT1 <- starred actors <- UNKNOWN 1 -> release year -> ASKED"


def test_twelve_mentions_no_mention_and_nothing_to_say() -> None:
    many = PatternLanguage(12, NAMES, PatternWords())
    assert isinstance(Reader(many).read_text("ENT12 -> was born -> ASKED"), SentenceReading)
    none = PatternLanguage(0, NAMES, PatternWords())
    assert isinstance(Reader(none).read_text("ASKED -> was born -> UNKNOWN 1"), SentenceReading)
    assert isinstance(Reader(none).read_text("ENT1 -> was born -> ASKED"), Departure)
    silent = PatternLanguage(1, PatternWords(), KINDS)
    assert silent.is_empty()
    automaton = TokenAutomaton(silent, vocabulary("bytes-500"))
    assert not len(automaton.allowed_tokens(automaton.start()))


PAIR = (MentionNode(0), UnknownNode(0, "", True))


@pytest.mark.parametrize(
    ("nodes", "triples", "problem"),
    [
        (PAIR, (), "no triple"),
        (PAIR, ((0, "r", 0), (0, "r", 1)), "to itself"),
        (PAIR, ((0, "r", 1), (0, "r", 1)), "twice"),
        (PAIR, ((0, "r", 2),), "without a node"),
        ((*PAIR, UnknownNode(1)), ((0, "r", 1),), "without a triple"),
        ((*PAIR, MentionNode(0)), ((0, "r", 1), (2, "r", 1)), "mention twice"),
        ((*PAIR, UnknownNode(1), UnknownNode(2)), ((0, "r", 1), (2, "r", 3)), "several parts"),
        ((*PAIR, UnknownNode(0, "", True)), ((0, "r", 1), (0, "r", 2)), "several nodes"),
        ((MentionNode(0), UnknownNode(1)), ((0, "r", 1),), "asks for nothing"),
        ((MentionNode(7), PAIR[1]), ((0, "r", 1),), "beyond 2"),
        (PAIR, tuple((0, f"r{i}", 1) for i in range(7)), "7 triples"),
        (PAIR, ((0, "a > b", 1),), "cannot be said"),
        (PAIR, ((0, "a  b", 1),), "cannot be said"),
    ],
)
def test_what_is_no_pattern_is_refused(nodes: tuple, triples: tuple, problem: str) -> None:
    pattern = QuestionPattern(nodes, tuple(PatternTriple(*t) for t in triples))
    with pytest.raises(InputError, match=problem):
        write_pattern(PatternLanguage(2, FREE, FREE), pattern)


def test_a_relation_that_is_not_listed_is_refused() -> None:
    pattern = QuestionPattern(PAIR, (PatternTriple(0, "painted", 1),))
    with pytest.raises(InputError, match="no relation 'painted'"):
        write_pattern(PatternLanguage(2, NAMES, KINDS), pattern)


def test_words_and_numbers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="beside 1 names"):
        PatternWords(("r",), free_tokens=3)
    with pytest.raises(InputError, match="is empty"):
        PatternWords(spans=("",))
    with pytest.raises(InputError, match="up to 7 triples"):
        PatternLanguage(1, FREE, FREE, most_triples=7)
    with pytest.raises(CodecError, match="10,000 mentions"):
        decode_language(encode_language(PatternLanguage(10_001, FREE, FREE)))


@pytest.mark.parametrize(
    ("question", "most", "expected"),
    [
        ("who directed ENT1?", 2, ("who", "who directed", "directed")),
        ("Why?", 3, ("Why",)),
        ("?", 3, ()),
        ("", 3, ()),
        ("born  in\n1990", 9, ("born", "born in", "born in 1990", "in", "in 1990", "1990")),
        ("a, b", 2, ("a", "a, b", "b")),
        ("v0 or ENT12", 3, ("or",)),
        ("日本", 2, ("日", "日本", "本")),
        ("a a", 1, ("a",)),
    ],
)
def test_spans_are_runs_of_whole_words(question: str, most: int, expected: tuple) -> None:
    assert list_span_texts(question, most) == expected


def test_hostile_names_are_said_whole() -> None:
    language = PatternLanguage(1, PatternWords(HOSTILE), PatternWords(HOSTILE))
    reader = Reader(language)
    for name in HOSTILE:
        nodes = (MentionNode(0), UnknownNode(0, name, True))
        pattern = QuestionPattern(nodes, (PatternTriple(0, name, 1),))
        found = reader.read_text("".join(write_pattern(language, pattern)))
        assert isinstance(found, SentenceReading)
        assert pattern in found.values
