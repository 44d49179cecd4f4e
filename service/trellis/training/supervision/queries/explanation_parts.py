"""The parts of an explanation, which bring the words of a question: what is returned, relationships
and filters."""

from __future__ import annotations

from trellis.automata.cypher.wording import split_name
from trellis.training.supervision.queries.pattern_trees import Candidate, Meaning, PatternTree

Part = tuple[str, ...]
"""A kind of part, and the names that it consists of."""

PART_KINDS = ("return", "order", "edge", "filter", "shape", "any")
SILENT_KINDS = ("shape",)  # parts that bring no words
_ANY: Part = ("any",)  # brings what any question says
_COUNTING = ("many", "number", "count")


def list_structure(candidate: Candidate) -> tuple[Part, ...]:
    """The parts of an explanation, from its root on."""
    return tuple(_list_parts(candidate))


def _list_parts(candidate: Candidate) -> list[Part]:
    head = candidate.head
    parts: list[Part] = [
        _ANY,
        ("shape", str(candidate.tree.size), head.form, "first" if head.order else "all"),
        ("return", head.form, candidate.tree.label, head.key),
    ]
    if head.order:
        parts.append(("order", head.order, "descending" if head.descending else "ascending"))
    return [*parts, *_list_tree_parts(candidate.tree)]


def _list_tree_parts(tree: PatternTree) -> list[Part]:
    parts: list[Part] = [_make_filter_part(meaning) for meaning in tree.meanings]
    for branch in tree.branches:
        parts.append(("edge", branch.type, branch.direction))
        parts += _list_tree_parts(branch.to)
    return parts


def _make_filter_part(meaning: Meaning) -> Part:
    return "filter", meaning.label, meaning.property, meaning.operator


def list_name_words(part: Part) -> tuple[str, ...]:
    """The words of a part's names: of labels, types and properties."""
    names = {"return": part[2:], "order": part[1:2], "edge": part[1:2], "filter": part[1:3]}
    words = split_name(" ".join(names.get(part[0], ()))).split()
    return (*words, *_COUNTING) if part[:2] == ("return", "count") else tuple(words)
