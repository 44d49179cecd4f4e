"""Opening graph files: plain or gzip, UTF-8 with or without a byte-order mark."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, cast

from trellis.domain.errors import FileFormatError
from trellis.domain.reasons import with_reason


@contextmanager
def open_text(path: Path, newline: str | None = None) -> Iterator[TextIO]:
    """The file's text; raises FileFormatError for what cannot be opened, unpacked or decoded."""
    try:
        opener = gzip.open if path.suffix.lower() == ".gz" else open
        with cast(TextIO, opener(path, "rt", encoding="utf-8-sig", newline=newline)) as text:
            yield text
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"{path} is not UTF-8 ({error.reason} near byte {error.start} of a block)",
            "convert it, for example with iconv",
        ) from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FileFormatError(
            with_reason(f"{path} is a damaged gzip file", error), "pack it again"
        ) from error
    except OSError as error:
        raise FileFormatError(
            f"{path} cannot be read ({error.strerror or error})", "check the path"
        ) from error


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number (from 1) and text of every line that is not blank, without its line end."""
    with open_text(path, newline="\n") as text:
        for number, line in enumerate(text, start=1):
            if bare := line.rstrip("\r\n"):
                yield number, bare
