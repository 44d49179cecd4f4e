"""Experiments as files: which questions are asked of which graphs, and in which ways.

A file of `lab/experiments` is TOML. Each suite is asked in each way:

    title = "One line for the table"
    differs = "what differs from the paper, one line"   # optional
    perturbed = true                                    # optional: names are changed
    by_kind = true                                      # optional: a second table, by kind
    seed = 1

    [[suite]]
    name = "films"
    graph = "tests/data/queries/films"                  # or $VARIABLE/…
    questions = ["tests/data/films/wording.jsonl"]
    every = 10                                          # optional: of each file every tenth
    limit = 30                                          # optional: of these so many
    training = "$TRELLIS_DATA/…/train.jsonl.gz"         # optional: for ways that train

    [[way]]
    name = "10 beams"
    method = "graphraft"                                # unset: auto
    model = "reader"                                    # unset: the model of the settings
    published = "GraphRAFT: 63.7"                       # optional: what the paper has
    settings = { width = 10 }                           # of `Settings`
    card = { path = { hops = 2 } }                      # of the model's tasks
    pipeline = { subgraphs = 1 }                        # fields of the method's pipeline
    unmasked = true                                     # the model writes freely, and is read
    train = ["--task", "path"]                          # of `trellis train`, beside a model if any
    answers_alone = true                                # no paths and queries of what it trains on

An experiment of benchmarks has `bench = ["gsd"]` in place of suites and ways.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from trellis.domain.errors import FileFormatError, InputError

ROOT = Path(__file__).parents[1]
EXPERIMENTS = ROOT / "lab" / "experiments"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class Suite(_Part):
    """Questions about one graph; paths are of the repository, or begin with an environment
    variable."""

    name: str
    graph: str
    questions: tuple[str, ...] = Field(min_length=1)
    every: int = Field(1, ge=1)
    limit: int | None = Field(None, ge=1)
    training: str | None = None


class Way(_Part):
    """One way to answer: a method and a model, and what is set otherwise."""

    name: str
    method: str | None = None
    model: str | None = None
    published: str = ""
    settings: Mapping[str, Any] = {}
    card: Mapping[str, Mapping[str, Any]] = {}
    pipeline: Mapping[str, Any] = {}
    unmasked: bool = False
    train: tuple[str, ...] = ()
    answers_alone: bool = False


class Experiment(_Part):
    """Suites that are asked in ways, or parts of `trellis bench` that are measured."""

    name: str
    title: str
    differs: str = ""
    perturbed: bool = False
    by_kind: bool = False
    seed: int = 1
    suite: tuple[Suite, ...] = ()
    way: tuple[Way, ...] = ()
    bench: tuple[str, ...] = ()


def list_experiments() -> list[str]:
    """The names of all experiments, in order."""
    return sorted(path.stem for path in EXPERIMENTS.glob("*.toml"))


def read_experiment(name: str) -> Experiment:
    """The experiment of a name; InputError where there is none, FileFormatError where its file
    cannot be used."""
    path = EXPERIMENTS / f"{name}.toml"
    if name not in list_experiments():
        known = ", ".join(list_experiments())
        raise InputError(f"there is no experiment {name!r}", f"name one of: {known}")
    try:
        body = tomllib.loads(path.read_text(encoding="utf-8"))
        return Experiment.model_validate({**body, "name": name})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise FileFormatError(f"{path}: {where}: {first['msg']}", "see lab/plan.py") from error
    except ValueError as error:
        raise FileFormatError(f"{path} is no TOML: {error}", "correct that line") from error


def find_path(named: str) -> Path:
    """Where a suite's file or folder is; InputError where its environment variable is not set, or
    nothing is there."""
    first, _, rest = named.partition("/")
    if first.startswith("$"):
        folder = os.environ.get(first[1:])
        if not folder:
            raise InputError(f"{first[1:]} is not set", f"name the folder in which {rest} is")
        path = Path(folder) / rest
    else:
        path = ROOT / named
    if not path.exists():
        raise InputError(f"{path} is not there", "see the suites of lab/experiments")
    return path
