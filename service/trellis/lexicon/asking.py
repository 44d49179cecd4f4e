"""How questions begin that ask for a kind of thing."""

from __future__ import annotations

import re

from trellis.domain.grammar_words import IRREGULAR_VERBS
from trellis.lexicon.plurals import is_plural
from trellis.linking.names.spans import FUNCTION_WORDS

ASKING = re.compile(
    r"^\W*(?:(?:please |can you |could you )?(?:list|name|show(?: me)?|give me|tell me|find)"
    r"(?: me)?(?: all)?(?: of)?(?: the)?|(?:\w+ )?(?:which|what|how many)(?: of the| are the)?) ",
    re.IGNORECASE,
)
"""How questions begin whose next noun is what they ask for."""

WORD = re.compile(r"[^\W_]+")


def stands_alone(noun: str, rest: str) -> bool:
    """Whether no further noun follows: a plural, or one before a word of grammar or a verb, and
    not one before a hyphen (`vehicle-related`)."""
    if rest.startswith("-"):
        return False
    following = WORD.match(rest.lstrip())
    if following is None or is_plural(noun):
        return True
    word = following.group()
    is_verb = word.endswith(("ed", "ing")) or word in IRREGULAR_VERBS
    return word.lower() in FUNCTION_WORDS or is_verb or word[0].isupper()
