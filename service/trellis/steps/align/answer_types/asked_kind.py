"""Asked kind: what sort of node a question asks for, by a label's name, `who` or `when`.

What a path reaches answers `which suppliers are from Italy` only as far as it is a supplier.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from trellis.domain.decoding import Sentence
from trellis.domain.graph import Node
from trellis.domain.links import Mention
from trellis.domain.reply import Finding
from trellis.lexicon.label_kinds import is_agent, is_person
from trellis.lexicon.plurals import is_plural
from trellis.linking.spans import FUNCTION_WORDS
from trellis.steps.align.unsaid_operators import find_name_spans
from trellis.steps.link.vocabulary.label_words import LabelWords

_OTHER_KIND = 0.1
"""Factor on the probability of a finding none of whose nodes is of the kind."""

_NONE_MEANT = 0.2
"""Share of what such findings lose that goes to no finding being meant."""

ASKING = re.compile(
    r"^\W*(?:(?:please |can you |could you )?(?:list|name|show(?: me)?|give me|tell me|find)"
    r"(?: me)?(?: all)?(?: of)?(?: the)?|(?:\w+ )?(?:which|what|how many)(?: of the| are the)?) ",
    re.IGNORECASE,
)
_ASKING_LATER = re.compile(
    r"[:;,.?!\u2013\u2014-]\W*(?:and )?(?:(?:at|by|for|from|in|of|on|to) )?(?:which|what) ",
    re.IGNORECASE,
)
_ASKING_WH = re.compile(
    r"^\W*(?:and )?(?:(?:(?:by|for|from|of|to|with) )?(who)m?|(where)|when"
    r"|(?:(?:in|on|by|since) )?(?:what|which) (?:year|date))\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d|(?:early |mid |late )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring"
    r"|summer|autumn|winter)[a-z]*\b.*\d",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_MOST_BEFORE = 2  # words that may stand before the noun: `which gold customers`


@dataclass(frozen=True, slots=True)
class AskedKind:
    """What sort of node is asked for: with one of some labels, or by `who`, `when` or `where`."""

    words: LabelWords
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
        """Whether a node with these labels may answer, where no date is asked for."""
        if self.labels:
            return not self.labels.isdisjoint(labels)
        if self.wh == "where":
            return not is_person(labels)
        return not self.words.is_named(labels) or is_agent(labels)


def find_asked_kind(question: str, mentions: Sequence[Mention], words: LabelWords) -> AskedKind:
    """What sort of node the question's first words ask for."""
    asking = _ASKING_WH.match(question)
    wh = (asking[1] or asking[2] or "when").lower() if asking else ""
    if wh in ("when", "where") or (wh and words.names_agents()):
        return AskedKind(words, wh=wh)
    return AskedKind(words, find_asked_labels(question, mentions, words))


def find_asked_labels(
    question: str, mentions: Sequence[Mention], words: LabelWords
) -> frozenset[str]:
    """The labels that the question's first noun names, at its beginning or behind what it says
    before it asks; empty where it names none.

    The noun must stand alone: `country` in `which country code` is not what is asked for.
    """
    asking = ASKING.match(question) or _ASKING_LATER.search(question)
    if asking is None:
        return frozenset()
    return words.find_labels(find_first_noun(question, asking.end(), mentions, words.find_labels))


def find_first_noun(
    question: str,
    start: int,
    mentions: Sequence[Mention],
    find_meanings: Callable[[str], Collection[object]],
) -> str:
    """The first noun from `start` on that stands alone and means something, in small letters; empty
    where there is none. `find_meanings`: what a noun means, if anything."""
    spans = find_name_spans(mentions)
    said = [
        match
        for match in _WORD.finditer(question, start)
        if not any(span.start <= match.start() < span.end for span in spans)
    ]
    for first in range(min(_MOST_BEFORE + 1, len(said))):
        if said[first].group().lower() in FUNCTION_WORDS:
            break
        if first and any(start <= span.start < said[first - 1].start() for span in spans):
            break  # the name is what is asked for: `which Sergeants investigated crimes`
        if first and is_plural(said[first - 1].group().lower()):  # a noun that means nothing here
            break
        for size in (3, 2, 1):
            those = said[first : first + size]
            noun = " ".join(match.group().lower() for match in those)
            if find_meanings(noun) and _stands_alone(noun, question[those[-1].end() :]):
                return noun
    return ""


def _stands_alone(noun: str, rest: str) -> bool:
    """Whether no further noun follows: a plural, or one before a word of grammar or a verb, and
    not one before a hyphen (`vehicle-related`)."""
    if rest.startswith("-"):
        return False
    following = _WORD.match(rest.lstrip())
    if following is None or is_plural(noun):
        return True
    word = following.group()
    return word.lower() in FUNCTION_WORDS or word.endswith(("ed", "ing")) or word[0].isupper()


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


def doubt_what_is_named(
    sentences: Sequence[Sentence],
    findings: Sequence[Finding],
    mentions: Sequence[Mention],
    words: LabelWords,
) -> tuple[list[Sentence], tuple[Finding, ...]]:
    """The sentences and their findings, most probable first: what reaches nothing but nodes that
    the question names, as by there and back, loses most of its probability.

    Where no label says what a node is, as in graphs of triples, questions are asked by relations
    alone, and a spouse's spouse is who is named.
    """
    linked = [link.target for m in mentions for link in m.links if isinstance(link.target, Node)]
    named = {node.id for node in linked if words.is_named(node.labels)}
    idle = [
        bool(finding.nodes) and all(found.node.id in named for found in finding.nodes)
        for finding in findings
    ]
    return reweigh_findings(
        sentences, findings, [_OTHER_KIND if is_idle else 1.0 for is_idle in idle]
    )


def reweigh_findings(
    sentences: Sequence[Sentence], findings: Sequence[Finding], weights: Sequence[float]
) -> tuple[list[Sentence], tuple[Finding, ...]]:
    """The sentences and their findings, most probable first, by weights in (0, 1].

    What some lose goes to the others, but for what goes to nothing being meant.
    """
    gain = measure_gain([finding.probability for finding in findings], weights)
    pairs = [
        (
            replace(sentence, score=sentence.score + math.log(weight * gain)),
            replace(finding, probability=finding.probability * weight * gain),
        )
        for sentence, finding, weight in zip(sentences, findings, weights, strict=True)
    ]
    pairs.sort(key=lambda pair: -pair[0].score)
    return [sentence for sentence, _ in pairs], tuple(finding for _, finding in pairs)


def measure_gain(chances: Sequence[float], weights: Sequence[float]) -> float:
    """The factor on weighed probabilities that gives back what the weights took, but for the share
    that goes to nothing being meant."""
    before = math.fsum(chances)
    after = math.fsum(chance * weight for chance, weight in zip(chances, weights, strict=True))
    return before / (after + _NONE_MEANT * (before - after)) if before else 1.0


def _keep_nodes(finding: Finding, asked: AskedKind) -> Finding:
    """The finding with its nodes of the asked kind, if there are any."""
    fitting = tuple(found for found in finding.nodes if asked.fits(found.node))
    return replace(finding, nodes=fitting) if fitting else finding


def _weigh_finding(finding: Finding, asked: AskedKind) -> float:
    is_other = finding.nodes and not asked.fits(finding.nodes[0].node)
    return _OTHER_KIND if is_other else 1.0
