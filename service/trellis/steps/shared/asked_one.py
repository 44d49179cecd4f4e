"""Asked one: `the capital of the Danube` asks for one of something that is named.

Several of what lies in between are no answer: the capitals of the countries that it flows through.
Nor is one where it is a thing's own: the capital of Greenland is not that of the state to which it
belongs, while the currency is; nor did Lake Baikal become independent, although its country did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trellis.domain.graph import PathQuery, Step
from trellis.domain.links import Mention
from trellis.lexicon.plurals import is_plural
from trellis.steps.shared.label_words import LabelWords
from trellis.steps.shared.mask_mentions import mask_mentions

_OF = re.compile(r"\b([a-z]+(?: [a-z]+){0,2}) of (?:the )?ENT\d+\b(?! ?['’])")
"""Up to three words that are said of a mention."""

_DOES = re.compile(
    r"\b(?:do|does|did|has|have|is|are|was|were) (?:the )?ENT\d+ ((?:[a-z]+ ){0,2}[a-z]+)"
)
"""Up to three words for what a mention does."""


@dataclass(frozen=True, slots=True)
class AskedOne:
    """What a question says of a mention by the singular `noun` of a relation, or by a verb, and the
    relationship types that it may name; `is_own`: whether what belongs to something never has it
    from that."""

    noun: str
    relations: frozenset[str]
    is_own: bool
    is_verb: bool = False

    def explain(self, count: int, reading: str) -> str:
        """Why that many answers, come to by way of something else, are none, for a note; empty
        where they may be."""
        if count > 1 and not self.is_verb:
            return (
                f"the question asks for one {self.noun}, and what was found are {count}: {reading}"
            )
        if count and self.is_own:
            asks = f"says “{self.noun}”" if self.is_verb else f"asks for the {self.noun}"
            return (
                f"the question {asks} of what it names, and what was found is that of something "
                f"else: {reading}"
            )
        return ""


def find_asked_ones(
    question: str, mentions: Sequence[Mention], words: LabelWords
) -> Iterator[AskedOne]:
    """The singular nouns of relations that a question says of a mention, and the verbs for what is
    a thing's own; none where some label does not say what a node is, as questions over triples say
    relations one behind the other."""
    if not words.tells_all_kinds():
        return
    text = mask_mentions(question, mentions)
    for asked in _OF.finditer(text):
        if noun := _find_relation_noun(asked[1], words):
            steps = words.find_steps(noun)
            relations = frozenset(step.relation for step in steps)
            yield AskedOne(noun, relations, any(map(words.is_own, steps)))
    for said in _DOES.finditer(text):
        for word in said[1].split():
            relations = words.find_relations(word)
            if relations and all(words.is_own(Step(each)) for each in relations):
                yield AskedOne(word, relations, is_own=True, is_verb=True)


def explain_bridged_path(
    question: str,
    mentions: Sequence[Mention],
    query: object,
    count: int,
    reading: str,
    words: LabelWords,
) -> str:
    """Why answers by a path are held back, for a note; empty where they are not: the question asks
    for one of something of what is named, and the path comes to that by way of something else."""
    if not isinstance(query, PathQuery):
        return ""
    for asked in find_asked_ones(question, mentions, words):
        places = [
            place
            for path in query.paths
            for place, step in enumerate(path.steps)
            if step.relation in asked.relations
        ]
        if places and 0 not in places and (reason := asked.explain(count, reading)):
            return reason
    return ""


def _find_relation_noun(text: str, words: LabelWords) -> str:
    """The longest singular noun at a text's end that names what relations lead to, and no label;
    empty where there is none."""
    said = text.split()
    ends = (" ".join(said[first:]) for first in range(len(said)))
    noun = next((each for each in ends if words.find_steps(each)), "")
    return "" if is_plural(noun) or words.find_labels(noun) else noun
