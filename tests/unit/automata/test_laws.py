"""The laws of the core, over random multigraphs and tokenizers."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellis.automata.codec import decode_language, encode_language
from trellis.automata.paths.segments import step_text
from trellis.automata.paths.walks import Start, Walks
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.masks import pack_mask, unpack_mask
from trellis.automata.tokens.trie import SegmentTrie
from trellis.automata.tokens.tries import SiteTries
from trellis.domain.graphs.graph import RelationPath
from unit.automata import laws
from unit.automata.kinds import KINDS, LOSSLESS, SPECIAL, vocabulary
from unit.automata.worlds import World, worlds

law = laws.examples(200)
kinds = st.sampled_from(KINDS)


def language(world: World, meets: bool = False) -> Walks:
    if world.rendering == "full" and not meets:
        starts = [Start(f" {world.names[a]}", (i,)) for i, a in enumerate(world.anchors)]
    else:
        starts = [Start(f" ENT{i + 1}", (i,), i) for i in range(len(world.anchors))]
    return Walks(
        world.neighbourhood(),
        starts,
        hops=world.hops,
        revisit=world.revisit,
        rendering=world.rendering,
        meets=meets,
    )


def segments(world: World, nodes: tuple[int, ...], steps: tuple) -> tuple[str, ...]:
    """The segments of one walk, by the book."""
    if world.rendering == "relations":
        said = [f" ENT{world.anchors.index(nodes[0]) + 1}"]
        return (*said, *(step_text(step) for step in steps))
    said = [f" {world.names[nodes[0]]}"]
    for node, step in zip(nodes[1:], steps, strict=True):
        said += [step_text(step), " <-" if step.reversed else " ->", f" {world.names[node]}"]
    return tuple(said)


def sentences(automaton: TokenAutomaton, limit: int = 20_000) -> dict:
    """All accepted token sequences with their values, by exhausting the automaton."""
    found = {}
    stack = [((), automaton.start())]
    while stack:
        tokens, state = stack.pop()
        if automaton.accepting(state):
            found[tokens] = automaton.values(state)
        for token in automaton.allowed_tokens(state):
            stack.append(((*tokens, int(token)), automaton.advance(state, int(token))))
        assert len(found) < limit
    return found


def spelled(pieces: tuple[str, ...], kind: str) -> tuple[int, ...]:
    return laws.spell(vocabulary(kind), pieces)


@pytest.mark.slow
@law
@given(worlds(), kinds)
def test_the_token_language_is_what_brute_force_says(world: World, kind: str) -> None:
    automaton = TokenAutomaton(language(world), vocabulary(kind))
    expected: dict = {}
    for nodes, steps in world.walks():
        tokens = spelled(segments(world, nodes, steps), kind)
        expected.setdefault(tokens, set()).add((f"n{nodes[0]}", steps))
    found = sentences(automaton)
    assert set(found) == set(expected)
    for tokens, values in found.items():
        readings = {
            (anchor, path.steps)
            for query in values
            for path in query.paths
            for anchor in path.anchors
        }
        assert readings == expected[tokens]


@pytest.mark.slow
@law
@given(worlds(), kinds)
def test_a_sentence_says_the_text_that_was_spelled(world: World, kind: str) -> None:
    automaton = TokenAutomaton(language(world), vocabulary(kind))
    texts: dict = {}
    for nodes, steps in world.walks():
        pieces = segments(world, nodes, steps)
        texts.setdefault(spelled(pieces, kind), set()).add("".join(pieces))
    for tokens, said in texts.items():
        text = automaton.text(laws.follow_tokens(automaton, tokens))
        assert text in said
        if kind in LOSSLESS:
            assert said == {text}
            assert vocabulary(kind).decode(tokens) == text


@pytest.mark.slow
@law
@given(worlds(), kinds)
def test_full_rendering_names_the_nodes_of_each_step(world: World, kind: str) -> None:
    if world.rendering == "relations" or world.revisit == "simple":
        return
    expected: dict = {}
    for nodes, steps in world.walks():
        tokens = spelled(segments(world, nodes, steps), kind)
        for level, node in enumerate(nodes[1:]):
            expected.setdefault(tokens, set()).add((steps, level, f"n{node}"))
    for tokens, values in sentences(TokenAutomaton(language(world), vocabulary(kind))).items():
        said = {
            (path.steps, level, node)
            for query in values
            for path in query.paths
            for level, layer in enumerate(path.nodes)
            for node in layer
        }
        assert said == expected[tokens]


@pytest.mark.slow
@law
@given(worlds(), kinds, st.booleans(), laws.seeds)
def test_a_bit_is_set_if_and_only_if_advance_succeeds(
    world: World, kind: str, meets: bool, seed: int
) -> None:
    words = vocabulary(kind)
    automaton = TokenAutomaton(language(world, meets), words)
    states = laws.walk_at_random(automaton, seed, 3, 30)
    laws.check_masks(automaton, states, laws.choose_tokens(words, seed, 200))


@pytest.mark.slow
@law
@given(worlds(), kinds, st.booleans(), laws.seeds)
def test_an_accepting_state_is_reached_within_distance(
    world: World, kind: str, meets: bool, seed: int
) -> None:
    automaton = TokenAutomaton(language(world, meets), vocabulary(kind))
    if not len(automaton.allowed_tokens(automaton.start())):
        assert not list(world.walks())
        return
    laws.check_distances(automaton, laws.walk_at_random(automaton, seed, 3, 60))


@pytest.mark.slow
@law
@given(worlds(), kinds, st.booleans(), laws.seeds)
def test_a_token_is_offered_if_a_sentence_ends_in_time(
    world: World, kind: str, meets: bool, seed: int
) -> None:
    automaton = TokenAutomaton(language(world, meets), vocabulary(kind))
    laws.check_offers(automaton, laws.walk_at_random(automaton, seed, 3, 12))


@pytest.mark.slow
@law
@given(worlds(), kinds, st.booleans())
def test_a_language_that_travelled_says_the_same(world: World, kind: str, meets: bool) -> None:
    meets = meets and world.hops < 3
    here = language(world, meets)
    there = decode_language(encode_language(here))
    one, other = (TokenAutomaton(each, vocabulary(kind)) for each in (here, there))
    assert known(sentences(one, 50_000), here) == known(sentences(other, 50_000), here)


def known(found: dict, here: Walks) -> dict:
    """The sentences, nodes by their index where a value has them by their id."""
    nodes = {id: str(index) for index, id in enumerate(here.neighbourhood.nodes)}

    def index(path: RelationPath) -> RelationPath:
        anchors = tuple(nodes.get(id, id) for id in path.anchors)
        layers = tuple(tuple(nodes.get(id, id) for id in layer) for layer in path.nodes)
        return replace(path, anchors=anchors, nodes=layers)

    return {
        tokens: [[index(path) for path in query.paths] for query in values]
        for tokens, values in found.items()
    }


@pytest.mark.slow
@law
@given(worlds(), kinds, laws.seeds)
def test_shared_tries_change_nothing(world: World, kind: str, seed: int) -> None:
    shared, tiny = SiteTries(), SiteTries(1)
    alone = TokenAutomaton(language(world), vocabulary(kind))
    for tries in (shared, shared, tiny):
        other = TokenAutomaton(language(world), vocabulary(kind), tries)
        ways = (laws.walk_at_random(each, seed, 3, 60) for each in (alone, other))
        for one, two in zip(*ways, strict=True):
            assert alone.allowed_tokens(one).tolist() == other.allowed_tokens(two).tolist()
            assert len(alone.values(one)) == len(other.values(two))
    assert shared.figures.hits >= shared.figures.misses > 0
    assert tiny.figures.entries == 0


@pytest.mark.slow
@law
@given(worlds(), kinds)
def test_two_walks_meet_in_a_common_node_or_are_not_said(world: World, kind: str) -> None:
    if len(world.anchors) < 2 or world.hops == 3:
        return
    relations = World(**{**vars(world), "rendering": "relations"})
    found = sentences(TokenAutomaton(language(relations, meets=True), vocabulary(kind)), 50_000)
    met = {
        tuple(path.steps for path in query.paths)
        for values in found.values()
        for query in values
        if len(query.paths) == 2
    }
    walks = list(relations.walks())
    first = [w for w in walks if w[0][0] == world.anchors[0]]
    second = [w for w in walks if w[0][0] == world.anchors[1]]
    expected = {(a[1], b[1]) for a, b in product(first, second) if a[0][-1] == b[0][-1]}
    assert met == expected


@law
@given(worlds(), laws.seeds)
def test_a_walk_has_met_the_others_where_they_share_a_tail(world: World, seed: int) -> None:
    random = Random(seed)
    here = language(world, meets=True)
    state = here.start()
    while options := set(range(len(here.moves(state)))) - {*here.list_excluded_moves(state)}:
        state = here.follow(state, random.choice(sorted(options)))
        if state.meeting and state.steps:
            tails = {node for front in state.fronts for node in front.tails.tolist()}
            assert state.has_met == bool(tails & {*state.meeting.targets.tolist()})


@pytest.mark.slow
@law
@given(worlds(), kinds, st.booleans(), laws.seeds)
def test_forced_tokens_are_the_only_ones(world: World, kind: str, meets: bool, seed: int) -> None:
    automaton = TokenAutomaton(language(world, meets), vocabulary(kind))
    laws.check_forced(automaton, laws.walk_at_random(automaton, seed, 3, 20))


@law
@given(st.lists(st.integers(0, 1000), unique=True))
def test_masks_pack_and_unpack(tokens: list[int]) -> None:
    packed = pack_mask(np.array(sorted(tokens), np.int32), 1001)
    assert unpack_mask(packed).tolist() == sorted(tokens)


def test_rejection_is_sticky() -> None:
    world = World(("a", "b"), ((0, 0, 1),), (0,), 1, "any", "full")
    automaton = TokenAutomaton(language(world), vocabulary("bytes-500"))
    assert automaton.advance(None, 5) is None
    assert automaton.advance(automaton.start(), 0) is None
    assert not len(automaton.allowed_tokens(None))
    assert not automaton.accepting(None)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", SPECIAL)
def test_special_tokens_in_text_are_plain_text(text: str, kind: str) -> None:
    words = vocabulary(kind)
    assert words.encode(f" {text}")
    assert not set(words.encode(f" {text}")) & words.ends
    if kind in LOSSLESS:
        assert words.decode(words.encode(text)) == text


def test_a_trie_of_nothing_allows_nothing() -> None:
    trie = SegmentTrie([])
    assert not len(trie.children(trie.root).tokens)
