"""The templates of prompts: one file for each task, and one for a question.

A template is plain text with places such as `{schema}`. Text that is put in a place is never read
as a template again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

from trellis.domain.errors import InputError

QUESTION = "question"
"""The name of the template of a user's turn; all others are named after their tasks."""

_PLACE = re.compile(r"\{(\w+)\}")
_PLACES = {
    QUESTION: frozenset(("question", "mentions")),
    "": frozenset(("schema", "schema_words", "relationships")),
}
_OTHER = "other"  # of tasks that have no template of their own


def fill_template(template: str, texts: Mapping[str, str]) -> str:
    """The template with a text in each place that `texts` names, without empty lines at its
    ends."""
    return _PLACE.sub(lambda place: texts.get(place[1], place[0]), template).strip()


def list_places(template: str) -> set[str]:
    """The names of a template's places."""
    return set(_PLACE.findall(template))


class Templates:
    """The templates: a graph's own, else those of the package.

    `own`: by name, those of a graph. Raises InputError where one has a place that does not exist.
    """

    def __init__(self, own: Mapping[str, str]) -> None:
        self._own = own
        for name, text in own.items():
            _check_places(name, text)

    def find_template(self, *names: str) -> str:
        """The template of the first name that has one: of the graph, else of the package; else that
        of any task."""
        own = [self._own[name] for name in names if name in self._own]
        packaged = (_read_template(name) for name in (*names, _OTHER))
        return own[0] if own else next(filter(None, packaged))


def _check_places(name: str, text: str) -> None:
    known = _PLACES.get(name, _PLACES[""])
    unknown = sorted(list_places(text) - known)
    if unknown:
        raise InputError(
            f"the prompt template {name!r} has a place {{{unknown[0]}}} that nothing is put in",
            f"it can have {', '.join(f'{{{place}}}' for place in sorted(known))}",
        )


@cache
def _read_template(name: str) -> str:
    """A template of the package; empty where there is none of that name."""
    folder = resources.files("trellis.prompting") / "templates"
    file = folder / f"{name}.txt"
    return file.read_text("utf-8") if file.is_file() else ""
