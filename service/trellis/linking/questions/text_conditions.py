"""Conditions on texts: that they say a phrase, as in `which plans mention dental care`.

Only English is known. What stands in quotes is to be said letter by letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.questions.operators import has_negation
from trellis.linking.text import bare_words, remove_accents

_VERB = re.compile(
    r"\b(?:mention(?:s|ed|ing)?|describ(?:es?|ed|ing)|contain(?:s|ed|ing)?"
    r"|talk(?:s|ed|ing)? about|say(?:s|ing)?)\b",
    re.IGNORECASE,
)
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being)\W*$", re.IGNORECASE)
_PLACE = re.compile(r"\s+in (?:its|their) (?P<place>[\w ]+)$", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“‘'](?P<said>[^\"”]+)[\"”’']")
_BETWEEN = re.compile(r"\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+", re.IGNORECASE)
_BEFORE = re.compile(
    r"^(?:(?:both|either|an?|the|any|some)\s+)*(?:(?:word|phrase|term)s?\s+)?", re.IGNORECASE
)
_INSIDE = frozenset(("a", "an", "at", "by", "for", "from", "in", "of", "on", "the", "to", "with"))
_MOST_WORDS = 5  # of a phrase that is not quoted: more describe, and are not to be said
_ENDINGS = (
    *((re.compile(r"(?<!s)s$"), ("",)), (re.compile(r"(?<=[sxzo])es$|(?<=[cs]h)es$"), ("",))),
    *((re.compile(r"ies$|ied$"), ("y",)), (re.compile(r"ed$|ing$"), ("", "e"))),
)
"""Endings of words, and what stands in their place in what these are forms of."""
_DOUBLED = re.compile(r"([^aeiouls])\1$")  # `planned` has one more letter than `plan`
_NO_FORMS = frozenset(("news",))
_LEAST_BASE = 3  # letters
_WORD = re.compile(r"[^\W_]+[+#]*")
_GAP = re.compile(r"[\s\-_/'’\"“”]{1,4}")  # between two words of a phrase


@dataclass(frozen=True, slots=True)
class SaidPhrase:
    """A phrase that a text says: `text` as in the question, and its words without case and accents.
    `is_quoted`: whether other endings of its words count for nothing."""

    text: str
    words: tuple[str, ...]
    is_quoted: bool = False

    def find(self, text: str) -> tuple[int, int] | None:
        """The characters of a text that first say the phrase: its words whole, one behind another,
        in whatever case and with other endings; None where none do."""
        tokens = list(_WORD.finditer(text))
        for first in range(len(tokens) - len(self.words) + 1):
            those = tokens[first : first + len(self.words)]
            if self._is_said_by(those) and _are_beside(those, text):
                return those[0].start(), those[-1].end()
        return None

    def _is_said_by(self, tokens: Sequence[re.Match[str]]) -> bool:
        return all(
            self._is_form(token.group(), word)
            for token, word in zip(tokens, self.words, strict=True)
        )

    def _is_form(self, said: str, word: str) -> bool:
        folded = _fold_word(said)
        if folded == word or self.is_quoted or folded[:1] != word[:1]:
            return folded == word
        return not _list_bases(folded).isdisjoint(_list_bases(word))


@dataclass(frozen=True, slots=True)
class TextCondition:
    """What a question wants texts to say.

    `start`: where its verb begins. `verb`: its words. `phrases`: all are said, or, with
    `is_choice`, one of them. `place`: what the question calls the text, where it says so behind the
    phrases. `is_negated`: whether texts are asked for that do not say them.
    """

    start: int
    verb: tuple[str, ...]
    phrases: tuple[SaidPhrase, ...]
    is_choice: bool = False
    place: str = ""
    is_negated: bool = False


def find_text_condition(question: str) -> TextCondition | None:
    """What a question wants texts to say; None where it wants nothing, or where more stands behind
    its verb than a phrase or some."""
    verb = _VERB.search(question)
    if verb is None or _PASSIVE.search(question[: verb.start()]):
        return None
    said = question[verb.end() :].strip(" \t\n?.!")
    place = _PLACE.search(said)
    said = said[: place.start()] if place else said
    phrases = [_read_phrase(part) for part in _split_phrases(said)]
    between = {each.group().strip(" ,").lower() for each in _BETWEEN.finditer(_blank(said))}
    if not all(phrases) or {"and", "or"} <= between:
        return None
    return TextCondition(
        verb.start(),
        bare_words(verb.group()),
        tuple(filter(None, phrases)),
        is_choice="or" in between,
        place=place["place"] if place else "",
        is_negated=has_negation(question[: verb.start()]),
    )


def _split_phrases(said: str) -> Iterator[str]:
    """The phrases between `and`, `or` and commas; what is quoted stays together."""
    start = 0
    for match in _BETWEEN.finditer(_blank(said)):
        yield said[start : match.start()]
        start = match.end()
    yield said[start:]


def _blank(said: str) -> str:
    """The text with a letter for every character inside quotes."""
    return _QUOTED.sub(lambda match: "x" * len(match.group()), said)


def _read_phrase(text: str) -> SaidPhrase | None:
    """A phrase without what introduces it; None where it is none."""
    bare = _BEFORE.sub("", text.strip()).strip()
    quoted = _QUOTED.fullmatch(bare)
    said = quoted["said"] if quoted else bare
    words = tuple(_fold_word(word) for word in _WORD.findall(said))
    telling = [word for word in words if word not in FUNCTION_WORDS]
    if not telling or len(words) > _MOST_WORDS:
        return None
    if not quoted and (
        words[0] in FUNCTION_WORDS or any(w in FUNCTION_WORDS - _INSIDE for w in words)
    ):
        return None
    return SaidPhrase(said, words, is_quoted=quoted is not None)


def _fold_word(word: str) -> str:
    """A word without case and accents."""
    return word.lower() if word.isascii() else remove_accents(word)


@lru_cache(maxsize=1 << 12)
def _list_bases(word: str) -> frozenset[str]:
    """What a word may be a form of, by regular endings of nouns and verbs: `planning` of `plan`.

    A stem is not enough: that of `policy` is the stem of `police`, and of `generate` of `general`.
    """
    if word in _NO_FORMS:
        return frozenset((word,))
    bases = [ending.sub(each, word) for ending, instead in _ENDINGS for each in instead]
    doubled = [base[:-1] for base in bases if _DOUBLED.search(base)]
    return frozenset(base for base in (word, *bases, *doubled) if len(base) >= _LEAST_BASE)


def _are_beside(tokens: Sequence[re.Match[str]], text: str) -> bool:
    return all(_GAP.fullmatch(text, a.end(), b.start()) for a, b in pairwise(tokens))
