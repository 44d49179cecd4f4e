"""Years: numbers of a question that say when, and are compared with times alone.

`Who won it in 2010` asks for no prize of 2010 coins, nor for who won exactly 2010 prizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from trellis.automata.cypher.words.property_types import NUMBERS, YEAR
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.graphs.schema import Schema
from trellis.lexicon.asking import WORD
from trellis.lexicon.plurals import is_plural
from trellis.lexicon.property_phrases import may_be_year
from trellis.linking.names.spans import Span
from trellis.linking.questions.moments import SAID_YEAR
from trellis.linking.values.units import find_unit_behind

_SAID = re.compile(
    r"\b(?:in|since|during|throughout|until|till|before|after|as of|the year)"
    rf" (?:early |mid |late )?{SAID_YEAR}",
    re.IGNORECASE,
)


def find_said_years(question: str) -> list[Span]:
    """Where a question says a year: `in 2010`, and not `in 2010 towns`."""
    return [
        Span(*said.span("year"))
        for said in _SAID.finditer(question)
        if not _counts(question, said.end())
    ]


def hold_to_times(question: str, mentions: Sequence[Mention], schema: Schema) -> Iterator[Mention]:
    """The mentions, the numbers of years as values of times alone; as they are where the graph has
    no times. A literal is of type YEAR then. What is called by a year, as a season is, stays.
    """
    years = {(span.start, span.end) for span in find_said_years(question)}
    if not years or not any(may_be_year(kind) for _, kind in schema.iterate_properties()):
        yield from mentions
        return
    for mention in mentions:
        if (mention.start, mention.end) not in years:
            yield mention
        elif links := tuple(_hold_links(mention.links, schema)):
            yield replace(mention, links=links)


def _hold_links(links: Sequence[Link], schema: Schema) -> Iterator[Link]:
    for link in links:
        stored = link.stored
        kind = schema.find_property(stored.label, stored.property)
        if stored.type in NUMBERS and stored.is_literal():
            yield replace(link, target=replace(stored, type=YEAR))
        elif stored.type not in NUMBERS or kind is None or may_be_year(kind):
            yield link


def _counts(question: str, end: int) -> bool:
    """Whether a number that ends there is of something: a unit or a plural stands behind it."""
    following = WORD.match(question[end:].lstrip())
    has_unit = bool(find_unit_behind(question, end)[0])
    return has_unit or (following is not None and is_plural(following.group().lower()))
