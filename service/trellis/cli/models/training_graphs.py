"""The graphs that `trellis train` learns from, and the files of questions about each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from trellis.domain.errors import UnknownGraphError
from trellis.graphs_file import list_graph_settings
from trellis.settings import Settings

_ALL = "all"


@dataclass(frozen=True, slots=True)
class ChosenGraph:
    """A graph of the settings; `name`: empty where it is the only one."""

    name: str
    settings: Settings
    questions: tuple[Path, ...]


def split_names(text: str) -> tuple[str, ...]:
    """The names of a comma-separated text."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def choose_graphs(
    settings: Settings, names: str | None, questions: Sequence[str]
) -> list[ChosenGraph]:
    """The graph of the settings, or those of `names`; UnknownGraphError where there is no such."""
    if names is None:
        return [ChosenGraph("", settings, tuple(map(Path, questions)))]
    known = list_graph_settings(settings)
    named = list(dict.fromkeys(split_names(names)))
    named = list(known) if named == [_ALL] else named
    unknown = [name for name in named if name not in known]
    if unknown or not named:
        where = settings.graphs_file or "the settings (TRELLIS_GRAPHS_FILE is not set)"
        raise UnknownGraphError(
            f"{where} has no graph {', '.join(map(repr, unknown)) or 'that --graphs names'}",
            f"it has {', '.join(known)}",
        )
    files = _sort_questions(questions, named)
    same = {"rendering": settings.rendering}
    return [ChosenGraph(name, known[name].model_copy(update=same), files[name]) for name in named]


def _sort_questions(
    questions: Sequence[str], names: Sequence[str]
) -> Mapping[str, tuple[Path, ...]]:
    """The files of each graph, of `NAME=FILE`; a usage error where a name is not among them."""
    files: dict[str, tuple[Path, ...]] = dict.fromkeys(names, ())
    for text in questions:
        name, sign, file = text.partition("=")
        if not sign or name not in files:
            raise typer.BadParameter(
                f"{text!r} does not say which graph it is about; write NAME=FILE, with one of: "
                f"{', '.join(names)}",
                param_hint="--questions",
            )
        files[name] = (*files[name], Path(file))
    return files
