"""General confidence: how sure a query may be by a model that nobody judged.

Inside the language a model is sure of the nearest query even where the question means none. How
far its belief, and what the query leaves out, may be trusted is fitted on other models' answers
about other graphs (`deploy/general`), and there judged on each graph by the others.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from trellis.domain.models.card import Calibration

_FILE = "general_confidence.json"


@cache
def load_general_confidence() -> Calibration:
    """The calibration that Trellis comes with."""
    body = json.loads(resources.files(__package__).joinpath(_FILE).read_text("utf-8"))
    return Calibration(
        weights=body["weights"], abstain_below=body["abstain_below"], is_general=True
    )
