"""What a model of task `guidance` is asked: which entities a schema graph means.

Source: STEM, section 3.3 and appendix A.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class GuidanceQuery:
    """A schema graph, and where it is anchored.

    `triples` [t, 3, d]: for each triple the vectors of its head, relation and tail. `anchors`: the
    rows of a neighbourhood that its mentions are taken to mean.
    """

    triples: NDArray[np.float32]
    anchors: tuple[int, ...]
