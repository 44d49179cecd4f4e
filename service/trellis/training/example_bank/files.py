"""Examples on disk: what was made once is read the next time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from trellis.domain.models.prompt import NamedMention, Prompt, PromptExample
from trellis.models.folder import write_text

Examples = tuple[PromptExample, ...]

_VERSION = 2  # of what is kept


def build_key(*parts: object) -> str:
    """A short name for what examples were made of."""
    made_of = "\n".join(map(repr, (_VERSION, *parts)))
    return sha256(made_of.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def read_parts(path: Path) -> dict[str, Examples]:
    """The examples that a file keeps, by the key of what they were made of; none where it is not
    there, or cannot be read."""
    try:
        body = json.loads(path.read_text("utf-8"))
        return {str(key): tuple(map(_read_example, part)) for key, part in body.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def write_parts(path: Path, parts: Mapping[str, Sequence[PromptExample]]) -> None:
    """Keep examples by the key of what they were made of."""
    path.parent.mkdir(parents=True, exist_ok=True)
    body = {key: [asdict(example) for example in part] for key, part in parts.items()}
    write_text(path, json.dumps(body))


def _read_example(body: Mapping[str, Any]) -> PromptExample:
    prompt = body["prompt"]
    mentions = tuple(
        NamedMention(each["name"], each["text"], tuple(each["kinds"]))
        for each in prompt["mentions"]
    )
    sections = tuple((title, text) for title, text in prompt["sections"])
    asked = Prompt(prompt["task"], prompt["question"], prompt["cue"], sections, mentions)
    return PromptExample(asked, tuple(body["segments"]))
