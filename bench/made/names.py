"""Made-up names of people, places, companies and works; many are alike, some are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

_STARTS = "b br c ch d dr f g gr h j k kl l m n p pr r s sh st t tr v w z".split()  # noqa: SIM905
_HEARTS = "a e i o u a e i o ai ei ou ia é ö".split()  # noqa: SIM905
_ENDS = "n r l s t m nd rt ll ck x".split()  # noqa: SIM905
_ROLES = "Group Industries Partners Holdings Bank Foods Energy Systems".split()  # noqa: SIM905
_LANDS = "Lake Port Mount North South New Saint Upper".split()  # noqa: SIM905
_THINGS = "Song Winter House Garden Return Shadow Road Letters".split()  # noqa: SIM905


def make_names(count: int, seed: int = 1) -> Iterator[str]:
    """Iterate over `count` names; about one in fifteen occurs more than once."""
    random = Random(seed)
    given = [_make_word(random, 2) for _ in range(3_000)]
    family = [_make_word(random, random.choice((2, 3))) for _ in range(max(10, count // 10))]
    place = [_make_word(random, random.choice((2, 3, 3))) for _ in range(max(10, count // 10))]
    kinds: Sequence[Callable[[], str]] = (
        lambda: f"{random.choice(given)} {_choose_skewed(family, random)}",
        lambda: (
            f"{random.choice(given)} {random.choice('ABCDEFGHJKLM')}. "
            f"{_choose_skewed(family, random)}"
        ),
        lambda: f"{random.choice(_LANDS)} {random.choice(place)}",
        lambda: f"{random.choice(place)}-{random.choice(place)}",
        lambda: (
            f"{_choose_skewed(family, random)} & {_choose_skewed(family, random)} "
            f"{random.choice(_ROLES)}"
        ),
        lambda: f"The {random.choice(_THINGS)} of {random.choice(place)}",
    )
    for _ in range(count):
        yield random.choices(kinds, (45, 15, 15, 5, 12, 8))[0]()


def _make_word(random: Random, syllables: int) -> str:
    parts = [random.choice(_STARTS) + random.choice(_HEARTS) for _ in range(syllables)]
    return ("".join(parts) + random.choice(("", *_ENDS))).capitalize()


def _choose_skewed(words: Sequence[str], random: Random) -> str:
    """Choose a word at random: the first ones often, most of them seldom."""
    return words[int(len(words) * random.random() ** 3)]
