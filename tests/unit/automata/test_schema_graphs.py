"""Schema graphs: what can be said is held against the definition, and what was said is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_languages import some_schema_graphs
from trellis.automata.codec import decode_language, encode_language
from trellis.automata.patterns.order import check_pattern
from trellis.automata.reader import Departure, Reader, SentenceReading
from trellis.automata.schema_graphs.kinds import RelationKinds
from trellis.automata.schema_graphs.language import SchemaGraphLanguage
from trellis.automata.schema_graphs.writing import write_schema_graph
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.domain.errors import InputError
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import LabelKind, RelationshipKind, Schema
from trellis.domain.structures.question_patterns import MentionNode, UnknownNode
from unit.automata import laws
from unit.automata.kinds import LOSSLESS, vocabulary

law = laws.examples(80)
kinds = st.sampled_from(LOSSLESS)


def list_options(language: SchemaGraphLanguage) -> set[tuple[int, ...]]:
    """The options of all sentences, by exhausting the language."""
    found, pending = set(), [language.start()]
    while pending:
        state = pending.pop()
        if language.accepting(state):
            found.add(state.options)
            continue
        gone = set(language.list_excluded_moves(state))
        moves = [i for i in range(len(language.moves(state))) if i not in gone]
        assert moves or state == language.start(), "a dead end"
        pending += [language.follow(state, move) for move in moves]
    return found


def iterate_sound_options(language: SchemaGraphLanguage) -> Iterator[tuple[int, ...]]:
    """The same by the definition: some labels of the nodes that all relations fit, none twice."""
    kinds, count = language.kinds, len(language.domains)
    for options in product(range(len(kinds.options)), repeat=len(language.pairs)):
        triples = set()
        for (subject, other), option in zip(language.pairs, options, strict=True):
            kind, back = kinds.options[option]
            triples.add((other, kind, subject) if back else (subject, kind, other))
        labellings = product(*(sorted(labels) for labels in language.domains))
        fits = any(
            all((labels[s], kind, labels[t]) in known(kinds) for s, kind, t in triples)
            for labels in labellings
        )
        if fits and len(triples) == len(options) and count:
            yield options


def known(kinds: RelationKinds) -> set[tuple[int, int, int]]:
    return {(start, kind, end) for kind, start, end in kinds.kinds}


@pytest.mark.slow
@law
@given(laws.seeds)
def test_the_language_is_what_brute_force_says(seed: int) -> None:
    language = some_schema_graphs(seed)
    if len(language.kinds.options) ** len(language.pairs) > 5_000:
        return
    expected = set(iterate_sound_options(language))
    assert list_options(language) == expected
    assert language.is_empty() == (not expected)


@law
@given(laws.seeds, kinds)
def test_what_training_spells_is_accepted_and_means_what_was_said(seed: int, kind: str) -> None:
    language = some_schema_graphs(seed)
    if not language.is_empty():
        laws.check_spelling(language, vocabulary(kind), seed)


@law
@given(laws.seeds)
def test_a_sentence_reads_as_what_was_said_and_is_written_again(seed: int) -> None:
    language = some_schema_graphs(seed)
    if language.is_empty():
        return
    said, segments = laws.say_at_random(language, Random(seed))
    [meant] = language.values(said)
    check_pattern(meant)
    read = Reader(language).read_text("".join(segments))
    assert isinstance(read, SentenceReading)
    assert meant in read.values
    options = [language.kinds.options[option] for option in said.options]
    steps = [Step(language.kinds.types[kind], back) for kind, back in options]
    assert list(write_schema_graph(language, steps)) == segments


def spoken(seed: int) -> SchemaGraphLanguage:
    """A language with sentences."""
    language = some_schema_graphs(seed)
    return language if not language.is_empty() else spoken(seed + 1)


@pytest.mark.slow
@laws.examples(30)
@given(laws.seeds, kinds)
def test_the_laws_of_token_automata_hold(seed: int, kind: str) -> None:
    automaton = TokenAutomaton(spoken(seed), vocabulary(kind))
    laws.check_distances(automaton, laws.wander(automaton, seed))
    laws.check_forced(automaton, [*laws.wander(automaton, seed)][::3])
    laws.check_offers(automaton, [*laws.wander(automaton, seed)][::5])
    tried = laws.choose_tokens(automaton.vocabulary, seed, 100)
    laws.check_masks(automaton, [*laws.wander(automaton, seed)][::6], tried)


@law
@given(laws.seeds)
def test_a_language_that_travelled_says_the_same(seed: int) -> None:
    here = some_schema_graphs(seed)
    there = decode_language(encode_language(here))
    assert isinstance(there, SchemaGraphLanguage)
    if len(here.kinds.options) ** len(here.pairs) <= 2_000:
        assert list_options(there) == list_options(here)
    assert there.is_empty() == here.is_empty()


FILMS = Schema(
    (LabelKind("City", 2, "name"), LabelKind("Film", 3, "name"), LabelKind("Person", 4, "name")),
    (
        RelationshipKind("directed_by", "Film", "Person", 3),
        RelationshipKind("written_by", "Film", "Person", 3),
        RelationshipKind("born_in", "Person", "City", 4),
    ),
    nodes=9,
    edges=10,
    fingerprint="f",
)
CHAIN = ((0, 1), (1, 2))


def test_relations_fit_by_direction_and_by_the_labels_of_both_ends() -> None:
    kinds = RelationKinds.of_schema(FILMS)
    language = SchemaGraphLanguage(1, CHAIN, 2, kinds)
    texts = {
        "".join(write_schema_graph(language, steps))
        for steps in (
            [Step("directed_by"), Step("born_in")],
            [Step("directed_by"), Step("written_by", True)],
            [Step("born_in"), Step("born_in", True)],
        )
    }
    assert ' "ENT1" -> directed_by -> [ENT1] ; [ENT1] -> born_in -> [ENT2]' in texts
    with pytest.raises(InputError, match="born_in, which does not fit"):
        write_schema_graph(language, [Step("directed_by", True), Step("born_in")])
    of_film = SchemaGraphLanguage(1, CHAIN, 2, kinds, (kinds.find_labels(["Film"]), *every(kinds)))
    with pytest.raises(InputError, match="does not fit"):
        write_schema_graph(of_film, [Step("born_in"), Step("born_in", True)])
    read = Reader(of_film).read_text('"ENT1" -> written_by -> [ENT1] ; [ENT1] -> born_in -> [ENT2]')
    [pattern] = read.values
    assert pattern.nodes == (MentionNode(0), UnknownNode(1), UnknownNode(0, is_asked=True))
    assert [t.relation for t in pattern.triples] == ["written_by", "born_in"]


def every(kinds: RelationKinds) -> tuple[frozenset[int], ...]:
    return (kinds.every_label, kinds.every_label)


def test_an_assertion_that_no_relation_fits_leaves_nothing_to_say() -> None:
    kinds = RelationKinds.of_schema(FILMS)
    city = kinds.find_labels(["City"])
    silent = SchemaGraphLanguage(1, ((0, 1),), 1, kinds, (city, city))
    assert silent.is_empty()
    automaton = TokenAutomaton(silent, vocabulary("bytes-500"))
    assert not len(automaton.allowed_tokens(automaton.start()))
    assert isinstance(Reader(silent).read_text('"ENT1" -> born_in -> [ENT1]'), Departure)


def test_labels_count_only_where_each_node_has_one() -> None:
    overlapping = replace(FILMS, nodes=7)
    for schema in (overlapping, replace(FILMS, estimated=True)):
        kinds = RelationKinds.of_schema(schema)
        assert (kinds.labels, len(kinds.options)) == (("",), 6)
        language = SchemaGraphLanguage(1, CHAIN, 2, kinds)
        assert write_schema_graph(language, [Step("directed_by", True), Step("born_in")])


def test_a_cycle_closes_only_where_labels_allow_it() -> None:
    kinds = RelationKinds.of_schema(FILMS)
    cycle = SchemaGraphLanguage(1, ((0, 1), (1, 2), (2, 0)), 2, kinds)
    assert cycle.is_empty()
    double = SchemaGraphLanguage(1, ((0, 1), (0, 1)), 1, kinds)
    assert {
        frozenset(double.kinds.types[double.kinds.options[o][0]] for o in options)
        for options in list_options(double)
    } == {frozenset({"directed_by", "written_by"})}


@pytest.mark.parametrize(
    ("pairs", "asked", "problem"),
    [
        ((), 1, "no assertion"),
        (((1, 1),), 1, "one entity alone"),
        (((0, 1), (2, 3)), 3, "several parts"),
        (((0, 1),), 0, "no unknown entity"),
        (((0, 1),), 7, "no unknown entity"),
    ],
)
def test_pairs_of_no_decomposition_are_refused(pairs: tuple, asked: int, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        SchemaGraphLanguage(1, pairs, asked, RelationKinds.of_schema(FILMS))
