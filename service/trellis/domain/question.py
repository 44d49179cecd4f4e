"""What counts as a question: checked once, at every door, before any work is done."""

from __future__ import annotations

import re
import unicodedata

from trellis.domain.errors import QuestionError

_SPACES = frozenset("\t\n\r")
_NUMBER = re.compile(r"\b(how many|(the|a) (total )?(number|count) of|count (all|the|up))\b", re.I)


def readable(text: str, limit: int) -> str:
    """The trimmed question; QuestionError where it is empty, overlong or not text."""
    if len(text) > limit:
        raise QuestionError(
            f"the question has {len(text):,} characters, {limit:,} are allowed",
            "shorten it, or raise TRELLIS_QUESTION_LIMIT",
        )
    at = next((i for i, char in enumerate(text) if _unreadable(char)), None)
    if at is not None:
        raise QuestionError(
            f"the question is not text: character {at + 1} is U+{ord(text[at]):04X}",
            "send plain text in UTF-8",
        )
    if not any(unicodedata.category(char)[0] in "LNS" for char in text):
        raise QuestionError("the question is empty", "ask something, such as a name and a relation")
    return text.strip()


def asks_for_number(text: str) -> bool:
    """Whether a question asks how many there are, rather than which."""
    return bool(_NUMBER.search(text))


def _unreadable(char: str) -> bool:
    """Control characters and lone surrogates; line breaks and tabs are white space."""
    return unicodedata.category(char) in ("Cc", "Cs") and char not in _SPACES
