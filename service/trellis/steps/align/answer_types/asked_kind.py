"""Asked kind: what sort of node a question asks for, by a label's name, `who` or `when`.

What a path reaches answers `which suppliers are from Italy` only as far as it is a supplier.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from trellis.domain.decoding import Sentence
from trellis.domain.grammar_words import SHORT_MONTHS, match_words
from trellis.domain.graph import Node
from trellis.domain.links import Mention
from trellis.domain.reply import Finding
from trellis.lexicon.asking import ASKING
from trellis.lexicon.label_kinds import is_agent, is_person, is_place
from trellis.steps.align.answer_types.asked_noun import find_asked_noun
from trellis.steps.align.answer_types.reweigh_findings import reweigh_findings
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

_OTHER_KIND = 0.1
"""Factor on the probability of a finding none of whose nodes is of the kind."""

_ASKING_LATER = re.compile(
    r"[:;,.?!\u2013\u2014-]\W*(?:and )?(?:(?:at|by|for|from|in|of|on|to) )?(?:which|what) ",
    re.IGNORECASE,
)
_ASKING_WH = re.compile(
    r"^\W*(?:and )?(?:(?:(?:by|for|from|of|to|with) )?(who)m?|(where)"
    r"|(?:(?:since|till|until) )?when|(?:(?:in|on|by|since) )?(?:what|which) (?:year|date))\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"\d|(?:early |mid |late )?(?:{match_words(SHORT_MONTHS)}|spring"
    r"|summer|autumn|winter)[a-z]*\b.*\d",
    re.IGNORECASE,
)

_DIGIT = re.compile(r"\d")
_TIMES = re.compile(r"age|century|date|day|decade|era|month|period|season|time|year", re.IGNORECASE)
"""What labels of times have in their names."""


@dataclass(frozen=True, slots=True)
class AskedKind:
    """What sort of node is asked for: with one of some labels, or by `who`, `when` or `where`."""

    words: SchemaVocabulary
    labels: frozenset[str] = frozenset()
    wh: str = ""

    def is_open(self) -> bool:
        """Whether any node may answer."""
        return not self.labels and not self.wh

    def fits(self, node: Node) -> bool:
        if self.wh == "when":
            return bool(_DATE.match(node.name))
        return self.fits_labels(node.labels)

    def fits_labels(self, labels: Collection[str]) -> bool:
        """Whether a node with these labels may answer, where no date is asked for. `Where` asks for
        a place if the graph has some, or for what people make up, such as a company."""
        if self.labels:
            return not self.labels.isdisjoint(labels)
        if self.wh == "where" and (is_person(labels) or not self.words.names_places()):
            return not is_person(labels)
        if self.wh == "where" and is_place(labels):
            return True
        return not self.words.is_named(labels) or is_agent(labels)


def find_asked_kind(
    question: str, mentions: Sequence[Mention], words: SchemaVocabulary
) -> AskedKind:
    """What sort of node the question's first words ask for."""
    asking = _ASKING_WH.match(question)
    wh = (asking[1] or asking[2] or "when").lower() if asking else ""
    if wh in ("when", "where") or (wh and words.names_agents()):
        return AskedKind(words, wh=wh)
    return AskedKind(words, find_asked_labels(question, mentions, words))


def explain_no_time(
    question: str,
    mentions: Sequence[Mention],
    nodes: Sequence[Node],
    words: SchemaVocabulary,
    reading: str,
) -> str:
    """Why answers are held back, for a note; empty where they are not: the question asks when, and
    no answer says any number. `When did she buy it` is not answered by what else was bought."""
    asked = find_asked_kind(question, mentions, words)
    if asked.wh != "when" or not nodes or any(map(_may_say_when, nodes)):
        return ""
    return f"the question asks when, and what was found is no time: {reading}"


def explain_other_kind(
    question: str,
    mentions: Sequence[Mention],
    nodes: Sequence[Node],
    words: SchemaVocabulary,
    reading: str,
) -> str:
    """Why answers are held back, for a note; empty where they are not: the question names the kind
    of thing that it asks for, and no answer is of that kind."""
    labels = find_asked_kind(question, mentions, words).labels
    if not labels or not nodes or any(not labels.isdisjoint(node.labels) for node in nodes):
        return ""
    kinds = " or ".join(sorted(labels))
    return f"the question asks for {kinds}, and what was found is none: {reading}"


def _may_say_when(node: Node) -> bool:
    """Whether the name of a node has a number, or its label is a kind of time."""
    return bool(_DIGIT.search(node.name)) or any(map(_TIMES.search, node.labels))


def find_asked_labels(
    question: str, mentions: Sequence[Mention], words: SchemaVocabulary
) -> frozenset[str]:
    """The labels that the question's first noun names, at its beginning or behind what it says
    before it asks; empty where it names none.

    The noun must stand alone: `country` in `which country code` is not what is asked for.
    """
    asking = ASKING.match(question) or _ASKING_LATER.search(question)
    return words.find_labels(find_asked_noun(asking, mentions, words.find_labels))


def prefer_asked_kind(
    sentences: Sequence[Sentence], findings: Sequence[Finding], asked: AskedKind
) -> tuple[list[Sentence], tuple[Finding, ...]]:
    """The sentences and their findings, most probable first, with the nodes of the asked kind.

    A finding without such a node keeps its nodes, and loses most of its probability: to those that
    have some, but for what goes to no finding being meant. Unchanged where no kind is asked for.
    """
    if asked.is_open():
        return list(sentences), tuple(findings)
    kept = [_keep_nodes(finding, asked) for finding in findings]
    return reweigh_findings(sentences, kept, [_weigh_finding(each, asked) for each in kept])


def _keep_nodes(finding: Finding, asked: AskedKind) -> Finding:
    """The finding with its nodes of the asked kind, if there are any."""
    fitting = tuple(found for found in finding.nodes if asked.fits(found.node))
    return replace(finding, nodes=fitting) if fitting else finding


def _weigh_finding(finding: Finding, asked: AskedKind) -> float:
    is_other = finding.nodes and not asked.fits(finding.nodes[0].node)
    return _OTHER_KIND if is_other else 1.0
