"""Why something outside failed, in a few words for a person: what a library says, cleaned.

Libraries paste addresses, error numbers, Python's notation and advice of their own into their
messages; ours say where and what to do themselves, and take from a library the reason alone.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator
from http import HTTPStatus

_NO_HOST = "the host's name has no address"
_NO_TLS = "it does not speak TLS as the address asks"
_NETWORK: tuple[tuple[type[BaseException], str], ...] = (
    (socket.gaierror, _NO_HOST),
    (ConnectionRefusedError, "nothing listens on that port"),
    (ssl.SSLError, _NO_TLS),
    (ConnectionError, "the connection broke off"),
    (TimeoutError, "there was no answer in time"),
)
_WORDS = (  # of libraries that keep what they came from to themselves
    (re.compile(r"name or service not known|nodename nor servname|name resolution"), _NO_HOST),
    (re.compile(r"all connection attempts failed"), "nothing listens on that port"),
    (re.compile(r"\[ssl\b|\bssl\b.*(version|record|certificate)"), _NO_TLS),
    (re.compile(r"connect to bolt service"), "what answers there does not speak Bolt"),
    (re.compile(r"can't load plugin: sqlalchemy"), "there is no such kind of database"),
    (re.compile(r"could not parse sqlalchemy url"), "it is no address of a database"),
)
_NUMBER = re.compile(r"^\[Errno -?\d+\]\s*")
_EMPTY = re.compile(
    r"(connection error|error|couldn't connect to .*|unable to retrieve routing information)$", re.I
)
_LONGEST = 200


def reason_of(error: BaseException | str) -> str:
    """The essential of an error on one line, without a full stop; empty where it says nothing."""
    if isinstance(error, str):
        return _clean(error)
    chain = list(_chain(error))
    for each in chain:
        for kind, words in _NETWORK:
            if isinstance(each, kind):
                return words
    return _status_reason(error) or next(filter(None, map(_own_reason, chain)), "")


def with_reason(problem: str, error: BaseException | str) -> str:
    """`problem`, and the error's reason in brackets where it gives one."""
    reason = reason_of(error)
    return f"{problem} ({reason})" if reason else problem


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error and what it came from; a database's own error comes before its library's."""
    rest: BaseException | None = error
    while rest is not None:
        original = getattr(rest, "orig", None)
        if isinstance(original, BaseException):
            yield original
        if isinstance(rest, BaseExceptionGroup):
            for part in rest.exceptions:
                yield from _chain(part)
        yield rest
        rest = rest.__cause__ or (None if rest.__suppress_context__ else rest.__context__)


def _status_reason(error: BaseException) -> str:
    """What an HTTP answer says: its status, and the message in its body."""
    status, body = getattr(error, "status_code", None), getattr(error, "body", None)
    if not isinstance(status, int):
        return ""
    known = status in HTTPStatus._value2member_map_
    words = f"it answered {status} {HTTPStatus(status).phrase if known else ''}".rstrip()
    message = body.get("message") if isinstance(body, dict) else None
    said = _clean(message) if isinstance(message, str) else ""
    return f"{words}: {said}" if said else words


def _own_reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return _clean(error.strerror)
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing" if error.args else ""
    if isinstance(error, ModuleNotFoundError):
        return f"the package {error.name} is not installed"
    return _clean(str(error))


def _clean(text: str) -> str:
    """The first line that says something, in words of ours where we have some; cut if long."""
    lines = (_NUMBER.sub("", " ".join(line.split())).rstrip(".:;, ") for line in text.splitlines())
    words = next((line for line in lines if line and not _EMPTY.match(line)), "")
    for pattern, ours in _WORDS:
        if pattern.search(words.lower()):
            return ours
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST].rstrip()}…"
