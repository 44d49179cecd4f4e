"""Which answers change where a rule is switched off: `python -m lab.ablation FILE… --out F`."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from lab.judging import judge_outcome
from lab.recording import Recording
from lab.rules import RULES, Rule
from trellis.cli.opening import open_house
from trellis.cli.suites import ask_suite
from trellis.domain.question import Topics
from trellis.evaluation.suite import read_suite
from trellis.graphs_file import read_settings
from trellis.house.house import TrellisApp
from trellis.questions.row import QuestionRow
from trellis.wiring import assemble_house


async def _ask(
    house: TrellisApp, questions: Sequence[QuestionRow], method: str, rule: Rule | None
) -> dict[str, str]:
    topics: Topics = "linked"
    with rule.switch_off() if rule else nullcontext():
        outcomes = await ask_suite(house, questions, method, topics, lambda *_: None)
    return {each.gold.id: judge_outcome(each) for each in outcomes}


async def _measure(
    files: Sequence[Path],
    method: str,
    model: str | None,
    names: Sequence[str],
    out: Path,
    kept: Path | None,
    heard: Recording | None,
) -> None:
    questions = [row for file in files for row in read_suite(file, None, None)]
    settings = read_settings().model_copy(update={"trie_cache": 0})
    recording, is_kept = heard or Recording(), heard is not None
    opening = assemble_house(settings, model) if is_kept else open_house(settings, model)
    async with opening as opened:
        house = recording.remember_house(opened)
        began = time.perf_counter()
        base = await _ask(house, questions, method, None)
        if kept and not is_kept:
            recording.write(kept)
        typer.echo(f"recorded {Counter(base.values())} in {time.perf_counter() - began:.0f} s")
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"rule": "", "model": model, "base": base}) + "\n")
            for rule in [None, *RULES]:
                if rule and names and rule.name not in names:
                    continue
                began, before = time.perf_counter(), recording.heard
                found = await _ask(house, questions, method, rule)
                moved = {
                    each: f"{base[each]} → {found[each]}"
                    for each in base
                    if base[each] != found[each]
                }
                name = rule.name if rule else "nothing"
                row = {"rule": name, "model": model, "files": [str(f) for f in files]}
                file.write(json.dumps({**row, "moved": moved}, ensure_ascii=False) + "\n")
                file.flush()
                typer.echo(
                    f"{name}: {dict(Counter(moved.values()))} in "
                    f"{time.perf_counter() - began:.0f} s, {recording.heard - before} asked anew"
                )


def main(
    files: Annotated[list[Path], typer.Argument()],
    out: Annotated[Path, typer.Option()],
    method: str = "auto",
    model: str | None = None,
    rule: Annotated[list[str] | None, typer.Option()] = None,
    recording: Annotated[Path | None, typer.Option()] = None,
) -> None:
    """Ask the questions of FILES once, and again without each rule in turn."""
    kept = Recording.read(recording) if recording and recording.exists() else None
    asyncio.run(_measure(files, method, model, rule or [], out, recording, kept))


if __name__ == "__main__":
    typer.run(main)
