"""What counts as a question; every entry point checks it once, before any work is done."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from trellis.domain.errors import ClaimError, QuestionError
from trellis.domain.grammar_words import AUXILIARIES, MODALS, QUESTION_WORDS, match_words

Topics = Literal["linked", "gold"]
"""Where a question's anchors come from: linking, or the names given with the question."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question. `topics`: names given by the asker, which replace linking. `limit`: the most
    answers."""

    text: str
    topics: tuple[str, ...] | None = None
    limit: int | None = None


_CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # without white space
_MARKS = (  # white space and punctuation: ASCII's, Unicode's general ones, those of wide scripts
    r"\t\n\r !\x22#%&'()*,\-./:;?@\[\\\]_{}\xa0"
    r"\u1680\u2000-\u206f\u3000-\u303f\ufeff\uff01-\uff0f\uff1a-\uff20"
)
PATTERN = f"^[^{_CONTROLS}]*[^{_CONTROLS}{_MARKS}][^{_CONTROLS}]*$"
"""What `check_question` accepts, as a regular expression that Python, ECMAScript and Rust read
alike."""

_UNREADABLE = re.compile(f"[{_CONTROLS}\ud800-\udfff]")  # lone surrogates are not characters
_SAYS = re.compile(f"[^{_MARKS}]")
_NUMBER = re.compile(
    r"(\bhow many|(^\W*|\b(the|a|what|which) )(total )?(number|count|quantity) of"
    r"|\bcount (all|the|up))\b",
    re.I,
)


_ASKS = re.compile(
    rf"^(?:{match_words((*QUESTION_WORDS, *AUXILIARIES, *MODALS))})\b.*\?\W*$",
    re.IGNORECASE | re.DOTALL,
)


def check_question(text: str, limit: int) -> str:
    """The trimmed question; QuestionError where it is empty, overlong or not text."""
    if len(text) > limit:
        raise QuestionError(
            f"the question has {len(text):,} characters, {limit:,} are allowed",
            "shorten it, or raise TRELLIS_QUESTION_LIMIT",
        )
    if found := _UNREADABLE.search(text):
        raise QuestionError(
            f"the question is not text: character {found.start() + 1} is U+{ord(found[0]):04X}",
            "send plain text in UTF-8",
        )
    if not _SAYS.search(text):
        raise QuestionError("the question is empty", "ask something, such as a name and a relation")
    return text.strip()


def check_claim(text: str, limit: int) -> str:
    """The trimmed claim; ClaimError where it is empty, overlong, not text, or a question."""
    try:
        claim = check_question(text, limit)
    except QuestionError as error:
        problem = error.problem.replace("the question", "the claim")
        raise ClaimError(problem, "send one statement in plain text") from error
    if _ASKS.search(claim):
        raise ClaimError("the claim is a question", "ask it as a question, or say it as it is")
    return claim


def asks_for_number(text: str) -> bool:
    """Whether a question asks how many there are, rather than which."""
    return bool(_NUMBER.search(text))
