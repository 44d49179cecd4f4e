"""Questions of a suite with their names changed: in case, by typos, shortened, by other names.

One question becomes up to one of each kind. A changed name that is another node's is left out,
because nobody could tell which one is meant.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from bench.database.linking import read_names
from bench.made.perturbations import CHANGES, GraphNames
from lab.questions import NO_ANSWER, LabQuestion
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.names import ALIASES, NAME, NAMED
from trellis.linking.text import name_key
from trellis.questions.row import QuestionRow

_TYPOS = ("insert", "delete", "swap", "replace")
_LITERAL = re.compile(r"'((?:[^'\\]|\\.)+)'|\"((?:[^\"\\]|\\.)+)\"")
_OTHER_NAMES = f"""
MATCH (n:{NAMED}) WHERE size(n.{ALIASES}) > 0
RETURN n.{NAME} AS name, n.{ALIASES} AS others ORDER BY name
"""
_ALIKE = 4
"""Characters from which on a name in a question is changed."""

Rename = Callable[[str, Random], str | None]


async def perturb_questions(
    questions: Sequence[LabQuestion], connection: GraphConnection, seed: int
) -> list[LabQuestion]:
    """The questions that name a node of the connected graph, once for each kind of change."""
    names = await read_names(connection)
    others = {key: other async for key, other in _read_other_names(connection)}
    return perturb_names(questions, names, others, seed)


def perturb_names(
    questions: Sequence[LabQuestion], names: GraphNames, others: Mapping[str, str], seed: int
) -> list[LabQuestion]:
    """The questions that say one of the names, once for each kind of change; all that are made of
    a question are one chain. `others`: another name by a name's key."""
    changes = _list_changes(names, others)
    return [
        changed
        for question in questions
        if question.kind != NO_ANSWER
        for changed in _perturb(question, names, changes, seed)
    ]


async def _read_other_names(connection: GraphConnection) -> AsyncIterator[tuple[str, str]]:
    async for row in connection.stream_rows(_OTHER_NAMES):
        yield name_key(row["name"]), row["others"][0]


def _list_changes(names: GraphNames, others: Mapping[str, str]) -> Mapping[str, Rename]:
    return {
        "as it stands": lambda name, _: name,
        "lower case": CHANGES["lower case"],
        "upper case": CHANGES["upper case"],
        "one typo": lambda name, random: CHANGES[random.choice(_TYPOS)](name, random),
        "two typos": CHANGES["two typos"],
        "partial name": lambda name, _: names.find_distinctive_word(name),
        "abbreviation": lambda name, _: abbreviate_name(name),
        "alias": lambda name, _: others.get(name_key(name)),
    }


def abbreviate_name(name: str) -> str | None:
    """`K. Reeves` of `Keanu Reeves`, `UAE` of `United Arab Emirates`; None of a single word."""
    words = [word for word in name.split() if word[0].isupper()]
    if len(words) < 2 or not all(word[0].isalpha() for word in words):
        return None
    if len(words) == 2:
        return f"{words[0][0]}. {words[1]}"
    return "".join(word[0] for word in words)


def _perturb(
    question: LabQuestion, names: GraphNames, changes: Mapping[str, Rename], seed: int
) -> Iterator[LabQuestion]:
    text, found = question.row.question, _find_name(question.row, names)
    if found is None:
        return
    name, start, end = found
    for kind, change in changes.items():
        random = Random(f"{seed} {kind} {question.row.id}")
        changed = change(name, random)
        if not changed or (changed == name and kind != "as it stands"):
            continue
        if names.is_another_name(changed, name):
            continue
        row = replace(
            question.row,
            id=f"{question.row.id}/{kind}",
            question=f"{text[:start]}{changed}{text[end:]}",
        )
        yield LabQuestion(row, kind, question.chain)


def _find_name(row: QuestionRow, names: GraphNames) -> tuple[str, int, int] | None:
    """The longest name of a node that gold is about and that the question says, and where."""
    literals = (single or double for single, double in _LITERAL.findall(row.cypher))
    said = [name for name in (*row.names, *literals) if names.find_ids(name)]
    for name in sorted(said, key=len, reverse=True):
        place = re.search(rf"\b{re.escape(name)}\b", row.question, re.IGNORECASE)
        if place and len(name) >= _ALIKE:
            return name, place.start(), place.end()
    return None
