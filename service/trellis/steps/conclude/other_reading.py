"""Other reading: what is given by one nearly as probable as that whose answers are given.

It is said apart, and is no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trellis.domain.replies.reply import Answer, Finding
from trellis.steps.conclude.reason import find_read_finding

_NEARLY = 0.5  # share of the given reading's probability from which another one is told
_MOST_NAMED = 3  # nodes


def tell_other_reading(
    answers: Sequence[Answer], findings: Sequence[Finding], readings: Mapping[str, str]
) -> str:
    """A note of what the most probable other finding gives that is not given; empty where there is
    none, or no answer. `readings`: what candidates say in plain English, by their texts."""
    if not answers:
        return ""
    read = find_read_finding(findings, answers[0].node)
    given = {answer.node.id for answer in answers}
    for finding in sorted(findings, key=lambda each: -each.probability):
        more = dict.fromkeys(it.node.name for it in finding.nodes if it.node.id not in given)
        reading = readings.get(finding.text.strip())
        is_near = finding.probability >= _NEARLY * read.probability
        if more and reading and is_near and finding.meaning != read.meaning:
            among = " among others" if len(more) > _MOST_NAMED else ""
            return f"another reading gives {', '.join([*more][:_MOST_NAMED])}{among}: {reading}"
    return ""
