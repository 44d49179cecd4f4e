"""What a model without masks is told of a language: held against all that can be said."""

from __future__ import annotations

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from trellis.automata.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.outline import outline_language
from trellis.automata.walks import Start, Walks
from unit.automata.test_reader import language, laws, sentences
from unit.automata.worlds import World, worlds


def said_at(spoken: Walks) -> dict[int, set[str]]:
    """All texts that can be said at each step, by going every way."""
    found: dict[int, set[str]] = defaultdict(set)
    stack = [(0, spoken.start())]
    while stack:
        step, state = stack.pop()
        moves = spoken.moves(state)
        for move in range(len(moves)):
            after = spoken.follow(state, move)
            if after is not None:
                found[step].add(moves.text_of(move).removeprefix(" "))
                stack.append((step + 1, after))
    return dict(found)


@laws
@given(worlds(), st.booleans())
def test_few_sentences_are_all_told(world: World, meets: bool) -> None:
    spoken = language(world, meets)
    told = outline_language(spoken, "?", 20_000)
    assert sorted(told.sentences) == sorted(text.removeprefix(" ") for text in sentences(spoken))
    assert (told.steps, told.cut) == ((), False)


@laws
@given(worlds(), st.booleans(), st.integers(1, 12))
def test_of_many_each_step_is_told_or_said_to_be_cut(world: World, meets: bool, limit: int) -> None:
    spoken = language(world, meets)
    told = outline_language(spoken, "?", limit)
    if told.sentences or told.is_empty:
        assert len(told.sentences) == len(sentences(spoken)) <= limit
        return
    everything = said_at(spoken)
    for number, texts in enumerate(told.steps):
        assert len(texts) <= limit
        assert set(texts) <= everything[number]
    if not told.cut:
        assert [set(texts) for texts in told.steps] == [everything[i] for i in sorted(everything)]


def test_of_too_many_those_like_the_question_are_told() -> None:
    triples = [(0, f"relation {i}", i + 1) for i in range(300)] + [(0, "HAS_CAPITAL", 301)]
    names = tuple(f"n{i}" for i in range(302))
    spoken = Walks(
        cut_neighbourhood(build_adjacency(names, names, triples), [0], 1),
        [Start(" E", (0,))],
        hops=1,
    )
    told = outline_language(spoken, "what is the capital of E?", 10)
    assert told.cut
    assert len(told.steps[1]) == 10
    assert "-> HAS_CAPITAL" in told.steps[1]
