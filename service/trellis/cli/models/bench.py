"""`trellis bench`: the benchmarks, ours beside the reference figures.

This is the door to the laboratory, which stands beside `service` in a checkout.

An installed Trellis has no laboratory; there the command says where it is.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

from trellis.domain.errors import ServiceError

_CHECKOUT = Path(__file__).resolve().parents[4]


def open_laboratory(checkout: Path) -> Callable[..., None]:
    """The laboratory's command; the one that refuses where the folder is no checkout."""
    if not (checkout / "bench" / "command.py").is_file():
        return refuse_to_measure
    sys.path.insert(0, str(checkout))
    command: Callable[..., None] = importlib.import_module("bench.command").bench
    return command


def refuse_to_measure() -> None:
    """Measure the parts by themselves; in a checkout of the source alone."""
    raise ServiceError(
        "the benchmarks are not installed with trellis",
        "they are in its source: run `make bench` in a checkout (PART=gate: only that part)",
    )


bench = open_laboratory(_CHECKOUT)
CONTEXT = (  # the refusal takes whatever the laboratory would
    {"allow_extra_args": True, "ignore_unknown_options": True}
    if bench is refuse_to_measure
    else None
)
