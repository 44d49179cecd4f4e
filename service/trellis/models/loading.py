"""A lock by which a process loads one model at a time.

While a model loads, transformers removes `tie_weights` from its base class and puts it back
afterwards. Two loads at once can remove it for good; every model with tied weights that is loaded
later then has an output layer of random numbers. The filter for warnings is global as well.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_TURN = threading.RLock()


def hide_progress_bars() -> None:
    """Have transformers load weights without telling how far it is."""
    with take_loading_turn():
        from transformers.utils import logging

    logging.disable_progress_bar()


@contextmanager
def take_loading_turn() -> Iterator[None]:
    """Hold the process's only turn to load weights, or to import what does it, and silence
    FutureWarnings meanwhile.

    peft uses a name that transformers deprecates.
    """
    with _TURN, warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield
