"""Connections end on which no request comes, and those whose other end is gone without a word."""

from __future__ import annotations

import asyncio
import resource
import socket

from uvicorn.protocols.http.h11_impl import H11Protocol

_IDLE_SECONDS = 60  # after which the system asks the other end whether it is there
_ASKING_SECONDS = 15  # between two such questions
_QUESTIONS = 4  # without a reply, after which the connection is lost
_MOST_FILES = 65_536
_UNHEARD_SECONDS = 60  # for which what was sent may stay without a receipt


class PromptProtocol(H11Protocol):
    """HTTP over one connection, which is closed where the head of a request is not whole in time,
    or an answer is not read.

    `head_seconds`: from the connection's begin, or from the first byte after an answer.
    `reading_seconds`: that what was written may stay unread, some 64 KiB of it. Without these,
    whoever sends or reads a byte now and then, or none, would hold a file of the service, and an
    answer in its memory, for ever.
    """

    head_seconds = 30.0
    reading_seconds = 60.0
    _waiting: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._stop_counting_unread()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The transport calls this when its buffer is full."""
        super().pause_writing()
        self._unread = self.loop.call_later(self.reading_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """The transport calls this when its buffer has room again."""
        self._stop_counting_unread()
        super().resume_writing()

    def _stop_counting_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _watch_head(self) -> None:
        if not self._is_waiting_for_head():
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self.head_seconds, self._close_if_waiting)

    def _is_waiting_for_head(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _close_if_waiting(self) -> None:
        self._waiting = None
        if self._is_waiting_for_head() and not self.transport.is_closing():
            self.transport.close()


def notice_lost_peers(listening: socket.socket) -> None:
    """Have the system end connections of this socket whose other end vanished: a machine that
    failed, or a network that forgot them. Each connection inherits it."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    options = {
        "TCP_KEEPIDLE": _IDLE_SECONDS,
        "TCP_KEEPINTVL": _ASKING_SECONDS,
        "TCP_KEEPCNT": _QUESTIONS,
        "TCP_USER_TIMEOUT": _UNHEARD_SECONDS * 1_000,
    }
    for name, value in options.items():
        if (option := getattr(socket, name, None)) is not None:  # not every system has each
            listening.setsockopt(socket.IPPROTO_TCP, option, value)


def allow_many_connections() -> None:
    """Let this process open as many files as the system allows it, where less is its own choice:
    each connection is one, and 1,024 are what a shell often begins with."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
