"""A service that cannot start says why in one line, as every command does."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from trellis_command import TRELLIS


@pytest.mark.slow
def test_a_store_that_cannot_be_used_is_said_in_one_line(tmp_path: Path) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRELLIS_")}
    done = subprocess.run(
        [TRELLIS, "serve", "--port", "0", "--model", tmp_path / "none"],
        cwd=tmp_path,
        env={**clean, "TRELLIS_STORE_URL": "nonsense", "TRELLIS_NEO4J_URI": "bolt://127.0.0.1:1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1] == (
        "trellis: the store's address cannot be used (it is no address of a database); "
        "check TRELLIS_STORE_URL and run `trellis migrate`"
    )
