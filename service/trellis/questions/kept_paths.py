"""The paths of kept answers: which ones gave an answer, read from its candidates."""

from __future__ import annotations

import re
from typing import Any

from trellis.domain.graphs.graph import Step
from trellis.domain.identifiers import put_last_first

_START = re.compile(r"ENT([1-9]\d?) (?=->|<-)")
_ARROW = re.compile(r"(?: |^)(->|<-) ")


def find_answering_paths(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The paths of the likeliest candidate that gave all answers, as rows have them; none where
    the candidates are no paths."""
    count = body.get("total") or len(body.get("answers", ()))
    for candidate in body.get("candidates", ()) if count else ():
        if candidate.get("answers") == count:
            return _read_paths(candidate["text"].strip(), body.get("mentions", ()))
    return []


def _read_paths(sentence: str, mentions: Any) -> list[dict[str, Any]]:
    """The paths of a sentence of task `path`; none where it is another one."""
    paths = [_read_path(part, mentions) for part in sentence.split(" & ")]
    return [path for path in paths if path] if all(paths) else []


def _read_path(text: str, mentions: Any) -> dict[str, Any] | None:
    """A path from the node that a mention was linked to; None where it begins at none."""
    start = _START.match(text)
    number = int(start[1]) - 1 if start else len(mentions)
    links = mentions[number]["links"] if number < len(mentions) else ()
    if start is None or not links or not links[0]["id"]:
        return None
    _, *said = _ARROW.split(text[start.end() :])
    pairs = zip(said[::2], said[1::2], strict=True)
    steps = (Step(put_last_first(name), arrow == "<-") for arrow, name in pairs)
    return {"topic": links[0]["name"], "relations": list(map(str, steps))}
