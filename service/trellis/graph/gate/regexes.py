"""Which regular expressions are cheap: Java's engine backtracks, and nothing stops it."""

from __future__ import annotations

import re

from trellis.domain.errors import RefusedQueryError

LONGEST = 200
MOST_UNBOUNDED = 3
MOST_REPEATED = 100
"""What a `{n}` may say."""

_PART = re.compile(
    r"""
    (?P<escape>\\(?:[dDwWsSbBtnr]|[^A-Za-z0-9])) | (?P<class>\[\^?\]?(?:[^\[\]\\]|\\.)*\])
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
    if len(pattern) > LONGEST:
        raise _costly("is longer than " + str(LONGEST) + " characters")
    at = unbounded = 0
    nested = [False]  # of each open group: whether it repeats or chooses
    closed = False  # whether the group that just closed does
    while at < len(pattern):
        match = _PART.match(pattern, at)
        if match is None:
            raise _costly(f"holds what is not known at {pattern[at : at + 10]!r}")
        at = match.end()
        if match["open"]:
            nested.append(False)
        elif match["close"]:
            closed = nested.pop() if len(nested) > 1 else False
            nested[-1] |= closed
            continue
        elif match["repeat"]:
            unbounded += _is_unbounded(match)
            if closed:
                raise _costly("repeats a group that repeats or chooses")
            nested[-1] = True
        elif match["plain"] == "|":
            nested[-1] = True
        closed = False
    if unbounded > MOST_UNBOUNDED:
        raise _costly(f"has more than {MOST_UNBOUNDED} open repetitions")


def _is_unbounded(repeat: re.Match[str]) -> bool:
    if repeat["least"] is None:
        return repeat["repeat"][0] != "?"
    if max(int(repeat["least"]), int(repeat["most"] or 0)) > MOST_REPEATED:
        raise _costly(f"repeats more than {MOST_REPEATED} times")
    return bool(repeat["comma"]) and not repeat["most"]


def _costly(why: str) -> RefusedQueryError:
    return RefusedQueryError(
        f"a regular expression {why}", "use CONTAINS, STARTS WITH or ENDS WITH, or a simpler one"
    )
