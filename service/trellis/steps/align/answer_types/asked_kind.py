"""Asked kind: whether what is found is of the kind that a question asks for.

What a path reaches answers `which suppliers are from Italy` only as far as it is a supplier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from trellis.domain.graphs.graph import Node
from trellis.domain.replies.reply import Finding
from trellis.steps.link.asked_kind import AskedKind
from trellis.steps.link.question_form import QuestionForm

_DIGIT = re.compile(r"\d")
_TIMES = re.compile(r"age|century|date|day|decade|era|month|period|season|time|year", re.IGNORECASE)
"""What labels of times have in their names."""


def explain_no_time(form: QuestionForm, nodes: Sequence[Node], reading: str) -> str:
    """Why answers are held back, for a note; empty where they are not: the question asks when, and
    no answer says any number. `When did she buy it` is not answered by what else was bought."""
    if form.asked_kind.wh != "when" or not nodes or any(map(_may_say_when, nodes)):
        return ""
    return f"the question asks when, and what was found is no time: {reading}"


def explain_other_kind(form: QuestionForm, nodes: Sequence[Node], reading: str) -> str:
    """Why answers are held back, for a note; empty where they are not: the question names the kind
    of thing that it asks for, and no answer is of that kind."""
    asked = form.asked_kind
    if not (asked.labels or asked.noun) or not nodes:
        return ""
    if any(asked.fits_labels(node.labels) for node in nodes):
        return ""
    kinds = " or ".join(sorted(asked.labels)) or asked.noun
    return f"the question asks for {kinds}, and what was found is none: {reading}"


def _may_say_when(node: Node) -> bool:
    """Whether the name of a node has a number, or its label is a kind of time."""
    return bool(_DIGIT.search(node.name)) or any(map(_TIMES.search, node.labels))


def keep_asked_kind(form: QuestionForm, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings, each with its nodes of the asked kind, if there are any. A node without a name,
    as of an event, is asked for by its label or counted: its id tells nobody anything."""
    needs_name = not (form.asked_kind.labels or form.count_words)
    return tuple(_keep_nodes(each, form.asked_kind, needs_name=needs_name) for each in findings)


def _keep_nodes(finding: Finding, asked: AskedKind, *, needs_name: bool) -> Finding:
    nodes = finding.nodes
    if not asked.is_open():
        nodes = tuple(found for found in nodes if asked.fits(found.node)) or nodes
    if needs_name:
        nodes = tuple(found for found in nodes if found.node.has_name)
    return replace(finding, nodes=nodes)
