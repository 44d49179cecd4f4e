"""Reads the TOML file that describes a user's graph; errors give the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from trellis.domain.errors import FileFormatError
from trellis.domain.graphs.graph_config import (
    ExamplePath,
    ExampleQuestion,
    GraphConfig,
    VectorSource,
)
from trellis.domain.reasons import with_reason

_Names = dict[str, tuple[str, ...]]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=False)


class _SynonymsSection(_Section):
    labels: _Names = Field(default_factory=dict)
    relations: _Names = Field(default_factory=dict)
    properties: _Names = Field(default_factory=dict)


class _HiddenSection(_Section):
    labels: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()


class _VectorSection(_Section):
    model: str = Field(min_length=1)
    property: str = Field(min_length=1)

    def as_source(self) -> VectorSource:
        return VectorSource(self.model, self.property)


class _PathSection(_Section):
    topic: str = Field(min_length=1)
    relations: tuple[str, ...] = Field(min_length=1)

    def as_path(self) -> ExamplePath:
        return ExamplePath(self.topic, self.relations)


class _ExampleSection(_Section):
    question: str = Field(min_length=1)
    cypher: str | None = Field(None, min_length=1)
    topics: tuple[str, ...] = ()
    answers: tuple[str | int | float, ...] | None = None
    paths: tuple[_PathSection, ...] = ()

    def as_example(self) -> ExampleQuestion:
        answers = None if self.answers is None else tuple(map(str, self.answers))
        paths = tuple(path.as_path() for path in self.paths)
        return ExampleQuestion(self.question, self.cypher, self.topics, answers, paths)


class _ConfigFile(_Section):
    naming: dict[str, str] = Field(default_factory=dict)
    synonyms: _SynonymsSection = Field(default_factory=_SynonymsSection)
    hidden: _HiddenSection = Field(default_factory=_HiddenSection)
    examples: tuple[_ExampleSection, ...] = ()
    prompts: dict[str, str] = Field(default_factory=dict)
    vectors: dict[str, _VectorSection] = Field(default_factory=dict)


def read_graph_config(path: Path | None) -> GraphConfig:
    """The file's content; an empty configuration if `path` is None.

    Raises FileFormatError, which gives the file, the line and the remedy.
    """
    if path is None:
        return GraphConfig()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(
            with_reason(f"{path} cannot be read", error), "set TRELLIS_GRAPH_CONFIG"
        ) from error
    try:
        return _build_config(_ConfigFile.model_validate(tomllib.loads(text)))
    except tomllib.TOMLDecodeError as error:
        raise FileFormatError(f"{path} is no TOML: {error}", "correct that line") from error
    except ValidationError as error:
        raise _locate_error(path, text, error) from error


def _build_config(file: _ConfigFile) -> GraphConfig:
    return GraphConfig(
        naming=file.naming,
        labels=file.synonyms.labels,
        relations=file.synonyms.relations,
        properties=file.synonyms.properties,
        hidden_labels=file.hidden.labels,
        hidden_relations=file.hidden.relations,
        hidden_properties=file.hidden.properties,
        examples=tuple(example.as_example() for example in file.examples),
        prompts=file.prompts,
        vectors={name: section.as_source() for name, section in file.vectors.items()},
    )


def _locate_error(path: Path, text: str, error: ValidationError) -> FileFormatError:
    first = error.errors()[0]
    key_path = tuple(part for part in first["loc"])
    line = _find_line(text, key_path)
    name = ".".join(map(str, key_path))
    wrong = f"{path}, line {line}: {name}: {first['msg']}"
    return FileFormatError(
        wrong, _REMEDIES.get(first["type"], "docs/own-graph.md describes the format")
    )


_REMEDIES: Mapping[str, str] = {
    "extra_forbidden": "known are naming, synonyms.labels|relations|properties, "
    "hidden.labels|relations|properties, prompts by task, vectors by index (each with model and "
    "property), and examples with question, cypher, topics, answers and paths (each with topic and "
    "relations)",
    "tuple_type": 'write a list of texts: ["one", "two"]',
    "string_type": 'write a text: "…"',
}


def _find_line(text: str, key_path: tuple[Any, ...]) -> int:
    """The line of a key, from 1: finds the header of its table first, then the key below it."""
    lines, at = text.splitlines(), 0
    for depth, part in enumerate(key_path):
        if isinstance(part, int):
            table = rf"\s*\[\[\s*{re.escape(str(key_path[depth - 1]))}\s*\]\]"
            headers = [i for i, line in enumerate(lines) if re.match(table, line)]
            at = headers[part] if part < len(headers) else at
            continue
        key = rf"[\"']?{re.escape(part)}[\"']?"
        header = rf"\s*\[\[?\s*(?:[^\]]*\.\s*)?{key}\s*(?:\.[^\]]*)?\]" if depth < 2 else r"(?!)"
        matches = (
            i
            for i in range(at, len(lines))
            if re.match(rf"\s*(?:[\w\"'.]+\.)?{key}\s*[=.]", lines[i]) or re.match(header, lines[i])
        )
        at = next(matches, at)
    return at + 1
