"""Whether two neighbourhoods are one and the same, field by field."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from trellis.domain.graphs.graph import Neighbourhood


def same(one: Neighbourhood, other: Neighbourhood) -> bool:
    """Equal values, and arrays of equal types."""
    pairs = [(getattr(one, f.name), getattr(other, f.name)) for f in fields(Neighbourhood)]
    return all(_same(a, b) for a, b in pairs)


def _same(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return type(one) is type(other) and one == other
