"""Second question: `how deep is Lake Baikal, and where is it` asks twice in one sentence.

A reply that gives one thing says which of the two it leaves out.
"""

from __future__ import annotations

import re

_TWO = re.compile(
    r"^\W*(?:who|what|which|where|when|how)\b(?P<first>.*)"
    r"\band (?P<second>(?P<word>where|when|how|what) (?:is|are|was|were|did|does|do|many|much|old"
    r"|deep|long|tall|high|big|large|far|wide)\b.*?)\W*$",
    re.IGNORECASE,
)


def note_second_question(question: str) -> str:
    """What a question asks behind its first question, for a note of a reply that gives one thing;
    empty where it asks once. A word that asks in both parts may be of one clause: `where it rains
    and where it is warm`."""
    found = _TWO.match(question)
    if found is None or re.search(rf"\b{found['word']}\b", found["first"], re.IGNORECASE):
        return ""
    return f"the question asks for more, which is left out here: “{found['second']}”"
