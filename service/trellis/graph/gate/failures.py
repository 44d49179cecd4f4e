"""What Neo4j says against a query of somebody else's, in terms of our error tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from neo4j.exceptions import Neo4jError

from trellis.domain.errors import QueryError, QuerySyntaxError, RefusedQueryError, TrellisError

_POSITION = re.compile(r"\s*\(line (\d+), column (\d+) \(offset: \d+\)\)")
_MEMORY = ("MemoryPool", "OutOfMemory", "TransactionMemoryLimit", "StackOverflow")


@contextmanager
def translate_query_errors(prefix: str = "") -> Iterator[None]:
    """Raise errors of ours for what is the query's own fault; others pass.

    As errors of ours they end a managed transaction, which would be tried again otherwise.
    `prefix`: what was put before the text, so that positions are those in the text.
    """
    try:
        yield
    except Neo4jError as error:
        if (ours := _convert_error(error, len(prefix))) is not None:
            raise ours from error
        raise


def _convert_error(error: Neo4jError, shift: int) -> TrellisError | None:
    code, message = error.code or "", _format_message(str(error.message or error), shift)
    if any(name in code for name in _MEMORY):
        return RefusedQueryError(
            "the query needs more memory than a transaction may have", "ask for less"
        )
    if code.endswith("Statement.AccessMode"):
        return RefusedQueryError(f"Neo4j refuses to do that in a read ({message})", "only read")
    if code.endswith("Statement.SyntaxError"):
        return QuerySyntaxError(f"the query does not parse: {message}", "write it as Cypher")
    if ".ClientError.Statement." in code or code.endswith("ProcedureCallFailed"):
        return QueryError(f"the query cannot be answered: {message}", "see what it says of values")
    if code.endswith("ProcedureNotFound"):
        return QueryError(f"there is no such procedure: {message}", "is it installed?")
    if code.endswith("Statement.ExecutionFailed"):
        return QueryError("the query broke off in Neo4j", "ask for less, or in another way")
    return None


def _format_message(message: str, shift: int) -> str:
    """The first line of a message, its position in the text as it was sent to us."""
    first = (message.strip() or "no reason given").splitlines()[0]

    def shift_position(match: re.Match[str]) -> str:
        line, column = int(match[1]), int(match[2])
        return f" (line {line}, column {max(1, column - shift * (line == 1))})"

    return _POSITION.sub(shift_position, first)
