"""The kept figures of a small experiment still hold: nothing got worse beyond noise."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import experiment
from lab.compare import compare_results, find_beyond_noise
from lab.experiment import run_experiment
from lab.results import RESULTS, read_results

NAME, SUITE = "small-graphs", "football"


@pytest.mark.slow
def test_the_reader_answers_as_well_as_when_its_figures_were_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiment, "RESULTS", tmp_path)
    monkeypatch.delenv("TRELLIS_NEO4J_URI", raising=False)
    monkeypatch.setenv("TRELLIS_CACHE", str(tmp_path))
    run_experiment(NAME, [SUITE], [])
    kept, now = (read_results(of / f"{NAME}.jsonl") for of in (RESULTS, tmp_path))
    movements = compare_results(NAME, kept, now)
    assert sum(each.count for each in movements if each.where.endswith(", all")) > 70
    worse = [
        each.describe(chance)
        for each, chance in find_beyond_noise(movements)
        if each.after < each.before
    ]
    assert not worse
