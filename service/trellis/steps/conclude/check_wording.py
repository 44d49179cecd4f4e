"""Check a wording: a model's sentence is kept only if it says nothing that is not known.

Every name and number in it stands in the answers, in the facts that are cited or in the question,
however numbers and dates are formatted. It gives all answers, or how many they are.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isclose

from trellis.domain.graphs.facts import Fact
from trellis.domain.replies.reply import Answer
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.text import bare_words
from trellis.linking.values.numbers import find_numbers

_LONGEST = 1_000  # characters of a sentence, for each ten answers
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")
_POSSESSIVE = re.compile(r"(?<=\w)['’](?:s\b|(?!\w))")
_DATE = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_DENIALS = frozenset("no not none never nothing nobody neither nor cannot".split())  # noqa: SIM905
_DENYING = re.compile(r"n['’]t\b")
_OPENINGS = FUNCTION_WORDS | {"yes"}

Words = tuple[str, ...]


def find_wording_fault(
    sentence: str,
    question: str,
    answers: Sequence[Answer],
    cited: Sequence[Fact],
    shown: Sequence[Fact] = (),
) -> str:
    """What is wrong with a sentence; empty where it can be kept, and where there is none.

    `cited`: the facts that it may speak of. `shown`: further facts, whose names it may not say.
    """
    if not sentence:
        return ""
    if len(sentence) > _LONGEST * (1 + len(answers) // 10) or "\n" in sentence.strip():
        return "it is no sentence"
    sources = WordingSources(question, tuple(answers), tuple(cited))
    if strange := next(_iterate_strange_numbers(sentence, sources), ""):
        return f"nothing says {strange}"
    if strange := next(_iterate_strange_names(sentence, sources, shown), ""):
        return f"nothing cited names {strange}"
    if _is_denial(sentence) and not sources.denies:
        return "it denies what was found"
    if missing := _find_missing_answer(sentence, answers):
        return f"it leaves out {missing}"
    return ""


@dataclass(frozen=True)
class WordingSources:
    """What a sentence may speak of."""

    question: str
    answers: tuple[Answer, ...]
    cited: tuple[Fact, ...]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The question, the answers' names, the facts and the names in them."""
        names = (node.name for fact in self.cited for node in fact.nodes)
        facts = (fact.text for fact in self.cited)
        return (self.question, *(answer.node.name for answer in self.answers), *facts, *names)

    @cached_property
    def names(self) -> frozenset[Words]:
        """The whole names of nodes, as bare words."""
        answered = (answer.node.name for answer in self.answers)
        told = (node.name for fact in self.cited for node in fact.nodes)
        return frozenset(map(bare_words, (*answered, *told)))

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """The texts as bare words with a space around each, in which a piece can be looked for."""
        return tuple(map(_put_spaces, self.texts))

    @cached_property
    def small_words(self) -> frozenset[str]:
        """Words that the question writes small, and words of relationships: no names there."""
        small = {word for word in _list_words(self.question) if word[:1].islower()}
        related = {word for fact in self.cited for word in _list_relation_words(fact)}
        return frozenset(small | related)

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """All numbers, in digits and in words, the parts of dates, and how many answers there
        are."""
        found = [float(len(self.answers))]
        for text in self.texts:
            found += [float(it.value) for it in find_numbers(text)]
            found += map(float, _DIGITS.findall(text))
        return tuple(found)

    @cached_property
    def months(self) -> frozenset[str]:
        """The months of dates that are written in digits."""
        dates = (match for text in self.texts for match in _DATE.finditer(text))
        months = (int(match[2]) for match in dates)
        return frozenset(calendar.month_name[m].lower() for m in months if 1 <= m <= 12)

    @property
    def denies(self) -> bool:
        """Whether the question or an answer says `not`."""
        return any(_is_denial(text) for text in (self.question, *self._answer_names))

    @property
    def _answer_names(self) -> tuple[str, ...]:
        return tuple(answer.node.name for answer in self.answers)

    def has_number(self, value: float) -> bool:
        """Whether some source says the number."""
        return any(isclose(value, known, rel_tol=1e-9) for known in self.numbers)

    def has_name(self, run: Sequence[str]) -> bool:
        """Whether words that look like names are names that some source has.

        They are one piece of a text, or whole names one after the other.
        """
        words = [(bare, word == word.lower()) for word in run for bare in bare_words(word)]
        return self.has_piece(f" {' '.join(bare for bare, _ in words)} ") or self._covers(words)

    def has_piece(self, piece: str) -> bool:
        """Whether bare words, with a space around each, stand together in some source."""
        return any(piece in text for text in self.pieces)

    def _covers(self, words: Sequence[tuple[str, bool]]) -> bool:
        """Whether the words are whole names, and words that are no names; with each word, whether
        it is written small."""
        if not words:
            return True
        bare = tuple(word for word, _ in words)
        sizes = (size for size in range(1, len(bare) + 1) if bare[:size] in self.names)
        if any(self._covers(words[size:]) for size in sizes):
            return True
        is_no_name = words[0][1] or bare[0] in self.small_words or bare[0] in self.months
        return is_no_name and self._covers(words[1:])


def _iterate_strange_numbers(sentence: str, sources: WordingSources) -> Iterator[str]:
    """Numbers of a sentence that no source says."""
    for number in find_numbers(sentence):
        if not sources.has_number(float(number.value)):
            yield sentence[number.span.start : number.span.end]


def _iterate_strange_names(
    sentence: str, sources: WordingSources, shown: Iterable[Fact]
) -> Iterator[str]:
    """Names of a sentence that no source has."""
    for run in _iterate_large_runs(sentence):
        if not sources.has_name(run):
            parts = (part for part in _split_at_small(run) if not sources.has_name(part.split()))
            yield next(parts, " ".join(run))
    said = _put_spaces(sentence)
    for node in dict.fromkeys(node for fact in shown for node in fact.nodes):
        piece = _put_spaces(node.name)
        if piece.strip() and piece in said and not sources.has_piece(piece):
            yield node.name


def _iterate_large_runs(sentence: str) -> Iterator[list[str]]:
    """Words next to each other that look like names: written large, or with digits.

    A small word between two of them (`University of Oxford`) belongs to the run.
    """
    run: list[str] = []
    end = 0
    for match in _WORD.finditer(_hide_numbers(sentence)):
        word = _POSSESSIVE.sub("", match[0])
        is_name = word != word.lower() or any(map(str.isdigit, word))
        is_opening = not match.start() and word.lower() in _OPENINGS
        is_link = word in FUNCTION_WORDS and bool(run) and run[-1] not in FUNCTION_WORDS
        is_apart = bool(sentence[end : match.start()].strip())
        end = match.end()
        if run and (is_apart or not (is_name or is_link)):
            yield _trim_links(run)
            run = []
        if (is_name and not is_opening) or (is_link and run):
            run.append(word)
    if run:
        yield _trim_links(run)


def _hide_numbers(sentence: str) -> str:
    """The sentence with signs in place of its numbers, which are looked at apart."""
    for number in find_numbers(sentence):
        start, end = number.span.start, number.span.end
        sentence = f"{sentence[:start]}{'#' * (end - start)}{sentence[end:]}"
    return sentence


def _trim_links(run: list[str]) -> list[str]:
    return run[:-1] if run[-1] in FUNCTION_WORDS else run


def _split_at_small(run: Sequence[str]) -> list[str]:
    """The parts of a run between its small words."""
    joined = " ".join("\n" if word == word.lower() else word for word in run)
    return [part.strip() for part in joined.split("\n")]


def _put_spaces(text: str) -> str:
    """The bare words of a text with a space around each, so that a piece can be looked for."""
    return f" {' '.join(bare_words(_POSSESSIVE.sub('', text)))} "


def _is_denial(text: str) -> bool:
    return bool(_DENYING.search(text)) or not _DENIALS.isdisjoint(bare_words(text))


def _find_missing_answer(sentence: str, answers: Sequence[Answer]) -> str:
    """The first answer that a sentence leaves out; empty where it says how many there are."""
    numbers = [float(number.value) for number in find_numbers(sentence)]
    if len(answers) > 1 and float(len(answers)) in numbers:
        return ""
    said = _put_spaces(sentence)
    names = (answer.node.name for answer in answers)
    return next((name for name in names if not _is_said(name, said, numbers)), "")


def _is_said(name: str, said: str, numbers: Sequence[float]) -> bool:
    """Whether a sentence says a name, a number or a date; `said`: its bare words."""
    if _put_spaces(name) in said:
        return True
    if date := _DATE.match(name):
        month = calendar.month_name[int(date[2])].lower() if 1 <= int(date[2]) <= 12 else ""
        return f" {month} " in said and {float(date[1]), float(date[3])} <= set(numbers)
    whole = _DIGITS.fullmatch(name.removeprefix("-"))
    return whole is not None and any(isclose(abs(n), float(whole[0])) for n in numbers)


def _list_words(text: str) -> list[str]:
    return [_POSSESSIVE.sub("", match[0]) for match in _WORD.finditer(text)]


def _list_relation_words(fact: Fact) -> set[str]:
    """The words of a fact's text that are not of its nodes' names."""
    of_names = {word for node in fact.nodes for word in bare_words(node.name)}
    return set(bare_words(fact.text)) - of_names
