"""Asked one: `the capital of the Danube` asks for one of something that is named.

Several of what lies in between are no answer: the capitals of the countries that it flows through.
Nor is one where it is a thing's own: the capital of Greenland is not that of the state to which it
belongs, while the currency is; nor did Lake Baikal become independent, although its country did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from trellis.domain.graphs.graph import PathQuery, Step
from trellis.lexicon.plurals import is_plural
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

_OF = re.compile(r"\b([a-z]+(?: [a-z]+){0,2}) of (?:the )?ENT\d+\b(?! ?['’])")
"""Up to three words that are said of a mention."""

_DOES = re.compile(
    r"(?:[a-z]+ )?(?:which|what|where|whom?)(?: [a-z]+){0,3} (?:do|does|did) (?:the )?ENT\d+ "
    r"([a-z]+(?: [a-z]+){0,3})\W*"
)
"""A question for what a mention does, and what that is."""

_IS_AT = re.compile(
    r"(?:[a-z]+ )?(?:which|what) ([a-z]+(?: [a-z]+)?) (?:is|are|was|were) (?:the )?ENT\d+ "
    r"(?:at|by|in|near|on|part of)\W*"
)
"""A question for what a mention itself is at, and what that is called."""


@dataclass(frozen=True, slots=True)
class SingularRequest:
    """What a question says of a mention, and the relationship types that it may name. `by`: by the
    singular noun of a relation, by a verb, or by the kind of thing that the mention itself is at.
    """

    noun: str
    relations: frozenset[str]
    by: Literal["noun", "verb", "place"] = "noun"

    def explain(
        self, last: Step, first: Step | None, found: FoundAnswers, words: SchemaVocabulary
    ) -> str:
        """Why answers by step `last` are none, for a note; empty where they may be. `first`: the
        step by which what the question names leads to where that starts, where it is known."""
        if found.count > 1 and self.by == "noun":
            return found.describe_several(self.noun)
        is_of_whole = first is not None and words.concepts.is_part_of_step(first)
        is_others = is_of_whole and not words.concepts.is_inherited(last)
        if self.by == "place":
            is_others = is_others and not words.concepts.is_part_of_step(last)
        else:
            is_others = is_others or words.concepts.is_exclusive_to_subject(last)
        if found.count and is_others:
            asks = f"says “{self.noun}”" if self.by == "verb" else f"asks for the {self.noun}"
            return (
                f"the question {asks} of what it names, and what was found is that of something "
                f"else: {found.reading}"
            )
        return ""


@dataclass(frozen=True, slots=True)
class FoundAnswers:
    """How many answers were found, and by which reading of the question."""

    count: int
    reading: str

    def describe_several(self, noun: str) -> str:
        """That one of something was asked for and several were found, for a note."""
        return (
            f"the question asks for one {noun}, and what was found are {self.count}: {self.reading}"
        )


def find_asked_ones(form: QuestionForm) -> Iterator[SingularRequest]:
    """The singular nouns of relations that a question says of a mention, and the verbs; none where
    some label does not say what a node is, as questions over triples say relations one behind the
    other."""
    text, words = form.masked, form.vocabulary
    if not words.all_labels_are_meaningful():
        return
    for asked in _OF.finditer(text):
        if noun := _find_relation_noun(asked[1], words):
            yield SingularRequest(
                noun, frozenset(step.relation for step in words.relations.find_steps(noun))
            )
    if (said := _DOES.fullmatch(text)) and (
        relations := words.relations.match_relations_by_words(said[1].split())
    ):
        yield SingularRequest(said[1], relations, by="verb")
    if at := _IS_AT.fullmatch(text):
        types = words.relations.find_types_at(words.find_labels(at[1]))
        if types:
            yield SingularRequest(at[1], types, by="place")


def find_nouns_of(text: str) -> Iterator[str]:
    """The nouns, of up to three words, that a text with placeholders says of one: the longest
    first."""
    for asked in _OF.finditer(text):
        yield from _iterate_ends(asked[1])


def explain_bridged_path(form: QuestionForm, query: object, found: FoundAnswers) -> str:
    """Why answers by a path are held back, for a note; empty where they are not: the question asks
    for one of something of what is named, and the path comes to that by way of something else."""
    if not isinstance(query, PathQuery):
        return ""
    for asked in find_asked_ones(form):
        for path in query.paths:
            steps = path.steps[-1:] if asked.by != "noun" else path.steps
            last = next((step for step in steps if step.relation in asked.relations), None)
            if last is None or path.steps[0].relation == last.relation:
                continue
            if reason := asked.explain(last, path.steps[0], found, form.vocabulary):
                return reason
    return ""


def _find_relation_noun(text: str, words: SchemaVocabulary) -> str:
    """The longest singular noun at a text's end that names what relations lead to, and no label;
    empty where there is none."""
    noun = next((each for each in _iterate_ends(text) if words.relations.find_steps(each)), "")
    return "" if is_plural(noun) or words.find_labels(noun) else noun


def _iterate_ends(text: str) -> Iterator[str]:
    """The words at a text's end, the most first."""
    said = text.split()
    return (" ".join(said[first:]) for first in range(len(said)))
