"""One model is loaded at a time.

While it loads, transformers takes `tie_weights` from its base class and puts back what it found:
two loads at once can leave it gone for good, and every tied model after them with an output layer
of random numbers. Warnings are hushed for the whole process too.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_TURN = threading.RLock()


@contextmanager
def loading() -> Iterator[None]:
    """The process's turn to load weights; peft's use of a name that transformers deprecates is not
    warned of."""
    with _TURN, warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield
