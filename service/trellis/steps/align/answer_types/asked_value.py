"""Asked value: a question for a property or an amount, of which paths say nothing.

`What is the population of Lindau` is not answered by who lives there, however near that is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from trellis.domain.decoding import Sentence
from trellis.domain.links import Mention
from trellis.domain.reply import Finding
from trellis.lexicon.plurals import is_plural
from trellis.linking.numbers import find_numbers
from trellis.linking.units import find_unit_behind
from trellis.steps.align.answer_types.asked_noun import find_asked_noun
from trellis.steps.align.answer_types.reweigh_findings import reweigh_findings
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

_NO_VALUE = 0.02
"""Factor on the probability of a finding that is no number where a value is asked for."""

_ASKS_AMOUNT = re.compile(
    r"^\W*(?:and |by |for |at )?how (?:much|long|tall|high|old|far|big|large|deep|wide|heavy"
    r"|fast)\b",
    re.IGNORECASE,
)
_ASKS_COUNT = re.compile(
    r"\bhow (?:many|often)\b|\b(?:quantity|tally|total(?: number)?|count) of (?:the |all )?"
    r"(?!at\b)(?=[a-z])|^\W*(?:please )?count\b",
    re.IGNORECASE,
)
_ASKS_PEOPLE = re.compile(
    r"\bhow many (?:people|persons|inhabitants|residents|souls)\b", re.IGNORECASE
)
_NUMBER_OF = re.compile(r"\bthe (?:total )?number of (?:the |all |any )?(?=[a-z])", re.IGNORECASE)
_HOW_MUCH = re.compile(r"^\W*how much ", re.IGNORECASE)  # many people say so of what they count
_ASKS_NOUN = re.compile(
    r"^\W*(?:(?:(?:please |can you |could you )?(?:tell|give|show) me |i (?:need|want) "
    r"|(?:and )?what(?:['’]s| is| are| was| were) )?)"
    r"(?:the )?(?:(?P<before>[a-z][a-z -]*?) (?:of|for|in)\b"
    r"|.+['’]s? (?P<behind>[a-z][a-z -]*?)\W*$)",
    re.IGNORECASE,
)


def asks_amount(question: str) -> bool:
    """Whether a question asks for a number or a length of time, as by `how much`."""
    return bool(_ASKS_AMOUNT.match(question))


def asks_how_much(question: str) -> bool:
    """Whether a question begins by `how much`, which no year or day answers."""
    return bool(_HOW_MUCH.match(question))


def asks_count(question: str) -> bool:
    """Whether a question asks how many there are; of what paths reach, the nodes are counted."""
    return bool(_ASKS_COUNT.search(question))


def asks_measure(question: str) -> bool:
    """Whether a question asks for as many of a unit, as by `how many seconds`: a value has so many,
    and nothing is counted."""
    asking = _ASKS_COUNT.search(question)
    return asking is not None and bool(find_unit_behind(question, asking.end())[0])


def find_counted_labels(
    question: str, mentions: Sequence[Mention], words: SchemaVocabulary
) -> frozenset[str]:
    """The labels of what a question asks the number of; none where it asks for no number, or where
    no label is called so."""
    asking = _ASKS_COUNT.search(question)
    number = asking or _NUMBER_OF.search(question) or _HOW_MUCH.match(question)
    noun = find_asked_noun(number, mentions, words.find_meanings)
    is_counted = asking is not None or is_plural(noun)  # nobody counts `the number of the customer`
    return words.find_labels(noun) if is_counted else frozenset()


def explain_named_amount(question: str, mentions: Sequence[Mention], reading: str) -> str:
    """Why answers by paths are held back, for a note; empty where they are not: the question asks
    how many there are of one thing that it names, which is an amount and no number of things."""
    asking = _ASKS_COUNT.search(question)
    behind = question[asking.end() :].lstrip() if asking else ""
    named = [m.text for m in mentions if behind and m.start == len(question) - len(behind)]
    if not named:
        return ""
    return f"the question asks how many “{named[0]}”, an amount, which paths do not say: {reading}"


def asks_value(question: str, words: SchemaVocabulary) -> bool:
    """Whether a question asks for an amount, for so many of a unit, for a property that no relation
    is called by, or for how many people, where no node is a person."""
    asking = _ASKS_NOUN.match(question)
    noun = (asking["before"] or asking["behind"]) if asking else ""
    is_of_people = bool(_ASKS_PEOPLE.search(question)) and words.names_things_alone()
    is_amount = asks_amount(question) or asks_measure(question) or is_of_people
    return is_amount or noun.lower() in words.property_places


def doubt_other_than_values(
    sentences: Sequence[Sentence], findings: Sequence[Finding]
) -> tuple[list[Sentence], tuple[Finding, ...]]:
    """The sentences and their findings, most probable first, where a value is asked for.

    A finding whose first node is no number loses nearly all of its probability: to those that are
    one, but for what goes to no finding being meant.
    """
    weights = [_NO_VALUE if _is_other(finding) else 1.0 for finding in findings]
    return reweigh_findings(sentences, findings, weights)


def _is_other(finding: Finding) -> bool:
    """Whether a finding has nodes, the first of which is no number: its name begins with none."""
    if not finding.nodes:
        return False
    name = finding.nodes[0].node.name
    numbers = find_numbers(name)
    return not numbers or any(map(str.isalnum, name[: numbers[0].span.start]))
