"""The words of questions: which are a graph's own wording, and which are names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from trellis.linking.names.spans import find_occurrences
from trellis.questions.row import QuestionRow
from trellis.training.language_models.words import frequent_words

_WORD = re.compile(r"['’]s\b|([^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)?)")
_MOST_WORDING = 4_000
_RARE = 2_000  # a word is rare that fewer than one made question in so many has


def find_wording(questions: Iterable[QuestionRow], least: int = 3) -> tuple[str, ...]:
    """Words that are the questions' own: said outside the topics, about at least `least` topics."""
    about: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    often: Counter[str] = Counter()
    for asked in questions:
        for word in set(split_words(remove_names(asked.question, asked.names))):
            often[word] += 1
            if len(about[word]) < least:
                about[word].add(asked.names)
    kept = [word for word, _ in often.most_common() if len(about[word]) >= least]
    return tuple(sorted(kept[:_MOST_WORDING]))


def list_usual_words(texts: Sequence[str]) -> tuple[str, ...]:
    """The words of made questions, sorted, without those that are no English words and rare: these
    are misspelt."""
    counts = Counter(word for text in texts for word in set(split_words(text)))
    least, known = len(texts) // _RARE, set(frequent_words())
    return tuple(sorted(word for word in counts if word in known or counts[word] >= least))


def split_words(text: str) -> list[str]:
    """The words of a text in lower case, without marks, digits and possessive endings."""
    return [word.lower() for word in _WORD.findall(text) if word]


def remove_names(text: str, names: Iterable[str]) -> str:
    """A text without the names it says."""
    for name in sorted(names, key=len, reverse=True):
        for span in find_occurrences(text, name)[:1]:
            text = f"{text[: span.start]} {text[span.end :]}"
    return text
