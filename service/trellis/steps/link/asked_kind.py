"""Asked kind: what sort of node a question asks for, by a label's name or by `who` and `when`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from trellis.domain.grammar_words import SHORT_MONTHS, match_words
from trellis.domain.graphs.graph import Node
from trellis.lexicon.asking import ASKING
from trellis.lexicon.label_kinds import is_agent, is_person, is_place
from trellis.linking.names.spans import Span
from trellis.steps.link.asked_noun import find_asked_noun
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

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


@dataclass(frozen=True, slots=True)
class AskedKind:
    """What sort of node is asked for: with one of some labels, or by `who`, `when` or `where`.
    `noun`: one for persons of some kind that no label is called by, which asks as `who` does."""

    words: SchemaVocabulary
    labels: frozenset[str] = frozenset()
    wh: str = ""
    noun: str = ""

    @property
    def is_by_who_alone(self) -> bool:
        """Whether `who` asks, without a noun: what labels are called may not tell agents."""
        return self.wh == "who" and not self.noun

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


def find_asking_word(question: str, words: SchemaVocabulary) -> str:
    """By which of `who`, `when` and `where` a question asks; empty where it asks by none of them,
    or by `who` over a graph in which no label is of persons."""
    asking = _ASKING_WH.match(question)
    wh = (asking[1] or asking[2] or "when").lower() if asking else ""
    return wh if wh != "who" or words.names_agents() else ""


def find_noun(
    question: str, names: Sequence[Span], find_meanings: Callable[[str], Collection[object]]
) -> str:
    """The question's first noun that means something, at its beginning or behind what it says
    before it asks; empty where there is none. `names`: the spans of names.

    The noun must stand alone: `country` in `which country code` is not what is asked for.
    """
    asking = ASKING.match(question) or _ASKING_LATER.search(question)
    return find_asked_noun(asking, names, find_meanings)
