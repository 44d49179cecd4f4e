"""Results of experiments: a line of JSON for each suite and way, or for each figure of a bench."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from lab.intervals import measure_interval
from lab.judging import Judgement
from lab.plan import ROOT, Way
from lab.questions import NO_ANSWER
from trellis.domain.errors import FileFormatError

RESULTS = ROOT / "lab" / "results"
_PACKAGES = ("torch", "transformers", "neo4j", "numpy")

Result = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What became of one question; `first`: whether what was found first is right, held back or
    not; None where gold is known by a query alone."""

    id: str
    kind: str
    chain: str
    result: Judgement
    first: bool | None
    seconds: float


def summarise(questions: Sequence[AskedQuestion], seed: int) -> Result:
    """The figures of some questions: of those that have an answer `right`, `wrong` and `held` as
    counts, with the 95 % interval of the share of right ones; of the others how many were held."""
    asked = [each for each in questions if each.kind != NO_ANSWER]
    others = [each.result for each in questions if each.kind == NO_ANSWER]
    right = [each.result == "right" for each in asked]
    firsts = [each.first for each in asked if each.first is not None]
    low, high = measure_interval(right, [each.chain for each in asked], seed)
    seconds = [each.seconds for each in questions] or [0.0]
    return {
        "n": len(asked),
        "right": sum(right),
        "wrong": sum(each.result == "wrong" for each in asked),
        "held": sum(each.result == "held" for each in asked),
        "low": round(low, 4),
        "high": round(high, 4),
        "first_right": sum(firsts) if firsts else None,
        "first_of": len(firsts),
        "no_answer": len(others),
        "no_answer_held": others.count("right"),
        "p50": round(float(np.percentile(seconds, 50)), 3),
        "p95": round(float(np.percentile(seconds, 95)), 3),
    }


def build_result(
    experiment: str, suite: str, way: Way, questions: Sequence[AskedQuestion], seed: int
) -> Result:
    """The line of a suite that was asked in a way."""
    kinds = dict.fromkeys(each.kind for each in questions)
    by_kind = {kind: [each for each in questions if each.kind == kind] for kind in kinds}
    return {
        "experiment": experiment,
        "suite": suite,
        "way": way.name,
        "asked": way.model_dump(exclude={"name", "published"}, exclude_defaults=True),
        **describe_run(seed),
        "figures": summarise(questions, seed),
        "kinds": {kind: summarise(some, seed) for kind, some in by_kind.items()},
        "questions": [[*asdict(each).values()] for each in questions],
    }


def describe_run(seed: int) -> Result:
    """Where and with what something is measured, now."""
    versions = {name: version(name) for name in ("trellis", *_PACKAGES)}
    cores = len(os.sched_getaffinity(0))
    return {
        "seed": seed,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": _read_commit(),
        "versions": {"python": platform.python_version(), **versions},
        "machine": {"cores": cores, "load": round(os.getloadavg()[0], 1)},
    }


def _read_commit() -> str:
    """The last commit that changed what is measured."""
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%h", "--", "service"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def list_asked(result: Mapping[str, Any]) -> list[AskedQuestion]:
    """The questions of a line."""
    return [AskedQuestion(*each) for each in result["questions"]]


def read_results(path: Path) -> list[Result]:
    """The lines of a file of results, none where it is not there; FileFormatError names a line that
    cannot be used."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return parse_results(lines, str(path))


def parse_results(lines: Sequence[str], where: str) -> list[Result]:
    """The results in some lines; FileFormatError as of `read_results`."""
    results: list[Result] = []
    for number, line in enumerate(lines, 1):
        try:
            results.append(json.loads(line))
        except ValueError as error:
            raise FileFormatError(
                f"{where}:{number} is no JSON: {error}", "run the experiment again"
            ) from error
    return results


def keep_result(path: Path, result: Result, order: Sequence[tuple[str, str]]) -> None:
    """Write a line in place of the earlier one of the same suite and way; lines of `order` come in
    it, others are left out."""
    lines = {find_key(each): each for each in [*read_results(path), result]}
    text = "".join(
        json.dumps(lines[key], ensure_ascii=False) + "\n" for key in order if key in lines
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def find_key(result: Mapping[str, Any]) -> tuple[str, str]:
    """What tells a line from others of its experiment: suite and way."""
    return (str(result["suite"]), str(result["way"]))
