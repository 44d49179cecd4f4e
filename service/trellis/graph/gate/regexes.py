"""Which regular expressions are cheap: Java's engine backtracks, and nothing stops it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trellis.domain.errors import RefusedQueryError

LONGEST = 200
MOST_OPEN = 3
"""Repetitions of more than one length, but `?`."""
MOST_CHOICES = 8
"""Places where there are two ways to go: `|` and `?`."""
MOST_REPEATED = 100
"""What a `{n}` may say."""

_PART = re.compile(
    r"""
    (?P<escape>\\(?:[dDwWsSbBtnr]|[^A-Za-z0-9])) | (?P<class>\[\^?(?:[^\[\]\\^&]|\\.)+\])
    | (?P<flags>\(\?[iu]+\)) | (?P<open>\((?:\?:)?(?!\?)) | (?P<close>\))
    | (?P<repeat>(?:[*+?]|\{(?P<least>\d{1,3})(?P<comma>,)?(?P<most>\d{0,3})\})[?]?)
    | (?P<plain>[^\\\[\](){}*+?])
    """,
    re.VERBOSE | re.DOTALL,
)


def check_regex(pattern: str) -> None:
    """Raise RefusedQueryError unless a pattern matches in polynomial time, of a small degree.

    Groups that hold a repetition or a choice may not be repeated, nor may what is behind them refer
    back; look-around is not known.
    """
    opened = chosen = 0
    nested = [False]  # of each open group: whether it repeats or chooses
    closed = False  # whether the group that just closed does
    for match in _parts(pattern):
        if match["open"]:
            nested.append(False)
        elif match["close"]:
            closed = nested.pop() if len(nested) > 1 else False
            nested[-1] |= closed
            continue
        elif match["repeat"]:
            opened += _is_open(match)
            chosen += match["repeat"][0] == "?"
            if closed:
                raise _costly("repeats a group that repeats or chooses")
            nested[-1] = True
        elif match["plain"] == "|":
            chosen += 1
            nested[-1] = True
        closed = False
    if opened > MOST_OPEN or chosen > MOST_CHOICES:
        raise _costly(f"has more than {MOST_OPEN} repetitions or {MOST_CHOICES} choices")


def _parts(pattern: str) -> Iterator[re.Match[str]]:
    if len(pattern) > LONGEST:
        raise _costly(f"is longer than {LONGEST} characters")
    at = 0
    while at < len(pattern):
        match = _PART.match(pattern, at)
        if match is None:
            raise _costly(f"holds what is not known at {pattern[at : at + 10]!r}")
        at = match.end()
        yield match


def _is_open(repeat: re.Match[str]) -> bool:
    """Whether it may take several lengths, `?` aside."""
    if repeat["least"] is None:
        return repeat["repeat"][0] != "?"
    if max(int(repeat["least"]), int(repeat["most"] or 0)) > MOST_REPEATED:
        raise _costly(f"repeats more than {MOST_REPEATED} times")
    return bool(repeat["comma"])


def _costly(why: str) -> RefusedQueryError:
    return RefusedQueryError(
        f"a regular expression {why}", "use CONTAINS, STARTS WITH or ENDS WITH, or a simpler one"
    )
