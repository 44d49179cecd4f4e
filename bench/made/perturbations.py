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

from trellis.domain.graphs.graph import Node, NodeId
from trellis.linking.names.spans import FUNCTION_WORDS
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
_MIN_LENGTH, _MAX_LENGTH = 5, 60  # characters of a name that questions use
_MIN_WORD_LENGTH = 4  # a word that gets a typo has more letters

Change = Callable[[str, Random], str | None]


@dataclass(frozen=True, slots=True)
class NameSpan:
    """The span `[start, end)` of a name in a question, and all the nodes of that name."""

    start: int
    end: int
    nodes: frozenset[NodeId]


@dataclass(frozen=True, slots=True)
class PerturbedQuestion:
    """A question, the kind of change to its names, and the spans of the names."""

    kind: str
    question: str
    spans: tuple[NameSpan, ...]


class GraphNames:
    """The names of a graph, with their nodes and how many names contain each word."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes_by_key: dict[str, list[Node]] = defaultdict(list)
        for node in nodes:
            self.nodes_by_key[name_key(node.name)].append(node)
        self._counts = Counter(word for key in self.nodes_by_key for word in set(bare_words(key)))
        askable = (nodes for key, nodes in self.nodes_by_key.items() if _is_askable(key))
        self.askable_names = [nodes[0].name for nodes in askable]

    def find_ids(self, name: str) -> frozenset[NodeId]:
        return frozenset(node.id for node in self.nodes_by_key[name_key(name)])

    def is_another_name(self, text: str, name: str) -> bool:
        return name_key(text) in self.nodes_by_key and name_key(text) != name_key(name)

    def find_distinctive_word(self, name: str) -> str | None:
        """The last long word of a name of several words that no other name has."""
        words = [w for w in name.split() if len(w) > _MIN_WORD_LENGTH and w.isalpha()]
        alone = [w for w in words if self._counts["".join(bare_words(w))] == 1]
        return alone[-1] if alone and len(name.split()) > 1 else None


def generate_questions(names: GraphNames, count: int, seed: int = 1) -> Iterator[PerturbedQuestion]:
    """Iterate over up to `count` questions of every kind."""
    for kind, change in CHANGES.items():
        yield from _generate_changed(names, kind, change, count, Random(f"{seed} {kind}"))
    yield from _generate_changed(
        names, "partial", lambda n, _: names.find_distinctive_word(n), count, Random(seed)
    )
    long = _generate_changed(
        names, "long sentence", _keep_name, count, Random(seed + 1), (LONG_CARRIER,)
    )
    yield from long
    yield from _generate_pairs(names, count, Random(seed + 2))
    shared = [nodes[0].name for nodes in names.nodes_by_key.values() if _is_shared(nodes)]
    yield from _generate_from_pool(names, "ambiguous", _keep_name, count, Random(seed + 3), shared)


def _generate_changed(
    names: GraphNames,
    kind: str,
    change: Change,
    count: int,
    random: Random,
    carriers: Sequence[str] = CARRIERS,
) -> Iterator[PerturbedQuestion]:
    return _generate_from_pool(names, kind, change, count, random, names.askable_names, carriers)


def _generate_from_pool(
    names: GraphNames,
    kind: str,
    change: Change,
    count: int,
    random: Random,
    pool: Sequence[str],
    carriers: Sequence[str] = CARRIERS,
) -> Iterator[PerturbedQuestion]:
    made = 0
    for name in random.sample(pool, len(pool)):
        text = change(name, random)
        if text is None or (text == name and change is not _keep_name):
            continue
        if names.is_another_name(text, name):
            continue
        yield _write_question(kind, random.choice(carriers), [(text, names.find_ids(name))])
        made += 1
        if made == count:
            return


def _generate_pairs(names: GraphNames, count: int, random: Random) -> Iterator[PerturbedQuestion]:
    for _ in range(count if len(names.askable_names) > 1 else 0):
        pair = random.sample(names.askable_names, 2)
        yield _write_question(
            "two names", TWO_CARRIER, [(name, names.find_ids(name)) for name in pair]
        )


def _write_question(
    kind: str, carrier: str, spellings: Sequence[tuple[str, frozenset[NodeId]]]
) -> PerturbedQuestion:
    question, spans = "", []
    for part, (text, nodes) in zip(carrier.split("{}"), spellings, strict=False):
        question += part
        spans.append(NameSpan(len(question), len(question) + len(text), nodes))
        question += text
    return PerturbedQuestion(kind, question + carrier.split("{}")[-1], tuple(spans))


def _is_askable(key: str) -> bool:
    words = key.split()
    rare = [w for w in words if w not in FUNCTION_WORDS and w not in WORDING]
    return _MIN_LENGTH <= len(key) <= _MAX_LENGTH and any(
        len(w) >= _MIN_WORD_LENGTH and w.isalpha() for w in rare
    )


def _is_shared(nodes: Sequence[Node]) -> bool:
    return 2 <= len(nodes) <= 5 and _is_askable(name_key(nodes[0].name))


def _keep_name(name: str, _: Random) -> str:
    return name


def _make_typo(edit: Callable[[str, int, Random], str]) -> Change:
    """A change that edits one of the longer words and leaves its first letter."""

    def change(name: str, random: Random) -> str | None:
        words = name.split(" ")
        long = [i for i, w in enumerate(words) if len(w) > _MIN_WORD_LENGTH and w.isalpha()]
        if not long:
            return None
        at = random.choice(long)
        words[at] = edit(words[at], random.randrange(1, len(words[at]) - 1), random)
        return " ".join(words)

    return change


def _choose_letter(random: Random) -> str:
    return random.choice(string.ascii_lowercase)


def _strip_accents(name: str, _: Random) -> str:
    """The name without accents."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(char for char in plain if not unicodedata.combining(char))


def _add_accent(name: str, random: Random) -> str | None:
    at = [i for i, char in enumerate(name) if char in _ACCENTS]
    if not at:
        return None
    i = random.choice(at)
    return name[:i] + random.choice(_ACCENTS[name[i]]) + name[i + 1 :]


def _strip_marks(name: str, _: Random) -> str:
    """The name without punctuation; hyphens, underscores and slashes become spaces."""
    kept = (c if c.isalnum() or c.isspace() else " " if c in "-/_" else "" for c in name)
    return " ".join("".join(kept).split())


def _add_mark(name: str, random: Random) -> str | None:
    """The name with a hyphen or a comma in place of one space."""
    at = [i for i, char in enumerate(name) if char == " "]
    if not at:
        return None
    i = random.choice(at)
    return name[:i] + random.choice(("-", ", ")) + name[i + 1 :]


def _make_plural(name: str, _: Random) -> str | None:
    return f"{name}s" if name[-1].isalpha() and name[-1] != "s" else None


def _lower_then(change: Change) -> Change:
    return lambda name, random: change(name.lower(), random)


_REPLACE = _make_typo(lambda w, i, random: w[:i] + _choose_letter(random) + w[i + 1 :])
CHANGES: Mapping[str, Change] = {
    "as it stands": _keep_name,
    "insert": _make_typo(lambda w, i, random: w[:i] + _choose_letter(random) + w[i:]),
    "delete": _make_typo(lambda w, i, _: w[:i] + w[i + 1 :]),
    "swap": _make_typo(lambda w, i, _: w[:i] + w[i + 1] + w[i] + w[i + 2 :]),
    "replace": _REPLACE,
    "two typos": lambda name, random: _REPLACE(_REPLACE(name, random) or "", random),
    "lower case, replace": _lower_then(_REPLACE),
    "lower case": lambda name, _: name.lower(),
    "upper case": lambda name, _: name.upper(),
    "accents left out": _strip_accents,
    "accents added": _add_accent,
    "marks left out": _strip_marks,
    "marks added": _add_mark,
    "plural": _make_plural,
    "possessive": lambda name, _: f"{name}'s",
}
