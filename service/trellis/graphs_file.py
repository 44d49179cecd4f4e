"""The graphs that one service serves, each with settings of its own, from a file (TOML or JSON)."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints, ValidationError

from trellis.domain.errors import FileFormatError, UnknownGraphError
from trellis.domain.reasons import with_reason
from trellis.models.finding import is_model_name
from trellis.settings import Settings

_GraphName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,62}$")]

OVERRIDES = frozenset(
    (
        *("query_timeout", "worker_url", "worker_timeout", "embedder"),
        *("trie_cache", "trie_age", "answer_cache"),
        *("shots", "rendering", "examples", "prompt_tokens"),
        *("decoder_url", "decoder_model", "decoder_timeout", "decoder_hops"),
        *("reasoner_url", "reasoner_model", "reasoner_timeout", "reasoner_tokens"),
        *("width", "diversity", "edge_budget", "grounded_hops", "answer_limit"),
        *("model_memory", "methods_at_once"),
        *("cypher_budget", "cypher_rows", "cypher_bytes", "cypher_length"),
        *("question_timeout", "token_budget", "question_limit", "concurrency", "waiting"),
    )
)
"""The settings that a graph may have of its own; the others are those of the whole service."""

_FORMAT = "docs/many-graphs.md describes the format"


class _GraphSection(BaseModel):
    """One graph. `password_variable`: the environment variable that holds the password."""

    model_config = ConfigDict(extra="forbid")

    uri: str = Field(min_length=1)
    database: str | None = Field(None, min_length=1)
    user: str = Field("neo4j", min_length=1)
    password_variable: str | None = Field(None, min_length=1)
    model: tuple[str, ...] | None = Field(None, min_length=1)
    config: str | None = Field(None, min_length=1)
    settings: dict[str, Any] = Field(default_factory=dict)


class _GraphsFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    default: str | None = None
    graphs: dict[_GraphName, _GraphSection] = Field(min_length=1)


def list_graph_settings(settings: Settings) -> Mapping[str, Settings]:
    """The settings of each graph by its name; the default graph comes first.

    Without a file there is one graph, that of the settings. Raises FileFormatError, which names the
    file, the graph and what is wrong.
    """
    if settings.graphs_file is None:
        return {settings.graph: settings}
    path = settings.graphs_file
    file = _read_file(path)
    default = file.default or next(iter(file.graphs))
    if default not in file.graphs:
        raise FileFormatError(
            f"{path}: the default graph {default!r} is not among the graphs",
            f"there are {', '.join(file.graphs)}",
        )
    names = [default, *(name for name in file.graphs if name != default)]
    return {name: _build_settings(settings, path, name, file.graphs[name]) for name in names}


def read_settings() -> Settings:
    """The settings of a command that works on one graph; errors as `select_graph`."""
    return select_graph(Settings())


def select_graph(settings: Settings) -> Settings:
    """The settings of the graph that TRELLIS_GRAPH names, else of the default one.

    UnknownGraphError where the file has no such graph; without a file there is one graph.
    """
    graphs = list_graph_settings(settings)
    default = next(iter(graphs))
    name = settings.graph if "graph" in settings.model_fields_set else default
    if name not in graphs:
        raise UnknownGraphError(
            f"{settings.graphs_file} has no graph {name!r}", f"it has {', '.join(graphs)}"
        )
    return graphs[name]


def _read_file(path: Path) -> _GraphsFile:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(
            with_reason(f"{path} cannot be read", error), "set TRELLIS_GRAPHS_FILE"
        ) from error
    try:
        read = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except ValueError as error:  # what both parsers raise, with line and column
        kind = "JSON" if path.suffix == ".json" else "TOML"
        raise FileFormatError(f"{path} is no {kind}: {error}", "correct that line") from error
    try:
        return _GraphsFile.model_validate(read)
    except ValidationError as error:
        raise FileFormatError(f"{path}: {_describe_first(error)}", _FORMAT) from error


def _build_settings(settings: Settings, path: Path, name: str, section: _GraphSection) -> Settings:
    """The service's settings with those of one graph; nothing of another Neo4j is left in them."""
    unknown = sorted(section.settings.keys() - OVERRIDES)
    if unknown:
        raise FileFormatError(
            f"{path}: graph {name!r} cannot have settings of its own for {', '.join(unknown)}",
            f"it can for {', '.join(sorted(OVERRIDES))}",
        )
    chosen = {
        **settings.model_dump(),
        **section.settings,
        "graph": name,
        "neo4j_uri": section.uri,
        "neo4j_database": section.database,
        "neo4j_user": section.user,
        "neo4j_password": _read_password(path, name, section.password_variable),
        "graph_config": section.config and path.parent / section.config,
    }
    if section.model is not None:
        chosen["model"] = ",".join(_resolve_folder(path, folder) for folder in section.model)
    try:
        return Settings(**chosen, _env_file=None)
    except ValidationError as error:
        wrong = f"{path}: graph {name!r}: {_describe_first(error)}"
        raise FileFormatError(wrong, "docs/settings.md describes the settings") from error


def _read_password(path: Path, name: str, variable: str | None) -> SecretStr:
    """The password in an environment variable; none where no variable is named."""
    if variable is None:
        return SecretStr("")
    if variable not in os.environ:
        raise FileFormatError(
            f"{path}: the password of graph {name!r} is to be in {variable}, which is not set",
            f"set {variable} in the service's environment",
        )
    return SecretStr(os.environ[variable])


def _resolve_folder(path: Path, folder: str) -> str:
    """A model's folder, seen from the file's own folder."""
    beside = path.parent / folder
    is_name = is_model_name(folder) and not beside.is_dir()
    return folder if is_name else str(beside)


def _describe_first(error: ValidationError) -> str:
    """Where the first thing that is wrong stands, and what is wrong with it."""
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg']}"
