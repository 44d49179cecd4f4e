"""The error tree is drawn where it is defined, whole and true."""

from __future__ import annotations

from trellis.domain import errors
from trellis.domain.errors import TrellisError


def draw_tree(kind: type[TrellisError], depth: int = 0) -> list[str]:
    """A class and those below it, a line each: indented by depth, with the HTTP status."""
    lines = [f"{'  ' * depth}{kind.__name__} {kind.status}"]
    for below in kind.__subclasses__():
        if below.__module__ == errors.__name__:
            lines += draw_tree(below, depth + 1)
    return lines


def read_drawing() -> list[str]:
    """The lines of the module's docstring that are indented, as `draw_tree` writes them."""
    drawn = [line[4:] for line in (errors.__doc__ or "").splitlines() if line.startswith("    ")]
    indents = [len(line) - len(line.lstrip()) for line in drawn]
    return [
        " " * indent + " ".join(line.split()) for indent, line in zip(indents, drawn, strict=True)
    ]


def test_the_drawing_of_the_error_tree_is_complete_and_true() -> None:
    assert read_drawing() == draw_tree(TrellisError)


def test_every_error_has_a_docstring_and_a_title() -> None:
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, TrellisError):
            assert kind.__doc__
            assert kind.title
