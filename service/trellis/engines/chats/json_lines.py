"""Sentences as JSON objects: how a chat asks for them, and how they are read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from trellis.automata.reader import Departure, SentenceReading
from trellis.domain.errors import InputError
from trellis.domain.printable import quote_as_data
from trellis.engines.chats.chat import JsonForm, LineReader, Message, UnreadableLine


class JsonReader:
    """Reads JSON objects as the sentences that they say, and any other text as it stands."""

    def __init__(self, form: JsonForm, reader: LineReader) -> None:
        self._form, self._reader = form, reader

    def read_text(self, text: str) -> SentenceReading[Any] | Departure:
        """What a text means; an object that says nothing here is unreadable, and why."""
        if not is_json_like(text):
            return self._reader.read_text(text)
        body = _find_object(text)
        if body is None:
            return _build_unreadable("it is no whole JSON object")
        try:
            sentence = self._form.read_object(body)
        except InputError as error:
            return _build_unreadable(error.problem)
        result = self._reader.read_text(sentence)
        if isinstance(result, Departure) and not isinstance(result, UnreadableLine):
            return _build_unreadable(f"{quote_as_data(sentence)} cannot be said")
        return result


def is_json_like(text: str) -> bool:
    """Whether a text is a JSON object, or was to be one; fences around it do not count."""
    return text.lstrip().startswith("{") or _find_object(text) is not None


def write_json_turns(turns: Sequence[Message], form: JsonForm) -> list[Message]:
    """A chat that asks for JSON: the instructions say how, and its examples are such objects."""
    told: list[Any] = [dict(turn) for turn in turns]
    if not told or told[0]["role"] != "system":
        told.insert(0, {"role": "system", "content": ""})
    told[0]["content"] = f"{told[0]['content']}\n\n{form.instructions}".strip()
    for turn in told:
        if turn["role"] == "assistant":
            turn["content"] = form.write_sentence(turn["content"])
    return told


def _find_object(text: str) -> Mapping[str, Any] | None:
    """The JSON object that a text has, whatever stands around it; None where it has none."""
    try:
        body = json.loads(text[text.find("{") : text.rfind("}") + 1])
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def _build_unreadable(reason: str) -> UnreadableLine:
    return UnreadableLine(0, "", 0, (), reason)
