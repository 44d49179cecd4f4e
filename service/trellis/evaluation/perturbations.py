"""Questions with misspelt, shortened and otherwise changed names of a graph's nodes.

The same names and seed give the same questions. A changed name that equals another name of the
graph is left out, because no linker could tell which one is meant.
"""

from __future__ import annotations

import string
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from trellis.domain.graph import Node, NodeId
from trellis.linking.spans import FUNCTION_WORDS
from trellis.linking.text import bare_words, name_key

CARRIERS = (
    "what do you know about {}?",
    "who is connected with {}",
    "tell me what belongs to {}",
    "{} is related to what?",
    "list all that has to do with {}",
)
LONG_CARRIER = (
    "yesterday a friend of ours asked me at dinner what is connected with {}, and I did not know"
)
TWO_CARRIER = "what do {} and {} have in common?"
WORDING = frozenset(
    word.strip("?,").lower()
    for carrier in (*CARRIERS, LONG_CARRIER, TWO_CARRIER)
    for word in carrier.split()
)
"""The words of the carriers, which a model trained on such questions has in its card."""

_ACCENTS = {"a": "áàâä", "e": "éèêë", "i": "íï", "o": "óôö", "u": "úüû", "n": "ñ", "c": "ç"}
_LEAST, _MOST = 5, 60  # characters of a name that questions use
_LEAST_WORD = 4  # a word that gets a typo has more letters

Change = Callable[[str, Random], str | None]


@dataclass(frozen=True, slots=True)
class Place:
    """The span `[start, end)` of a name in a question, and all the nodes of that name."""

    start: int
    end: int
    nodes: frozenset[NodeId]


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A question, the kind of change to its names, and the spans of the names."""

    kind: str
    question: str
    places: tuple[Place, ...]


class Names:
    """The names of a graph, with their nodes and how many names contain each word."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.bearers: dict[str, list[Node]] = defaultdict(list)
        for node in nodes:
            self.bearers[name_key(node.name)].append(node)
        self._counts = Counter(word for key in self.bearers for word in set(bare_words(key)))
        askable = (nodes for key, nodes in self.bearers.items() if _askable(key))
        self.askable = [nodes[0].name for nodes in askable]

    def ids(self, name: str) -> frozenset[NodeId]:
        return frozenset(node.id for node in self.bearers[name_key(name)])

    def means_another(self, text: str, name: str) -> bool:
        return name_key(text) in self.bearers and name_key(text) != name_key(name)

    def telling_word(self, name: str) -> str | None:
        """The last long word of a name of several words that no other name has."""
        words = [w for w in name.split() if len(w) > _LEAST_WORD and w.isalpha()]
        alone = [w for w in words if self._counts["".join(bare_words(w))] == 1]
        return alone[-1] if alone and len(name.split()) > 1 else None


def perturbed(names: Names, each: int, seed: int = 1) -> Iterator[Perturbed]:
    """Iterate over up to `each` questions of every kind."""
    for kind, change in CHANGES.items():
        yield from _changed(names, kind, change, each, Random(f"{seed} {kind}"))
    yield from _changed(names, "partial", lambda n, _: names.telling_word(n), each, Random(seed))
    long = _changed(names, "long sentence", _same, each, Random(seed + 1), (LONG_CARRIER,))
    yield from long
    yield from _two(names, each, Random(seed + 2))
    shared = [nodes[0].name for nodes in names.bearers.values() if _shared(nodes)]
    yield from _asked(names, "ambiguous", _same, each, Random(seed + 3), shared)


def _changed(
    names: Names,
    kind: str,
    change: Change,
    each: int,
    random: Random,
    carriers: Sequence[str] = CARRIERS,
) -> Iterator[Perturbed]:
    return _asked(names, kind, change, each, random, names.askable, carriers)


def _asked(
    names: Names,
    kind: str,
    change: Change,
    each: int,
    random: Random,
    pool: Sequence[str],
    carriers: Sequence[str] = CARRIERS,
) -> Iterator[Perturbed]:
    made = 0
    for name in random.sample(pool, len(pool)):
        text = change(name, random)
        if text is None or (text == name and change is not _same):
            continue
        if names.means_another(text, name):
            continue
        yield _question(kind, random.choice(carriers), [(text, names.ids(name))])
        made += 1
        if made == each:
            return


def _two(names: Names, each: int, random: Random) -> Iterator[Perturbed]:
    for _ in range(each if len(names.askable) > 1 else 0):
        pair = random.sample(names.askable, 2)
        yield _question("two names", TWO_CARRIER, [(name, names.ids(name)) for name in pair])


def _question(kind: str, carrier: str, named: Sequence[tuple[str, frozenset[NodeId]]]) -> Perturbed:
    question, places = "", []
    for part, (text, nodes) in zip(carrier.split("{}"), named, strict=False):
        question += part
        places.append(Place(len(question), len(question) + len(text), nodes))
        question += text
    return Perturbed(kind, question + carrier.split("{}")[-1], tuple(places))


def _askable(key: str) -> bool:
    words = key.split()
    rare = [w for w in words if w not in FUNCTION_WORDS and w not in WORDING]
    return _LEAST <= len(key) <= _MOST and any(len(w) >= _LEAST_WORD and w.isalpha() for w in rare)


def _shared(nodes: Sequence[Node]) -> bool:
    return 2 <= len(nodes) <= 5 and _askable(name_key(nodes[0].name))


def _same(name: str, _: Random) -> str:
    return name


def _typo(edit: Callable[[str, int, Random], str]) -> Change:
    """A change that edits one of the longer words and leaves its first letter."""

    def change(name: str, random: Random) -> str | None:
        words = name.split(" ")
        long = [i for i, w in enumerate(words) if len(w) > _LEAST_WORD and w.isalpha()]
        if not long:
            return None
        at = random.choice(long)
        words[at] = edit(words[at], random.randrange(1, len(words[at]) - 1), random)
        return " ".join(words)

    return change


def _letter(random: Random) -> str:
    return random.choice(string.ascii_lowercase)


def _strip(name: str, _: Random) -> str:
    """The name without accents."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(char for char in plain if not unicodedata.combining(char))


def _accent(name: str, random: Random) -> str | None:
    at = [i for i, char in enumerate(name) if char in _ACCENTS]
    if not at:
        return None
    i = random.choice(at)
    return name[:i] + random.choice(_ACCENTS[name[i]]) + name[i + 1 :]


def _unmark(name: str, _: Random) -> str:
    """The name without punctuation; hyphens, underscores and slashes become spaces."""
    kept = (c if c.isalnum() or c.isspace() else " " if c in "-/_" else "" for c in name)
    return " ".join("".join(kept).split())


def _mark(name: str, random: Random) -> str | None:
    """The name with a hyphen or a comma in place of one space."""
    at = [i for i, char in enumerate(name) if char == " "]
    if not at:
        return None
    i = random.choice(at)
    return name[:i] + random.choice(("-", ", ")) + name[i + 1 :]


def _plural(name: str, _: Random) -> str | None:
    return f"{name}s" if name[-1].isalpha() and name[-1] != "s" else None


def _small_and(change: Change) -> Change:
    return lambda name, random: change(name.lower(), random)


_REPLACE = _typo(lambda w, i, random: w[:i] + _letter(random) + w[i + 1 :])
CHANGES: Mapping[str, Change] = {
    "as it stands": _same,
    "insert": _typo(lambda w, i, random: w[:i] + _letter(random) + w[i:]),
    "delete": _typo(lambda w, i, _: w[:i] + w[i + 1 :]),
    "swap": _typo(lambda w, i, _: w[:i] + w[i + 1] + w[i] + w[i + 2 :]),
    "replace": _REPLACE,
    "two typos": lambda name, random: _REPLACE(_REPLACE(name, random) or "", random),
    "lower case, replace": _small_and(_REPLACE),
    "lower case": lambda name, _: name.lower(),
    "upper case": lambda name, _: name.upper(),
    "accents left out": _strip,
    "accents added": _accent,
    "marks left out": _unmark,
    "marks added": _mark,
    "plural": _plural,
    "possessive": lambda name, _: f"{name}'s",
}
