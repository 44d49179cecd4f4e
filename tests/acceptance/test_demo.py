"""The demo, from nothing to five answers, and again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TRELLIS = Path(sys.executable).with_name("trellis")


@pytest.mark.slow
def test_the_demo_answers_five_questions_with_evidence_and_ends(tmp_path: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TRELLIS_")}
    done = subprocess.run(
        [TRELLIS, "demo", "--once", "--data", tmp_path / "demo"],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
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
