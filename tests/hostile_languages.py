"""Languages that travelled badly: one attempt each seed, and `python tests/hostile_languages.py N`.

Whatever comes in, what comes out is a CodecError or a language that can be spoken, in little
memory; where the seal holds only by chance, it is the language that was sent.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from chain_worlds import chain_world
from damages import DAMAGES, body, numbers, repeated, sealed
from trellis.automata.assertions.language import AssertionLanguage
from trellis.automata.chains.opening import Chains
from trellis.automata.codec import decode_language, encode_language
from trellis.automata.cypher.grammar.grounding import Grounding
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.language import FreeText, Language
from trellis.automata.one_of import OneOf
from trellis.automata.paths.walks import Start, Walks
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.automata.schema_graphs.kinds import RelationKinds
from trellis.automata.schema_graphs.language import SchemaGraphLanguage
from trellis.domain.errors import CodecError
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.reachable import ReachablePath, ReachablePaths
from unit.automata.cypher.schemas import random_world as random_schema_world
from unit.automata.worlds import random_world

MAGIC = b"TRL\x07"
ROOM = 2**20
_WALKS = numbers(1, 5, b"walks")


def some_language(seed: int) -> Language[Any, Any]:
    """A random language of any kind."""
    kinds = (
        *(some_cypher, some_walks, some_choice, some_patterns, some_chains),
        *(some_assertions, some_schema_graphs),
    )
    return kinds[seed % len(kinds)](seed)


def some_chains(seed: int) -> Chains:
    """Random chains of sets or of names, whole or grown once."""
    world = chain_world(seed, thought_tokens=(seed // 5) % 2 * 8)
    language = world.open(hops=1)
    needed = next((language.needs(state) for state in _first_states(language)), ())
    return world.grow(language, needed) if needed else language


def _first_states(language: Chains) -> Iterator[Any]:
    """The states along the first moves."""
    state = language.start()
    while not language.accepting(state):
        moves = language.moves(state)
        if isinstance(moves, FreeText) or not len(moves):
            return
        state = language.follow(state, 0)
        if language.needs(state):
            yield state


def some_choice(seed: int) -> OneOf:
    """One of a few random texts."""
    random = Random(seed)
    count = random.randint(1, 5)
    return OneOf([f"{random.choice('ab é')}{i} {random.random()}" for i in range(count)])


HOSTILE = (
    *("directed by", "r", "r s", "people.person.gender", "STARRED_ACTORS", "TVSeries", "tv series"),
    *("a ; b", "-> r", "r ->", "r <- ENT1 ->", "x (y)", ")", "(", ";", "<", '"q"', "ENT1", "ASKED"),
    *("UNKNOWN 1", "UNKNOWN 1 (r)", "line\nbreak", "\t", "日本", "é", "e\u0301", "<|end|>"),
    "[UNK]",
)
"""Names and spans that look like parts of a pattern's sentence, or like nothing at all."""


def some_patterns(seed: int, *, are_free: bool | None = None) -> PatternLanguage:
    """Random patterns; their relations and kinds are names, spans or any words."""
    random = Random(seed)

    def some_words(least: int) -> PatternWords:
        if random.random() < 0.5 if are_free is None else are_free:
            return PatternWords(free_tokens=random.randint(4, 9))
        names = random.sample(HOSTILE, random.randint(least, 4))
        return PatternWords(tuple(names), tuple(random.sample(HOSTILE, random.randint(0, 2))))

    return PatternLanguage(
        random.choice((0, 1, 2, 12)),
        some_words(1),
        random.choice((PatternWords(), some_words(0))),
        most_triples=random.randint(1, 6),
    )


def some_assertions(seed: int, *, are_free: bool | None = None) -> AssertionLanguage:
    """Random decompositions; words are given, or any."""
    random = Random(seed)
    if random.random() < 0.5 if are_free is None else are_free:
        words = PatternWords(free_tokens=random.randint(4, 9))
    else:
        words = PatternWords(tuple(random.sample(HOSTILE, random.randint(1, 4))))
    most = random.randint(1, 3)
    return AssertionLanguage(random.choice((0, 1, 2)), words, most_assertions=most)


def some_schema_graphs(seed: int) -> SchemaGraphLanguage:
    """Schema graphs of random assertions over a random schema; perhaps without a sentence."""
    random = Random(seed)
    mentions, labels = random.randint(0, 2), random.randint(1, 3)
    size = random.randint(2, 4)
    pairs = [tuple(random.sample((i, random.randrange(i)), 2)) for i in range(1, size)]
    pairs += [tuple(random.sample(range(size), 2)) for _ in range(random.choice((0, 0, 1, 2)))]
    types = random.sample(HOSTILE, random.randint(1, 4))
    kinds = {
        (kind, random.randrange(labels), random.randrange(labels))
        for kind in range(len(types))
        for _ in range(random.randint(1, 3))
    }
    domains = tuple(
        frozenset(random.sample(range(labels), random.randint(1, labels))) for _ in range(size)
    )
    relations = RelationKinds(
        tuple(types), tuple(f"L{i}" for i in range(labels)), tuple(sorted(kinds))
    )
    mentions = min(mentions, size - 1)
    asked = random.randrange(mentions, size)
    return SchemaGraphLanguage(mentions, tuple(pairs), asked, relations, domains)


def some_cypher(seed: int) -> CypherLanguage:
    """A random schema with linked values, of which one in two is grounded; in one of two languages,
    only some items come first."""
    random, world = Random(seed), random_schema_world(seed)
    groundings = []
    if world.values and world.schema.relationships:
        for value in random.sample(range(len(world.values)), random.randint(0, 1)):
            kinds = random.choices(world.schema.relationships, k=3)
            paths = [
                ReachablePath((Step(k.type, random.random() < 0.5),), (k.end_label,), 1, 1)
                for k in kinds
            ]
            groundings.append(Grounding(value, ReachablePaths(tuple(dict.fromkeys(paths))), 2))
    return CypherLanguage(world.schema, world.values, world.options, groundings)


def some_walks(seed: int) -> Walks:
    """A random KG-Trie, in any rendering, with or without meeting walks."""
    random, world = Random(seed), random_world(seed)
    hood = world.neighbourhood()
    text = hood.names.__getitem__ if world.rendering == "full" else "ENT{}".format
    starts = [Start(f" {text(i)}", (i,), i) for i in range(len(world.anchors))]
    return Walks(
        hood,
        starts,
        hops=world.hops,
        revisit=world.revisit,
        rendering=world.rendering,
        meets=random.random() < 0.5,
    )


def attempt(seed: int) -> str:
    """Decode one hostile payload; says what came of it. AssertionError: it was not held off."""
    random = Random(seed)
    sent, other = (encode_language(some_language(seed + more)) for more in (0, 1))
    how, hostile = _hostile(random, sent, other)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    try:
        found = decode_language(hostile, ROOM)
    except CodecError:
        return f"{how}: refused"
    finally:
        assert tracemalloc.get_traced_memory()[1] - before < 8 * ROOM
    if how == "damaged":
        assert encode_language(found) in (sent, other)
        return f"{how}: unharmed"
    assert encode_language(decode_language(encode_language(found))) == encode_language(found)
    speak(found, random)
    return f"{how}: another language"


def _hostile(random: Random, sent: bytes, other: bytes) -> tuple[str, bytes]:
    """Damage, or what somebody has sealed anew: changed sections, false sizes, bombs."""
    kind = random.randrange(10)
    if kind == 0:
        head = random.choice((b"", MAGIC))
        return "random bytes", head + random.randbytes(random.randrange(200))
    if kind == 1:
        return "bomb", sealed(MAGIC, _bomb(random), random.choice((None, 100, 2**63)))
    if kind == 2:
        return "false size", sealed(MAGIC, body(sent), random.randrange(2 * len(body(sent))))
    if kind < 5:
        return "damaged", random.choice(DAMAGES)(random, sent, other)
    changed = body(sent)
    for _ in range(random.choice((1, 1, 2, 5))):
        changed = random.choice(DAMAGES)(random, changed, body(other)) or b"\0"
    return "sealed anew", sealed(MAGIC, changed)


def _bomb(random: Random) -> bytes:
    """Few bytes that ask for many."""
    size = random.choice((10_000, 100_000, 1_000_000))
    many = numbers(random.choice((1, 2, 4, 8)), random.choice((size, 2**32 - 1)))
    head = _WALKS + numbers(1, 2, b"\2\0") + numbers(1, 2, b"\2\1")
    return random.choice(
        (
            bytes(4 * size),
            _WALKS + many,
            numbers(1, size, b"w" * size),
            head + repeated(random.choice((0, 1_000)), size),
            head + repeated(0, 0) + numbers(1, 0) * 3 + repeated(0, 0) * 2 + many + bytes(size),
            head + repeated(0, 0) + numbers(1, 0) + many + bytes(size),
        )
    )


def speak(language: Language[Any, Any], random: Random) -> None:
    """A few random sentences; AssertionError where the language does not keep its contract."""
    for _ in range(3):
        state = language.start()
        for _ in range(12):
            gone, offered = language.list_excluded_moves(state), language.moves(state)
            if isinstance(offered, FreeText):
                state = language.follow_text(state, random.choice(("any words", "x")))
                continue
            moves = [i for i in range(len(offered)) if i not in gone]
            assert moves or language.accepting(state) or state == language.start()
            if language.accepting(state):
                assert language.values(state)
                assert language.text(state)
            if not moves:
                break
            after = language.follow(state, random.choice(moves))
            assert after is not None
            state = after


def main(count: int) -> None:
    """Try seeds 0 … count - 1, and count what came of them."""
    tracemalloc.start()
    began = time.monotonic()
    found = Counter(attempt(seed) for seed in range(count))
    for outcome, times in sorted(found.items()):
        print(f"{outcome:32} {times:>9,}")
    print(f"{count:,} tries in {time.monotonic() - began:.0f} s; every one held off")


if __name__ == "__main__":
    main(int(sys.argv[1]))
