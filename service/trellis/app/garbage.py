"""Keeps what lasts out of the collections of garbage."""

from __future__ import annotations

import gc


def spare_what_lasts() -> None:
    """Have collections of garbage pass over all that there is now, which is to last as long as the
    process: walking torch, models and a graph's schema would hold a question for .1 to .5 s, now
    and then."""
    gc.collect()
    gc.freeze()
