"""Rules on a query's text: how it begins, what it calls, which names it may not use."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.errors import QuerySyntaxError, RefusedQueryError
from trellis.graph.database.names import is_reserved
from trellis.graph.gate.allowed import (
    BEFORE_BRACKETS,
    FIRST_WORDS,
    FORBIDDEN_WORDS,
    FUNCTIONS,
    PROCEDURES,
    REFUSED_FUNCTIONS,
)
from trellis.graph.gate.tokens import QueryToken


def check_text(tokens: Sequence[QueryToken]) -> None:
    """Raise RefusedQueryError if a text does more than read, or uses a reserved name.

    Raises QuerySyntaxError if it cannot be a query at all.
    """
    _check_beginning(tokens)
    for at, token in enumerate(tokens):
        if token.is_mark(";"):
            raise RefusedQueryError("there are several statements", "send one statement at a time")
        if token.is_symbol and is_reserved(token.text):
            raise RefusedQueryError(
                f"the name {token.text!r} is reserved", "use the names that /v1/schema shows"
            )
        if token.is_word("LOAD") and at + 1 < len(tokens) and tokens[at + 1].is_word("CSV"):
            raise RefusedQueryError("LOAD CSV reads files", "only read the graph")
        if token.is_word("CALL") and at + 1 < len(tokens) and tokens[at + 1].is_symbol:
            _check_procedure(_read_dotted_name(tokens, at + 1))
        elif token.is_mark("(") and at and tokens[at - 1].is_symbol:
            _check_function(tokens, at)


def read_called_name(tokens: Sequence[QueryToken], bracket: int) -> str:
    """The name before a `(`, in lower case: `` `apoc` . text . join `` gives `apoc.text.join`.

    The name begins with a dot if an expression stands before it.
    """
    parts = [tokens[bracket - 1].text]
    at = bracket - 2
    while at >= 0 and tokens[at].is_mark("."):
        parts.append(tokens[at - 1].text if at and tokens[at - 1].is_symbol else "")
        at -= 2
    return ".".join(reversed(parts)).lower()


def is_allowed_procedure(name: str) -> bool:
    return name.lower() in PROCEDURES or name.lower().startswith("trellis.")


def _check_beginning(tokens: Sequence[QueryToken]) -> None:
    if not tokens:
        raise QuerySyntaxError("the query is empty", "send one query, such as MATCH … RETURN …")
    first = tokens[0].text.upper() if tokens[0].kind == "word" else tokens[0].text
    if tokens[0].kind == "word" and first in FIRST_WORDS:
        return
    remedy = f"begin with one of {', '.join(sorted(FIRST_WORDS))}"
    if tokens[0].kind == "word" and first in FORBIDDEN_WORDS:
        raise RefusedQueryError(
            f"a query may not begin with {first}", f"{remedy}: only reading is allowed"
        )
    raise QuerySyntaxError(f"no query begins with {first[:40]!r}", remedy)


def _read_dotted_name(tokens: Sequence[QueryToken], at: int) -> str:
    """The dotted name that begins at a token."""
    name = tokens[at].text
    while at + 2 < len(tokens) and tokens[at + 1].is_mark(".") and tokens[at + 2].is_symbol:
        at += 2
        name = f"{name}.{tokens[at].text}"
    return name


def _check_procedure(name: str) -> None:
    if not is_allowed_procedure(name):
        raise RefusedQueryError(
            f"the procedure {name} is not allowed",
            "allowed are trellis.*, db.index.fulltext.query… and db.index.vector.query…",
        )


def _check_function(tokens: Sequence[QueryToken], bracket: int) -> None:
    """Raise RefusedQueryError if a function is not allowed, QuerySyntaxError if it is unknown.

    A name with dots may be anybody's; one without is Neo4j's own, or a keyword.
    """
    name = read_called_name(tokens, bracket)
    if name in FUNCTIONS or is_allowed_procedure(name):
        return
    if "." not in name and tokens[bracket - 1].is_word(*BEFORE_BRACKETS):
        return
    if "." not in name and _is_index_hint(tokens, bracket):
        return
    if tokens[bracket - 1].is_word(*FORBIDDEN_WORDS):
        raise RefusedQueryError(f"the query would {name.upper()}", "only read")
    if "." not in name and name not in REFUSED_FUNCTIONS:
        raise QuerySyntaxError(f"there is no function {name}", "is it spelt right?")
    raise RefusedQueryError(
        f"the function {name} is not allowed", "use functions that Neo4j itself has, and that read"
    )


def _is_index_hint(tokens: Sequence[QueryToken], bracket: int) -> bool:
    """Whether a bracket holds the properties of `USING INDEX n:City(name)`."""
    hinted = bracket >= 4 and tokens[bracket - 2].is_mark(":") and tokens[bracket - 3].is_symbol
    return hinted and tokens[bracket - 4].is_word("INDEX", "SEEK")
