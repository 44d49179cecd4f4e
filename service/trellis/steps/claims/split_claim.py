"""Split claim: two statements that share nothing are two claims, and both have to be so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from trellis.domain.grammar_words import AUXILIARIES, match_words
from trellis.domain.replies.claims import ClaimMention

_JOINT = re.compile(r",? (?:and|but|while|whereas|yet) |; ")
_VERB = re.compile(rf"\b(?:{match_words(AUXILIARIES)}|can|[a-z]+(?:s|ed|n['’]t))\b")
_LEAST = 2  # mentions of a statement that stands alone


def split_claim(claim: str, mentions: Sequence[ClaimMention]) -> tuple[str, ...]:
    """The statements of a claim, in order; each mentions two things at least.

    `France borders Spain and Italy borders Austria` has two, `Spain and Italy border France` one.
    What has no verb before the joint is no statement.
    """
    for joint in _JOINT.finditer(claim):
        if any(each.start < joint.end() and joint.start() < each.end for each in mentions):
            continue
        before = sum(each.end <= joint.start() for each in mentions if not each.is_ordinary)
        behind = [each for each in mentions if each.start >= joint.end() and not each.is_ordinary]
        are_two = before >= _LEAST and len(behind) >= _LEAST and _has_verb(claim, joint, mentions)
        if are_two and _opens_statement(claim, joint, behind[0]):
            shift = joint.end()
            rest = [
                replace(each, start=each.start - shift, end=each.end - shift)
                for each in mentions
                if each.start >= shift
            ]
            return (claim[: joint.start()].rstrip(" ,"), *split_claim(claim[shift:], rest))
    return (claim,)


def _has_verb(claim: str, joint: re.Match[str], mentions: Sequence[ClaimMention]) -> bool:
    words = _VERB.finditer(claim[: joint.start()])
    return any(not any(m.start <= word.start() < m.end for m in mentions) for word in words)


def _opens_statement(claim: str, joint: re.Match[str], first: ClaimMention) -> bool:
    """Whether what follows begins with what it is about, rather than with a verb."""
    between = claim[joint.end() : first.start].split()
    return not between or between[0].lower() in ("the", "a", "an")
