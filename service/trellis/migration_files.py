"""Where the migrations of the store and of the graph lie."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from trellis.domain.errors import ServiceError


def find_migrations(kind: Literal["store", "graph"]) -> Path:
    """The folder of one kind of migrations: of the checkout that holds this package, else of what
    its wheel installed, else of the working folder."""
    checkout, installed = Path(__file__).resolve().parents[2], Path(sys.prefix, "share", "trellis")
    for root in (checkout, installed, Path.cwd()):
        if (folder := root / "migrations" / kind).is_dir():
            return folder
    raise ServiceError(f"there is no folder migrations/{kind}", "run from the project's folder")
