"""What Neo4j refuses, in terms of our errors."""

from __future__ import annotations

import pytest
from neo4j.exceptions import Neo4jError

from trellis.domain.errors import GraphRightsError
from trellis.graph.database.failures import translate_driver_errors


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "Neo.ClientError.Security.Forbidden",
            "Create index operation is not allowed for user 'reader' with roles [PUBLIC, reader].",
        ),
        (
            "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase",
            "No write operations are allowed on this database.",
        ),
        ("Neo.ClientError.Cluster.NotALeader", "No write operations are allowed on this server."),
    ],
)
def test_a_user_who_may_not_write_is_told_who_may(code: str, message: str) -> None:
    error = Neo4jError._hydrate_neo4j(code=code, message=message)
    with (
        pytest.raises(GraphRightsError, match=r"run them as a user who may") as told,
        translate_driver_errors("bolt://graph:7687", 20),
    ):
        raise error
    assert message.rstrip(".") in told.value.problem
