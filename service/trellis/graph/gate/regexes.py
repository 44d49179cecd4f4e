"""Rules on regular expressions: Java's engine backtracks, and nothing stops a costly match."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trellis.domain.errors import RefusedQueryError

LONGEST = 200
"""The most characters of a pattern."""
MOST_OPEN = 3
"""The most repetitions of variable length, `?` not counted."""
MOST_CHOICES = 8
"""The most `|` and `?` together."""
MOST_STEPS = 100_000_000
"""The most steps of all regular expressions of a query for one row; half a second to two."""
MOST_REPEATED = 100
"""The largest bound of a `{n}`."""

_PART = re.compile(
    r"""
    (?P<escape>\\(?:[dDwWsSbBtnr]|[^A-Za-z0-9])) | (?P<class>\[\^?(?:[^\[\]\\^&]|\\.)+\])
    | (?P<flags>\(\?[iu]+\)) | (?P<open>\((?:\?:)?(?!\?)) | (?P<close>\))
    | (?P<repeat>(?:[*+?]|\{(?P<least>\d{1,3})(?P<comma>,)?(?P<most>\d{0,3})\})[?]?)
    | (?P<plain>[^\\\[\](){}*+?])
    """,
    re.VERBOSE | re.DOTALL,
)


def measure_regex(pattern: str, length: int) -> float:
    """The most steps, about, that a pattern takes on a text of so many characters.

    Each repetition without an end may begin and end anywhere, so that their numbers of ways are
    multiplied. Raises RefusedQueryError if a group that holds a repetition or a choice is repeated,
    and for back references and look-around.
    """
    opened = chosen = 0
    steps, bars = 1.0, [0]  # for each open group: how many `|` it holds
    nested = [False]  # for each open group: whether it holds a repetition or a choice
    closed = False  # the same for a group that ends just before this part
    for match in _split_pattern(pattern):
        if match["open"]:
            nested.append(False)
            bars.append(0)
        elif match["close"]:
            closed = nested.pop() if len(nested) > 1 else False
            steps *= 1 + (bars.pop() if len(bars) > 1 else 0)
            nested[-1] |= closed
            continue
        elif match["repeat"]:
            opened += _has_variable_length(match)
            chosen += match["repeat"][0] == "?"
            steps *= _count_lengths(match, length)
            if closed:
                raise _costly_error("repeats a group that repeats or chooses")
            nested[-1] = True
        elif match["plain"] == "|":
            chosen += 1
            bars[-1] += 1
            nested[-1] = True
        closed = False
    if opened > MOST_OPEN or chosen > MOST_CHOICES:
        raise _costly_error(f"has more than {MOST_OPEN} repetitions or {MOST_CHOICES} choices")
    return max(steps * (1 + bars[0]), length)


def _split_pattern(pattern: str) -> Iterator[re.Match[str]]:
    if len(pattern) > LONGEST:
        raise _costly_error(f"is longer than {LONGEST} characters")
    at = 0
    while at < len(pattern):
        match = _PART.match(pattern, at)
        if match is None:
            raise _costly_error(f"holds what is not known at {pattern[at : at + 10]!r}")
        at = match.end()
        yield match


def _has_variable_length(repeat: re.Match[str]) -> bool:
    """Whether a repetition, other than `?`, can match several lengths."""
    if repeat["least"] is None:
        return repeat["repeat"][0] != "?"
    if max(int(repeat["least"]), int(repeat["most"] or 0)) > MOST_REPEATED:
        raise _costly_error(f"repeats more than {MOST_REPEATED} times")
    return bool(repeat["comma"])


def _count_lengths(repeat: re.Match[str], length: int) -> int:
    """How many lengths a repetition can match in a text of `length` characters."""
    if repeat["least"] is None:
        return 2 if repeat["repeat"][0] == "?" else max(1, length)
    if repeat["comma"] and not repeat["most"]:
        return max(1, length)
    return max(1, int(repeat["most"] or repeat["least"]) - int(repeat["least"]) + 1)


def _costly_error(problem: str) -> RefusedQueryError:
    return RefusedQueryError(
        f"a regular expression {problem}",
        "use CONTAINS, STARTS WITH or ENDS WITH, or a simpler one",
    )
