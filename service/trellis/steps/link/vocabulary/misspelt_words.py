"""Misspelt words: which words of a text are one slip away from a word that was meant.

A slip is a letter left out, doubled, wrong, or two that changed places. Names and words of English
are no slips, whatever they are near to.
"""

from __future__ import annotations

from collections.abc import Collection, Set
from dataclasses import dataclass

from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Graph
from trellis.lexicon.names import strip_endings
from trellis.linking.names.ordinary_words import ORDINARY_WORDS
from trellis.linking.names.spans import FUNCTION_WORDS, Atom, ParsedQuestion, Span, parse_question
from trellis.steps.link.link import link_mentions
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SHORTEST = 5  # letters of a word that is read otherwise
_SHORTEST_TURNED = 4  # the same, where two letters changed places

PLAIN_WORDS = FUNCTION_WORDS | ORDINARY_WORDS
"""Words of questions over any graph."""


@dataclass(frozen=True, slots=True)
class MisspeltWord:
    """A word of a text at `span`, and the word that it is read as."""

    span: Span
    said: str
    read: str

    def describe(self) -> str:
        return f"“{self.said}” was read as “{self.read}”"


@dataclass(frozen=True, slots=True)
class SpeltQuestion:
    """A question with its misspelt words as they are read."""

    text: str
    words: tuple[MisspeltWord, ...] = ()


async def read_misspelt_words(
    question: str, graph: Graph, english_words: Set[str]
) -> SpeltQuestion:
    """The question with each misspelt word as the word of the graph's schema, of the lexicon or of
    questions that was meant; never where it is part of a name of the graph."""
    own = list_own_words(await graph.schema())
    found = find_misspelt_words(question, own, english_words)
    if not found:
        return SpeltQuestion(question)
    mentions = await link_mentions(question, graph, None, own)
    names = [Span(it.start, it.end) for it in mentions if not it.best.is_similar]
    words = tuple(word for word in found if not any(map(word.span.overlaps, names)))
    return SpeltQuestion(replace_words(question, words), words)


def list_own_words(schema: Schema) -> frozenset[str]:
    """The words that questions over a graph use, by its schema and the lexicon."""
    words = read_schema_vocabulary(schema)
    return words.wording | words.list_name_words() | words.list_noun_words()


def find_misspelt_words(
    text: str, own_words: Collection[str], english_words: Set[str]
) -> list[MisspeltWord]:
    """The words of a text that are none, and one slip from one of `own_words` or a plain word; none
    of a text of which most words are unknown. `own_words` are those of the graph, in small letters.
    """
    parsed, own = parse_question(text), frozenset(own_words)
    words = _list_plain_atoms(parsed)
    if not english_words or is_other_language(text, own, english_words):
        return []
    found = []
    for atom in words:
        said = parsed.text_of(atom.span)
        word = said.lower()
        if not _is_word(word, own, english_words) and (read := _choose_word(word, own)):
            found.append(MisspeltWord(atom.span, said, _take_case(said, read)))
    return found


def replace_words(text: str, words: Collection[MisspeltWord]) -> str:
    """The text with these words as they are read."""
    for word in sorted(words, key=lambda word: word.span, reverse=True):
        text = f"{text[: word.span.start]}{word.read}{text[word.span.end :]}"
    return text


def is_other_language(text: str, own_words: Collection[str], english_words: Set[str]) -> bool:
    """Whether most words that are no names are neither plain words nor the graph's own, misspelt or
    not, nor long ones of English; short words of other languages are found in English texts too."""
    parsed, own = parse_question(text), frozenset(own_words)
    words = [parsed.text_of(atom.span).lower() for atom in _list_plain_atoms(parsed)]
    long_words = {word for word in words if len(word) >= _SHORTEST and word.isascii()}
    known = PLAIN_WORDS | own | {w for w in long_words if _is_word(w, own, english_words)}
    unknown = sum(not (word in known or _choose_word(word, own)) for word in words)
    return unknown >= 2 and 2 * unknown >= len(words)


def asks_nothing(text: str) -> bool:
    """Whether a text holds nothing but plain words, as a greeting does."""
    parsed = parse_question(text)
    named = [atom for atom in parsed.atoms if atom.is_nameable]
    return all(parsed.text_of(atom.span).lower() in PLAIN_WORDS for atom in named)


def _list_plain_atoms(parsed: ParsedQuestion) -> list[Atom]:
    """The words of letters alone that have no shape of names."""
    return [
        atom
        for atom in parsed.atoms
        if atom.is_nameable and not atom.has_name_shape and parsed.text_of(atom.span).isalpha()
    ]


def _is_word(word: str, own: Set[str], english_words: Set[str]) -> bool:
    """Whether a word is one, in any of its forms; what holds other letters than English is none
    that can be judged."""
    if not word.isascii() or word in PLAIN_WORDS or word in own:
        return True
    return bool({word, strip_endings(word)} & english_words)


def _choose_word(word: str, own: Set[str]) -> str | None:
    """The only word that a slip may have been meant as: of the graph, else a plain one; where two
    letters changed places, that one."""
    turned = {f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}" for at in range(len(word) - 1)}
    slips = _list_slips(word) if len(word) >= _SHORTEST else set[str]()
    for forms in (turned if len(word) >= _SHORTEST_TURNED else set[str](), slips):
        for words in (own, PLAIN_WORDS):
            if meant := [form for form in forms if form in words]:
                return meant[0] if len(meant) == 1 else None
    return None


def _list_slips(word: str) -> set[str]:
    """The words from which this one differs by a letter more, less or other."""
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    shorter = {a + b[1:] for a, b in cuts if b}
    other = {a + letter + b[1:] for a, b in cuts if b for letter in _LETTERS}
    return shorter | other | {a + letter + b for a, b in cuts for letter in _LETTERS}


def _take_case(said: str, read: str) -> str:
    return read.capitalize() if said[:1].isupper() else read
