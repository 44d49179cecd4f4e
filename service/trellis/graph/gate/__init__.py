"""The gate: whether a query that a model or a person wrote only reads, and is cheap enough to run.

    queries      the `Queries` port: the rules, then a READ transaction within limits
    tokens       reads a text as Neo4j does
    allowed      first words, functions, procedures and operators that are allowed
    rules        all rules on a text and its parameters, in turn
    nesting      rules on how deep a text is nested, and how long its chains are
    texts        rules on what a text begins with, calls and names
    reserved     rules on keys, labels and indexes that a text or a parameter gives
    wholes       rules on all properties of a node at once
    growth       rules on what a text makes out of nothing
    loops        rules on comprehensions, `reduce` and the like
    ranges       rules on ranges, which make numbers
    sizes        how large lists are, as a text shows
    calls        finds calls, brackets and arguments in a text
    regexes      which regular expressions are cheap
    parameters   rules on parameters
    plans        rules on the plan
    cells        rows without anything of ours
    failures     what Neo4j says against a query, as our errors

The rules allow what they know, and refuse whatever else a text or a plan holds. Used by wiring,
the service and the benchmarks; the rules do no I/O, `queries` does.
"""

from trellis.graph.gate.queries import Limits, Neo4jQueries

__all__ = ["Limits", "Neo4jQueries"]
