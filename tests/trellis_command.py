"""`trellis` as a user runs it: a process of its own, with no settings but those of a graph."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TRELLIS = Path(sys.executable).with_name("trellis")


def make_environment() -> dict[str, str]:
    """The variables of this process without our settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TRELLIS_")}


def run_trellis(folder: Path, uri: str, *arguments: object) -> tuple[int, str]:
    """The exit code and what was said on stderr; `folder`: where it runs, with its own store."""
    store = f"sqlite+aiosqlite:///{folder}/answers.db"
    done = subprocess.run(
        [TRELLIS, *map(str, arguments)],
        cwd=folder,
        env={**make_environment(), "TRELLIS_NEO4J_URI": uri, "TRELLIS_STORE_URL": store},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stderr
