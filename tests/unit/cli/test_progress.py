"""Progress without a terminal: lines, with what there is to say beside the numbers."""

from __future__ import annotations

import pytest

from trellis.cli import progress


@pytest.fixture
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    monkeypatch.setattr(progress, "_FIRST", 0.0)


@pytest.mark.usefixtures("_no_waits")
def test_a_stage_says_how_far_it_came_and_its_note(capfd: pytest.CaptureFixture[str]) -> None:
    with progress.show_progress() as report:
        report("steps", 1, 3)
        report("steps", 2, 3, "loss 0.5, held out 0.6")
        report("steps", 3, 3)
    assert [" ".join(line.split()) for line in capfd.readouterr().err.splitlines()] == [
        "steps 1/3 0 s",
        "steps 2/3 0 s (about 0 s left), loss 0.5, held out 0.6",
        "steps 3/3 0 s, loss 0.5, held out 0.6",
    ]


@pytest.mark.parametrize(("first", "left"), [(0, "about 20 s left"), (900, "about 200 s left")])
def test_what_is_left_follows_from_what_was_done_since_the_stage_began(
    first: int, left: str
) -> None:
    done, seconds = first + 50 if first else 500, 100.0 if first else 20.0
    assert left in progress._estimate_left(seconds, first, done, 1_000 if not first else 1_050)


def test_a_stage_of_unknown_length_says_where_it_ended(capfd: pytest.CaptureFixture[str]) -> None:
    with progress.show_progress() as report:
        for done in range(1, 8):
            report("rows", done, None)
    assert [line.split()[:2] for line in capfd.readouterr().err.splitlines()] == [["rows", "7"]]


def test_a_stage_that_begins_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    with progress.show_progress() as report:
        report("lessons", 0, 3, "of task path")
        assert capfd.readouterr().err.split() == ["lessons", "0/3", "0", "s,", "of", "task", "path"]
        report("lessons", 1, 3)
        assert not capfd.readouterr().err
