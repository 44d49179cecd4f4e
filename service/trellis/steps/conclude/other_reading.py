"""Other reading: what is given by one nearly as probable as that whose answers are given.

It is said apart, and is no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trellis.domain.reply import Answer, Finding

_NEARLY = 0.5  # share of the given reading's probability from which another one is told
_MOST_NAMED = 3  # nodes


def tell_other_reading(
    answers: Sequence[Answer], findings: Sequence[Finding], readings: Mapping[str, str]
) -> str:
    """A note of what the most probable other finding gives that is not given; empty where there is
    none, or no answer. `readings`: what candidates say in plain English, by their texts."""
    ranked = sorted(findings, key=lambda each: -each.probability)
    given = {answer.node.id for answer in answers}
    read = next((f for f in ranked if any(it.node.id in given for it in f.nodes)), None)
    if read is None:
        return ""
    for finding in ranked:
        more = dict.fromkeys(it.node.name for it in finding.nodes if it.node.id not in given)
        reading = readings.get(finding.text.strip())
        is_near = finding.probability >= _NEARLY * read.probability
        if more and reading and is_near and finding.meaning != read.meaning:
            among = " among others" if len(more) > _MOST_NAMED else ""
            return f"another reading gives {', '.join([*more][:_MOST_NAMED])}{among}: {reading}"
    return ""
