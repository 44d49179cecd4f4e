"""What the driver reports, in terms of our error tree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from neo4j.exceptions import AuthError, ConfigurationError, DriverError, Neo4jError, TransientError

from trellis.domain.errors import (
    GraphError,
    GraphRightsError,
    GraphTimeoutError,
    GraphUnavailableError,
    NotIndexedError,
    PluginMissingError,
)
from trellis.domain.reasons import reason_of, with_reason

_REMEDY_PASSWORD = "set TRELLIS_NEO4J_USER and TRELLIS_NEO4J_PASSWORD"
_REMEDY_ADDRESS = "set TRELLIS_NEO4J_URI to bolt://HOST:PORT or neo4j://HOST:PORT (+s: encrypted)"
_REMEDY_DATABASE = "set TRELLIS_NEO4J_DATABASE to one that it has"
_FORBIDDEN = ("Forbidden", "ForbiddenOnReadOnlyDatabase", "WriteOnReadOnlyAccessDb", "NotALeader")
_REMEDY_RIGHTS = (
    "`trellis load` and `trellis index` write nodes, properties and indexes: run them as a user "
    "who may, on a server that takes writes; the service itself only reads"
)
_REMEDY_PLUGIN = "put trellis-procedures.jar into Neo4j's plugins folder, or run `trellis neo4j`"


@contextmanager
def translate_driver_errors(uri: str, timeout: float) -> Iterator[None]:
    """Raise errors of ours for those of the driver, the network and the clock."""
    try:
        yield
    except TimeoutError as error:
        raise _timeout_error(uri, timeout) from error
    except Neo4jError as error:
        raise _server_error(error, uri, timeout) from error
    except ConfigurationError as error:
        raise GraphUnavailableError(f"{uri} is no address of a Neo4j", _REMEDY_ADDRESS) from error
    except (DriverError, OSError, ValueError) as error:
        raise _unavailable_error(uri, error) from error


def _timeout_error(uri: str, timeout: float) -> GraphTimeoutError:
    return GraphTimeoutError(
        f"Neo4j at {uri} took longer than {timeout:g} s",
        "ask for less (fewer hops, fewer anchors), or raise TRELLIS_QUERY_TIMEOUT",
    )


def _unavailable_error(uri: str, error: Exception) -> GraphUnavailableError:
    return GraphUnavailableError(
        with_reason(f"Neo4j cannot be reached at {uri}", error),
        "is it running there (TRELLIS_NEO4J_URI)? Start one with `trellis neo4j`",
    )


def _server_error(error: Neo4jError, uri: str, timeout: float) -> GraphError:
    code, message = error.code or "", reason_of(error.message or str(error))
    if isinstance(error, AuthError):
        return GraphUnavailableError(
            f"Neo4j at {uri} refuses the user or password", _REMEDY_PASSWORD
        )
    if code.endswith("DatabaseNotFound"):
        return GraphError(f"Neo4j at {uri} has no such database ({message})", _REMEDY_DATABASE)
    if "TransactionTimedOut" in code:
        return _timeout_error(uri, timeout)
    if code.endswith("ProcedureNotFound"):
        return PluginMissingError(f"Neo4j at {uri} lacks a procedure ({message})", _REMEDY_PLUGIN)
    if code.rpartition(".")[2] in _FORBIDDEN:
        return GraphRightsError(f"Neo4j at {uri} refuses: {message}", _REMEDY_RIGHTS)
    if "schema index" in message:
        return NotIndexedError(f"the graph at {uri} is not indexed", "run `trellis index`")
    if isinstance(error, TransientError) or "DatabaseUnavailable" in code:
        return _unavailable_error(uri, error)
    return GraphError(f"Neo4j at {uri} failed: {message}", f"the server calls it {code}")
