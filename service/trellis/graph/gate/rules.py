"""All rules on a text and its parameters, which are checked before Neo4j sees either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trellis.domain.errors import RefusedQueryError
from trellis.graph.gate.growth import check_growth
from trellis.graph.gate.nesting import check_nesting
from trellis.graph.gate.reserved import check_given_names
from trellis.graph.gate.sizes import bound_unwound
from trellis.graph.gate.texts import check_text
from trellis.graph.gate.tokens import QueryToken
from trellis.graph.gate.wholes import check_wholes

MOST_UNWOUND = 100_000
"""The most rows that the `UNWIND`s of a query may make of one."""


def check_rules(tokens: Sequence[QueryToken], params: Mapping[str, Any]) -> None:
    """Raise RefusedQueryError if a query does more than read, or may be beyond what Neo4j can
    stop; QuerySyntaxError if it cannot be a query at all."""
    check_nesting(tokens)
    check_text(tokens)
    check_given_names(tokens, params)
    check_wholes(tokens)
    check_growth(tokens, params)
    if (rows := bound_unwound(tokens, params)) > MOST_UNWOUND:
        raise RefusedQueryError(
            f"its UNWINDs make {rows:,} rows of one", f"make {MOST_UNWOUND:,} at most"
        )
