"""Which answers change where a rule is switched off: `python -m lab.ablation FILE… --out F`."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from lab.judging import judge_outcome
from lab.recording import Recording
from lab.rules import RULES, Rule
from trellis.app.trellis_app import TrellisApp
from trellis.cli.models.suites import ask_suite
from trellis.cli.opening import open_app
from trellis.domain.replies.question import Topics
from trellis.evaluation.suite import read_suite
from trellis.graphs_file import read_settings
from trellis.questions.row import QuestionRow
from trellis.wiring.assemble import assemble_app


async def _ask(
    trellis_app: TrellisApp, questions: Sequence[QuestionRow], method: str, rules: Sequence[Rule]
) -> dict[str, str]:
    topics: Topics = "linked"
    with ExitStack() as stack:
        for rule in rules:
            stack.enter_context(rule.switch_off())
        outcomes = await ask_suite(trellis_app, questions, method, topics, lambda *_: None)
    return {each.gold.id: judge_outcome(each) for each in outcomes}


async def _measure(
    files: Sequence[Path],
    method: str,
    model: str | None,
    groups: Sequence[Sequence[Rule]],
    out: Path,
    kept: Path | None,
    heard: Recording | None,
) -> None:
    questions = [row for file in files for row in read_suite(file, None, None)]
    settings = read_settings().model_copy(update={"trie_cache": 0})
    recording, is_kept = heard or Recording(), heard is not None
    opening = assemble_app(settings, model) if is_kept else open_app(settings, model)
    async with opening as opened:
        trellis_app = recording.remember_app(opened)
        began = time.perf_counter()
        base = await _ask(trellis_app, questions, method, ())
        if kept and not is_kept:
            recording.write(kept)
        typer.echo(f"recorded {Counter(base.values())} in {time.perf_counter() - began:.0f} s")
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"rule": "", "model": model, "base": base}) + "\n")
            for rules in groups:
                began, before = time.perf_counter(), recording.heard
                found = await _ask(trellis_app, questions, method, rules)
                moved = {
                    each: f"{base[each]} → {found[each]}"
                    for each in base
                    if base[each] != found[each]
                }
                name = ", ".join(rule.name for rule in rules) or "nothing"
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
    rule: Annotated[list[str] | None, typer.Option(help="Names of rules, by commas.")] = None,
    recording: Annotated[Path | None, typer.Option()] = None,
) -> None:
    """Ask the questions of FILES once, and again without each rule in turn; with --rule, without
    the rules that each of these names, together."""
    kept = Recording.read(recording) if recording and recording.exists() else None
    groups = [_find_rules(names) for names in rule] if rule else [(), *((one,) for one in RULES)]
    asyncio.run(_measure(files, method, model, groups, out, recording, kept))


def _find_rules(names: str) -> tuple[Rule, ...]:
    by_name = {each.name: each for each in RULES}
    if unknown := sorted(set(names.split(",")) - by_name.keys()):
        raise typer.BadParameter(f"no rules: {', '.join(unknown)}; there are {', '.join(by_name)}")
    return tuple(by_name[name] for name in names.split(","))


if __name__ == "__main__":
    typer.run(main)
