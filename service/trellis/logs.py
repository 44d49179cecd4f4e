"""Structured logs (structlog): one line for each request and each question, with the request's id.

Questions are private: unless `TRELLIS_LOG_QUESTIONS` is set, their text is replaced in every log
line, also in lines of other libraries and in error messages.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Sequence
from contextvars import ContextVar
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from trellis.domain.printable import escape_controls, escape_controls_in_lines, escape_json
from trellis.settings import Settings

_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]

log: structlog.stdlib.BoundLogger = structlog.wrap_logger(
    logging.getLogger("trellis.api"),
    processors=[
        structlog.stdlib.filter_by_level,
        *_SHARED,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    wrapper_class=structlog.stdlib.BoundLogger,
)

_SEVERAL_LINES = ("exception", "stack")
_CHATTY = ("aiosqlite", "alembic", "httpcore", "httpx", "neo4j", "openai", "sse_starlette")
STRUCK_TEXT = "[asked]"
_SHORTEST_STRUCK = 4  # characters; shorter texts occur in too many words to be replaced
_PRIVATE_TEXTS: ContextVar[tuple[str, ...]] = ContextVar("asked", default=())


def get_request_id() -> str:
    """The id of the current request; empty outside of one."""
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


def set_private_texts(*texts: str) -> None:
    """Have these texts of the current request replaced in logs."""
    _PRIVATE_TEXTS.set(
        tuple(sorted((t for t in texts if len(t) >= _SHORTEST_STRUCK), key=len, reverse=True))
    )


def configure_logging(settings: Settings, out: TextIO = sys.stderr) -> None:
    """Write all logs of this process to `out`, in the format that the settings name."""
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED, processors=_build_final_processors(settings, out.isatty())
        )
    )
    logging.basicConfig(handlers=[handler], level=settings.log_level.upper(), force=True)
    for chatty in _CHATTY:
        logging.getLogger(chatty).setLevel(logging.WARNING)


def _build_final_processors(settings: Settings, colors: bool) -> Sequence[Processor]:
    """The processors that turn an event into a line."""
    rendering: list[Processor] = [
        structlog.processors.JSONRenderer(ensure_ascii=False),
        lambda _, __, line: escape_json(str(line)),
    ]
    if settings.log_format == "console":
        plain = structlog.dev.plain_traceback
        console = structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain)
        rendering = [_escape_texts, console]
    return [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.format_exc_info,
        *([] if settings.log_questions else [_strike_private_texts]),
        *rendering,
    ]


def _escape_texts(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """The event with control characters of its texts as escapes; a traceback keeps its lines."""
    for key, value in event.items():
        if isinstance(value, str):
            escape = escape_controls_in_lines if key in _SEVERAL_LINES else escape_controls
            event[key] = escape(value)
    return event


def _strike_private_texts(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """The event with the private texts replaced, plain or escaped."""
    for text in _PRIVATE_TEXTS.get():
        for form in (text, repr(text)[1:-1], json.dumps(text)[1:-1]):
            for key, value in event.items():
                if isinstance(value, str):
                    event[key] = value.replace(form, STRUCK_TEXT)
    return event
