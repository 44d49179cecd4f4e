"""What asks how things are connected or what they have in common, and for nothing else.

`How is A connected to B?`, `Is there a path between A and B?`, `What do A and B share?`: a word for
a connection, names, and words of grammar. Whatever else a question says makes it another question.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from trellis.domain.grammar_words import AUXILIARIES
from trellis.linking.names.spans import FUNCTION_WORDS, Atom, ParsedQuestion, Span, parse_question

_STEMS = {
    "associat": "associated association associations",
    "common": "common",
    "connect": "connect connects connected connecting connection connections",
    "link": "link links linked linking",
    "path": "path paths",
    "relat": "relate relates related relation relations relationship relationships",
    "share": "share shared shares sharing",
    "tie": "tie ties tied",
}
_STEM_OF = {word: stem for stem, words in _STEMS.items() for word in words.split()}

CONNECTION_WORDS = frozenset(_STEM_OF)
"""Words that say that things are connected, or how."""

_SHARED_STEMS = frozenset(("common", "share"))

_GRAMMAR = frozenset(
    """a an and another any anything are been between both by can could describe did do does each
    everything exist exists explain find for from give had has have how i if in is it kind know list
    me of on one or other please shortest show some something sort tell that the them then there
    these they thing things this to two us was way we were what whether which who with would
    you""".split()  # noqa: SIM905
)
_ASKS_WHICH = frozenset(("how", "what", "which", "who"))
_ASKS_ITSELF = frozenset(("between", "common", "how", "path", "paths"))
_BEFORE_NOUNS = frozenset("a an another any each some what which".split())  # noqa: SIM905
_LONGEST_UNKNOWN = 5  # words of a name that the graph does not have


@dataclass(frozen=True, slots=True)
class ConnectionRequest:
    """What a question asks of a connection.

    `asks_whether`: a yes or a no is asked for. `asks_shared`: what the names have in common is
    asked for, not what is between them. `unknown_names`: the words at the places of names that are
    none of the names given. `verb_stems`: where the word may as well stand for a relation of the
    graph, the beginnings of this word; empty where the connection itself is asked for.
    """

    asks_whether: bool
    asks_shared: bool = False
    unknown_names: tuple[str, ...] = ()
    verb_stems: frozenset[str] = frozenset()

    def may_mean_relation(self, relation_words: Collection[str]) -> bool:
        """Whether the graph has a relation by that word: `related` where there is `RELATED_TO`."""
        return any(_STEM_OF.get(word) in self.verb_stems for word in relation_words)


def speaks_of_connection(question: str) -> bool:
    """Whether a word of the question says that things are connected."""
    return any(
        word.strip("?!.,;:'’\"“”()") in CONNECTION_WORDS for word in question.lower().split()
    )


def read_connection_request(
    question: str, names: Sequence[Span], own_words: Collection[str] = ()
) -> ConnectionRequest | None:
    """What is asked where two `names` or more are to be connected, or two of which one or both are
    words in the place of a name; None of all other questions. `own_words`: words of the graph's
    schema, in small letters, which are no names."""
    parsed = parse_question(question)
    atoms = [atom for atom in parsed.atoms if atom.is_nameable and not _is_within(atom, names)]
    words = [parsed.text_of(atom.span).lower() for atom in atoms]
    stems = frozenset(_STEM_OF[word] for word in words if word in _STEM_OF)
    unknown = _find_unknown_names(parsed, names, own_words)
    if not stems or unknown is None:
        return None
    count = len(names) + len(unknown)
    if count < 2 or (unknown and count > 2):
        return None
    asks_whether = not _ASKS_WHICH.intersection(words) and (
        words[0] in AUXILIARIES or not {"if", "whether"}.isdisjoint(words)
    )
    asks_itself = not _ASKS_ITSELF.isdisjoint(words)
    return ConnectionRequest(
        asks_whether,
        not _SHARED_STEMS.isdisjoint(stems),
        unknown,
        frozenset() if asks_itself else stems,
    )


def _find_unknown_names(
    parsed: ParsedQuestion, names: Sequence[Span], own_words: Collection[str]
) -> tuple[str, ...] | None:
    """The texts that stand as names, though they are none and no wording of a connection; None
    where what stands there is no name: `Which films`, `a lake`, `her boss`. What names are called
    (`the film Dusk`) is left out. Beside no name, a text needs the shape of one."""
    runs = [[*run] for _, run in groupby(parsed.atoms, lambda it: _sort_atom(parsed, it, names))]
    texts = []
    for at, atoms in enumerate(runs):
        nameable = [atom for atom in atoms if atom.is_nameable]
        if _sort_atom(parsed, atoms[0], names) != "other" or not nameable:
            continue
        words = [parsed.text_of(atom.span).lower() for atom in nameable]
        following = runs[at + 1][0] if at + 1 < len(runs) else None
        if following and _is_within(following, names) and set(words) <= {*own_words}:
            continue
        before = parsed.text_of(runs[at - 1][-1].span).lower() if at else ""
        has_shape = any(atom.has_name_shape for atom in nameable)
        if (
            (len(words) > _LONGEST_UNKNOWN or before in _BEFORE_NOUNS)
            or not (names or has_shape)
            or not FUNCTION_WORDS.union(own_words).isdisjoint(words)
        ):
            return None
        texts.append(parsed.text[nameable[0].span.start : nameable[-1].span.end])
    return tuple(texts)


def _sort_atom(
    parsed: ParsedQuestion, atom: Atom, names: Sequence[Span]
) -> Literal["name", "wording", "other"]:
    """Whether an atom is of a name, a word of connection questions, or another. Punctuation counts
    within words only."""
    if _is_within(atom, names):
        return "name"
    text = parsed.text_of(atom.span).lower()
    if not atom.is_nameable:
        return "other" if text in "-.&'’" and not atom.starts_word else "wording"
    return "wording" if text in CONNECTION_WORDS or text in _GRAMMAR else "other"


def _is_within(atom: Atom, names: Sequence[Span]) -> bool:
    return any(atom.span.overlaps(name) for name in names)
