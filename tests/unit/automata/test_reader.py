"""Reading what was written without masks: held against brute force over small worlds."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellis.automata.language import Moves
from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.paths.walks import Start, Walks
from trellis.automata.reader import END, Departure, Reader, SentenceReading, read_text
from trellis.automata.tokens.automaton import TokenAutomaton
from unit.automata import laws
from unit.automata.kinds import vocabulary
from unit.automata.worlds import NAMES, RELATIONS, World, worlds

law = laws.examples(100)
LETTERS = tuple(dict.fromkeys("".join(NAMES + RELATIONS) + "x \t<&E1"))


def language(world: World, meets: bool) -> Walks:
    full = world.rendering == "full"
    starts = [
        Start(f" {world.names[a]}" if full else f" ENT{i + 1}", (i,), i)
        for i, a in enumerate(world.anchors)
    ]
    return Walks(
        world.neighbourhood(),
        starts,
        hops=min(world.hops, 2) if meets else world.hops,
        revisit=world.revisit,
        rendering=world.rendering,
        meets=meets,
    )


def sentences(spoken: Walks) -> dict[str, set]:
    """All texts that a masked model could write, with what they mean."""
    automaton = TokenAutomaton(spoken, vocabulary("bytes-500"))
    found: dict[str, set] = defaultdict(set)
    stack = [((), automaton.start())]
    while stack:
        tokens, state = stack.pop()
        if automaton.accepting(state):
            found[vocabulary("bytes-500").decode(tokens)].update(automaton.values(state))
        for token in automaton.allowed_tokens(state).tolist():
            stack.append(((*tokens, token), automaton.advance(state, token)))
        assert len(stack) < 20_000
    return dict(found)


def meant(text: str, spoken: dict[str, set]) -> set:
    """What a text means by the book: white space around it does not count."""
    alike = (values for said, values in spoken.items() if said.strip() == text.strip())
    return spoken.get(text) or set().union(*alike)


def mutations(text: str, seed: int) -> list[str]:
    """A few texts that are one character away: left out, put in, or another."""
    random, made = Random(seed), []
    for _ in range(6):
        at, new = random.randint(0, len(text)), random.choice(LETTERS)
        made += [text[:at] + text[at + 1 :], text[:at] + new + text[at:]]
        made.append(text[:at] + new + text[at + 1 :])
    return made


@pytest.mark.slow
@law
@given(worlds(), st.booleans())
def test_every_sentence_reads_as_what_it_means(world: World, meets: bool) -> None:
    spoken = language(world, meets)
    known, reader = sentences(spoken), Reader(spoken)
    for text, values in known.items():
        found = reader.read_text(text)
        assert isinstance(found, SentenceReading)
        assert (found.text, set(found.values)) == (text, values)
        for around_it in (text.strip(), f" {text}", f"\n {text}\t"):
            found = reader.read_text(around_it)
            assert isinstance(found, SentenceReading)
            assert set(found.values) == meant(around_it, known)
            assert found.text in known


@pytest.mark.slow
@law
@given(worlds(), st.booleans(), st.integers(0, 2**32))
def test_one_character_away_is_another_sentence_or_a_departure(
    world: World, meets: bool, seed: int
) -> None:
    spoken = language(world, meets)
    known, reader = sentences(spoken), Reader(spoken)
    texts = sorted(known)
    for original in Random(seed).sample(texts, min(4, len(texts))):
        for text in mutations(original, seed):
            found = reader.read_text(text)
            if isinstance(found, SentenceReading):
                assert set(found.values) == meant(text, known)
            else:
                assert not meant(text, known)
                check_departure(text, found, known)


def check_departure(text: str, departure: Departure, known: dict[str, set]) -> None:
    """It is where it should be, and what it lists could have been said."""
    bodies = [said.lstrip() for said in known]
    body = text.strip()
    blank = len(text) - len(text.lstrip())
    fine = max(n for n in range(len(body) + 1) if any(b.startswith(body[:n]) for b in bodies))
    assert (departure.accepted, departure.at) == (body[:fine], blank + fine)
    assert blank <= departure.move_start <= departure.at
    assert departure.alternatives
    kept = body[: departure.move_start - blank]
    for instead in departure.alternatives:
        if instead == END:
            assert kept in bodies
        else:
            assert any(b.startswith((kept + instead).lstrip()) for b in bodies)


@law
@given(worlds(), st.booleans(), st.integers(0, 2**32))
def test_a_sentence_that_stops_too_early_departs_at_its_end(
    world: World, meets: bool, seed: int
) -> None:
    spoken = language(world, meets)
    known, reader = sentences(spoken), Reader(spoken)
    texts = sorted(known)
    for original in Random(seed).sample(texts, min(4, len(texts))):
        text = original[: Random(seed).randrange(len(original))]
        found = reader.read_text(text)
        if isinstance(found, Departure):
            assert found.accepted == text.strip()
            check_departure(text, found, known)
        else:
            assert set(found.values) == meant(text, known)


def cities(names: tuple[str, ...] = (), rendering: str = "relations") -> Walks:
    """France with a few relations, and one to each of `names`."""
    nodes = ("France", "Paris", "Europe", *names)
    triples = [(0, "HAS_CAPITAL", 1), (0, "PART_OF", 2), (1, "CITY_IN", 0)]
    triples += [(0, "KNOWS", i) for i in range(3, len(nodes))]
    hood = cut_neighbourhood(build_adjacency(nodes, nodes, triples), [0], 1)
    start = " ENT1" if rendering == "relations" else " France"
    return Walks(hood, [Start(start, (0,))], hops=1, revisit="simple", rendering=rendering)


@pytest.mark.parametrize(
    ("text", "said", "since", "first"),
    [
        ("ENT1 -> CAPITAL", "ENT1 -> ", 4, " -> HAS_CAPITAL"),
        ("ENT1 -> has_capital", "ENT1 -> ", 4, " -> HAS_CAPITAL"),
        ("ENT1 -> HAS_CAPITOL -> PART_OF", "ENT1 -> HAS_CAPIT", 4, " -> HAS_CAPITAL"),
        ("ENT1 -> CITY_IN", "ENT1 -> ", 4, " <- CITY_IN"),
        ("  ENT1 <- PART", "ENT1 <- ", 6, " -> PART_OF"),
        ("ENT1 -> PART_OF -> ", "ENT1 -> PART_OF", 15, END),
        ("ENT2 -> PART_OF", "ENT", 0, " ENT1"),
        ("The path is:", "", 0, " ENT1"),
        ("ENT1", "ENT1", 4, " <- CITY_IN"),
        ("", "", 0, " ENT1"),
    ],
)
def test_a_departure_says_what_was_fine_and_what_was_near(
    text: str, said: str, since: int, first: str
) -> None:
    found = read_text(cities(), text)
    assert isinstance(found, Departure)
    assert (found.accepted, found.move_start) == (said, since)
    if first == " <- CITY_IN":
        assert first in found.alternatives
    else:
        assert found.alternatives[0] == first


def test_white_space_that_a_name_ends_in_counts_only_where_it_is_said() -> None:
    spoken = cities(("Ulm", "Ulm\n"), "full")

    def reached(text: str) -> set[str]:
        found = read_text(spoken, text)
        assert isinstance(found, SentenceReading)
        return {name for query in found.values for name in query.paths[0].nodes[0]}

    assert reached(" France -> KNOWS -> Ulm") == {"Ulm"}
    assert reached(" France -> KNOWS -> Ulm\n") == {"Ulm\n"}
    assert reached("France -> KNOWS -> Ulm") == {"Ulm", "Ulm\n"}


class EachOnce:
    """A language of words, none said twice: what was said is excluded from one site."""

    words = (" red", " green", " blue")

    def start(self) -> tuple[int, ...]:
        return ()

    def site(self, state: tuple[int, ...]) -> str:  # noqa: ARG002
        return "words"

    def moves(self, state: tuple[int, ...]) -> Moves:  # noqa: ARG002
        return Moves(self.words)

    def list_excluded_moves(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return state

    def follow(self, state: tuple[int, ...], move: int) -> tuple[int, ...] | None:
        return None if move in state else (*state, move)

    def accepting(self, state: tuple[int, ...]) -> bool:
        return len(state) > 1

    def values(self, state: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        return (state,)

    def text(self, state: tuple[int, ...]) -> str:
        return "".join(self.words[move] for move in state)

    def reserve(self, state: tuple[int, ...]) -> tuple[int, int]:  # noqa: ARG002
        return (12, 2)


def test_what_a_state_excludes_could_not_have_been_said() -> None:
    assert read_text(EachOnce(), "red blue") == SentenceReading(" red blue", ((0, 2),))
    assert read_text(EachOnce(), "red red") == Departure(4, "red ", 3, (" green", " blue"))
    assert read_text(EachOnce(), "red blue blue") == Departure(9, "red blue ", 8, (" green", END))
    assert read_text(EachOnce(), "red green blue red") == Departure(
        14, "red green blue", 14, (END,)
    )


def test_nothing_can_be_said_of_nothing() -> None:
    assert read_text(Walks(cities().neighbourhood, [], hops=1), "ENT1") == Departure(0, "", 0, ())


def test_the_right_one_of_a_hundred_thousand_names_is_found() -> None:
    names = (*(f"person number {i:06}" for i in range(100_000)), "Marguerite Duras")
    reader = Reader(cities(names, "full"))
    assert isinstance(reader.read_text("France -> KNOWS -> person number 054321"), SentenceReading)
    found = reader.read_text("France -> KNOWS -> Margerite Duras")
    assert isinstance(found, Departure)
    assert found.alternatives[0] == " -> Marguerite Duras"
