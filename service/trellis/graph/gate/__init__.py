"""The gate: whether a query that a model or a person wrote only reads, and is cheap enough to run.

Plain rules without I/O, and `Neo4jQueries`, which asks the database for the plan and runs what may
be run. The rules allow what they know; whatever else a text or a plan holds is refused.
"""

from trellis.graph.gate.queries import Limits, Neo4jQueries

__all__ = ["Limits", "Neo4jQueries"]
