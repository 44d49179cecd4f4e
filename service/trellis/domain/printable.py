"""Texts from outside as people and models may read them: nothing in them acts, hides or forges.

Names of a graph hold whatever somebody wrote into it: colours for a terminal, marks that turn a
line round, newlines that begin one of their own. Where a text leaves for a terminal, a log or a
prompt, such characters are written as their escapes: `\\n`, `\\x1b`, `\\u202e`.
"""

from __future__ import annotations

import json
import re

_CONTROLS = (
    r"\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # they turn or shape what follows
    r"\u2028\u2029"  # line and paragraph separators
    r"\ufff9-\ufffb\U000e0000-\U000e007f"  # annotations and tags, which nobody sees
    r"\ud800-\udfff"  # halves of characters, which no encoding can write
)
_CONTROL = re.compile(f"[{_CONTROLS}]")
_CONTROL_IN_LINES = re.compile(f"(?!\\n)[{_CONTROLS}]")
_TEMPLATE_MARK = re.compile(r"<(?=[^\s\d=-])|\[(?=/?[A-Z_]+\])")
"""Begins what a chat template may take for a turn: `<|im_start|>`, `</s>`, `[INST]`; no arrow."""

_SHORT_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def escape_controls(text: str) -> str:
    """The text on one line, control characters as their escapes."""
    return _CONTROL.sub(_escape_control, text)


def escape_controls_in_lines(text: str) -> str:
    """The text, its newlines left as they are and all other control characters as escapes."""
    return _CONTROL_IN_LINES.sub(_escape_control, text)


def escape_json(text: str) -> str:
    """The same JSON, control characters in its strings as escapes."""
    return _CONTROL_IN_LINES.sub(_escape_in_json, text)


def quote_as_data(text: str) -> str:
    """A text as JSON on one line, for a prompt: it can pass for no role, turn or line of it."""
    quoted = escape_json(json.dumps(text, ensure_ascii=False))
    return _TEMPLATE_MARK.sub(_escape_in_json, quoted)


def _escape_control(match: re.Match[str]) -> str:
    code = ord(match[0])
    if short := _SHORT_ESCAPES.get(match[0]):
        return short
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return f"\\u{code:04x}" if code > 0xFF else f"\\x{code:02x}"


def _escape_in_json(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
