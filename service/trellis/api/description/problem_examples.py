"""A problem for each status, as the service tells it: the examples of the description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trellis.domain import errors
from trellis.domain.errors import TrellisError
from trellis.http.problems import build_problem
from trellis.wire.problems import FieldProblem, Problem, describe_error

_PATH, _ID = "/v1/questions", "0f1e7c1a52d14f0f9d0c6f1f7a3b9f52"
_FIELD = "unknown field 'metod'; did you mean 'method'?"

_RAISED: tuple[TrellisError, ...] = (
    errors.KeyRequiredError(
        "this service asks for a key", "send it as the header `Authorization: Bearer trl_…`"
    ),
    errors.ScopeError(
        "this needs the scope `cypher`, and the key has `ask`",
        "ask with a key that has it (`trellis keys create --scope …`)",
    ),
    errors.NotKeptError("no answer of that id is kept", "see /v1/answers for those that are"),
    errors.NotAcceptableError(
        "image/png cannot be given here", "accept application/json or text/csv"
    ),
    errors.WrongTaskError(
        "no model does task 'cypher': ./model does 'path'",
        "train one with `trellis train --task cypher`, and name its folder in TRELLIS_MODEL",
    ),
    errors.UnsupportedMediaError(
        "the body is of type 'text/plain', and only JSON is read",
        "send it as Content-Type: application/json",
    ),
    errors.BusyError(
        "4 requests are being answered and 16 wait",
        "try again in a moment, or raise TRELLIS_CONCURRENCY or TRELLIS_WAITING",
    ),
    errors.ReasonerError("the reasoner failed (it answered 500)", "check TRELLIS_REASONER_URL"),
    errors.GraphUnavailableError(
        "Neo4j cannot be reached at bolt://127.0.0.1:7687", "start it, or set TRELLIS_NEO4J_URI"
    ),
    errors.OutOfTimeError(
        "the time budget of 60 s ended in step `decode`",
        "ask for less, or raise TRELLIS_QUESTION_TIMEOUT",
    ),
)


def build_unexpected_problem(instance: str, request_id: str) -> Problem:
    """The problem for an unforeseen error, none of whose details leave the service."""
    return build_problem(
        500,
        "an error that should not happen; the service goes on",
        "try again; the service's log has the details",
        instance,
        request_id,
    )


_BUILT = (
    build_problem(400, "the body is not JSON", "send one JSON object in UTF-8", _PATH, _ID),
    build_problem(
        413,
        "the body has more than 1,000,000 bytes",
        "send less, or raise TRELLIS_BODY_LIMIT",
        *(_PATH, _ID),
    ),
    build_problem(422, _FIELD, "send the fields that /docs describes", _PATH, _ID).model_copy(
        update={"errors": [FieldProblem(detail=_FIELD, pointer="#/metod")]}
    ),
    build_unexpected_problem(_PATH, _ID),
)

EXAMPLES: Mapping[int, dict[str, Any]] = {
    problem.status: problem.write_members()
    for problem in (*_BUILT, *(describe_error(it, _PATH, _ID) for it in _RAISED))
}
"""By status."""
