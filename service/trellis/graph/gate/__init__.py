"""The gate: runs a query that a model or a person wrote if it only reads and is cheap enough.

The rules do no I/O: `texts` and `growth` check the text, which `tokens` splits, `regexes` its
regular expressions, `parameters` its parameters, `plans` its plan; `allowed` lists what they let
pass. The rules refuse everything that they do not know. `queries` has `Neo4jQueries`, which asks
the database for the plan and runs the query, `cells` converts its rows, `failures` its errors.
For `wiring`, `api` and benchmarks.
"""

from trellis.graph.gate.queries import Limits, Neo4jQueries

__all__ = ["Limits", "Neo4jQueries"]
