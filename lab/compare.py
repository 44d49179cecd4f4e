"""What moved beyond noise between two runs of the same experiments.

`python -m lab.compare BASE`, or `make lab COMPARE=BASE`. BASE is a folder of results, or a commit
whose `lab/results` the present ones are compared with; `base`: the last commit. Only questions that
both runs asked count. Ends with 1 where something got worse.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lab.intervals import compute_chance, correct_probabilities
from lab.plan import ROOT
from lab.results import (
    RESULTS,
    AskedQuestion,
    Result,
    find_key,
    list_asked,
    parse_results,
    read_results,
)
from trellis.domain.errors import InputError, TrellisError

_BEYOND_NOISE = 0.05
_ALL = "all"


@dataclass(frozen=True, slots=True)
class Movement:
    """How many questions of a suite, way and kind were right before and are now. `chance`: how
    probable such a difference is where nothing changed."""

    where: str
    count: int
    before: int
    after: int
    chance: float

    def describe(self, chance: float) -> str:
        """One line, with the chance corrected for all that was compared."""
        said = f"{self.where}: {self.before} → {self.after} of {self.count} right"
        return f"{said} (p {chance:.3f})"


def compare_results(name: str, before: Sequence[Result], after: Sequence[Result]) -> list[Movement]:
    """The movements of an experiment: of each suite and way, and of each kind of question."""
    earlier = {find_key(each): each for each in before if "questions" in each}
    return [
        movement
        for result in after
        if (old := earlier.get(find_key(result)))
        for movement in _compare_lines(name, old, result)
    ]


def _compare_lines(name: str, old: Result, new: Result) -> Iterator[Movement]:
    first = {each.id: each for each in list_asked(old)}
    pairs = [(first[each.id], each) for each in list_asked(new) if each.id in first]
    where = f"{name}, {new['suite']}, {new['way']}"
    for kind in [_ALL, *dict.fromkeys(each.kind for _, each in pairs)]:
        some = [pair for pair in pairs if kind in (_ALL, pair[1].kind)]
        if some:
            yield _measure_movement(f"{where}, {kind}", some, new["seed"])


def _measure_movement(
    where: str, pairs: Sequence[tuple[AskedQuestion, AskedQuestion]], seed: int
) -> Movement:
    before = [old.result == "right" for old, _ in pairs]
    after = [new.result == "right" for _, new in pairs]
    chance = compute_chance(before, after, [new.chain for _, new in pairs], seed)
    return Movement(where, len(pairs), sum(before), sum(after), chance)


def find_beyond_noise(movements: Sequence[Movement]) -> list[tuple[Movement, float]]:
    """The movements that chance hardly explains, each with its chance among all of them (Holm)."""
    corrected = correct_probabilities([each.chance for each in movements])
    pairs = zip(movements, corrected, strict=True)
    return [(each, chance) for each, chance in pairs if chance < _BEYOND_NOISE]


def read_base(base: str, name: str) -> list[Result]:
    """The results of an experiment in a folder or at a commit, none where it has none there;
    InputError where there is no such folder or commit."""
    if Path(base).is_dir():
        return read_results(Path(base) / f"{name}.jsonl")
    commit = "HEAD" if base == "base" else base
    if _run_git("rev-parse", "--verify", f"{commit}^{{commit}}") is None:
        raise InputError(f"{base} is no folder and no commit", "name one, or `base`")
    text = _run_git("show", f"{commit}:lab/results/{name}.jsonl") or ""
    return parse_results(text.splitlines(), f"{base}: {name}.jsonl")


def _run_git(*arguments: str) -> str | None:
    command = ["git", "-C", str(ROOT), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def main(
    base: Annotated[str, typer.Argument()] = "base",
    name: Annotated[str | None, typer.Option(help="Only this experiment.")] = None,
) -> None:
    """Say what moved since BASE beyond noise."""
    names = [name] if name else sorted(path.stem for path in RESULTS.glob("*.jsonl"))
    try:
        movements = [
            movement
            for each in names
            for movement in compare_results(
                each, read_base(base, each), read_results(RESULTS / f"{each}.jsonl")
            )
        ]
    except TrellisError as error:
        typer.echo(f"lab: {error}", err=True)
        raise typer.Exit(1) from error
    moved = find_beyond_noise(movements)
    for movement, chance in moved:
        typer.echo(movement.describe(chance))
    changed = sum(each.before != each.after for each in movements)
    typer.echo(f"of {len(movements)} figures {changed} changed, {len(moved)} beyond noise")
    if any(each.after < each.before for each, _ in moved):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
