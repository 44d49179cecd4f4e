"""Question files, as training reads them: JSON lines, `.gz` or plain."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trellis.domain.errors import FileFormatError
from trellis.domain.graph import Step
from trellis.domain.reasons import with_reason
from trellis.linking.spans import occurrences

_WORD = re.compile(r"[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)?")
_MOST_WORDING = 4_000


@dataclass(frozen=True, slots=True)
class GoldPath:
    """A relation path that answers a question, from a topic by name."""

    topic: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what is known of it; `paths` meet where there are several."""

    id: str
    text: str
    topics: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    paths: tuple[GoldPath, ...] = ()
    cypher: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The topics, said or implied by the paths."""
        return tuple(dict.fromkeys((*self.topics, *(path.topic for path in self.paths))))


def read_questions(files: Sequence[Path]) -> list[Asked]:
    """All questions of the files; FileFormatError says the file and line of a bad one."""
    return [asked for file in files for asked in _file(file)]


def wording(questions: Iterable[Asked], least: int = 3) -> tuple[str, ...]:
    """Words that are the questions' own: said outside the topics, about at least `least` topics."""
    about: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    often: Counter[str] = Counter()
    for asked in questions:
        for word in set(words(outside(asked.text, asked.names))):
            often[word] += 1
            if len(about[word]) < least:
                about[word].add(asked.names)
    kept = [word for word, _ in often.most_common() if len(about[word]) >= least]
    return tuple(sorted(kept[:_MOST_WORDING]))


def words(text: str) -> list[str]:
    """The words of a text in lower case, without marks, digits and possessive endings."""
    return [word.lower() for word in _WORD.findall(text)]


def outside(text: str, names: Iterable[str]) -> str:
    """A text without the names it says."""
    for name in sorted(names, key=len, reverse=True):
        for span in occurrences(text, name)[:1]:
            text = f"{text[: span.start]} {text[span.end :]}"
    return text


def _file(file: Path) -> Iterator[Asked]:
    try:
        with (
            gzip.open(file, "rt", encoding="utf-8")
            if file.suffix == ".gz"
            else file.open(encoding="utf-8") as lines
        ):
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _asked(f"{file}, line {number}", line)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise FileFormatError(
            with_reason(f"{file} cannot be read", error), "name a JSON-lines file"
        ) from error


def _asked(where: str, line: str) -> Asked:
    try:
        row: Any = json.loads(line)
        return Asked(
            id=str(row.get("id", where)),
            text=str(row["question"]),
            topics=_texts(row.get("topics")),
            answers=_texts(row.get("answers")),
            paths=tuple(_path(path) for path in row.get("paths") or ()),
            cypher=_cypher(row.get("cypher")),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FileFormatError(
            with_reason(f"{where} is no question", error),
            'each line is a JSON object with "question", "topics", "answers", "paths"',
        ) from error


def _path(path: Any) -> GoldPath:
    return GoldPath(str(path["topic"]), tuple(Step.parse(r) for r in _texts(path["relations"])))


def _cypher(value: Any) -> str:
    if not isinstance(value, str | None):
        raise TypeError(f"expected a query, got {value!r}")
    return value or ""


def _texts(value: Any) -> tuple[str, ...]:
    if value is not None and not isinstance(value, list):
        raise TypeError(f"expected a list, got {value!r}")
    return tuple(map(str, value or ()))
