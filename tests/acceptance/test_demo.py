"""The demo, from nothing to five answers, and again."""

from __future__ import annotations

from pathlib import Path

import pytest

from trellis_command import build_environment, call_trellis


@pytest.mark.slow
def test_the_demo_answers_five_questions_with_evidence_and_ends(tmp_path: Path) -> None:
    done = call_trellis(tmp_path, build_environment(), "demo", "--once", "--data", "demo")
    assert done.returncode == 0, done.stderr
    for told in (
        "Ecuador -HAS_HIGHEST_POINT-> Chimborazo",
        "Mombasa -IN_COUNTRY-> Kenya -HAS_CAPITAL-> Nairobi",
        "France -BORDERS-> Switzerland\n  Italy -BORDERS-> Switzerland\n",
        "Chile, Ecuador\n",  # those in South America that do not border Brazil, nor are Brazil
        "Nile -FLOWS_THROUGH-> ",
    ):
        assert told in done.stdout
    assert "/docs" in done.stdout
