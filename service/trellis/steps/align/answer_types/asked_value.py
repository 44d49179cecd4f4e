"""Asked value: a question for a property or an amount, of which paths say nothing.

`What is the population of Lindau` is not answered by who lives there, however near that is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from trellis.domain.models.decoding import Sentence
from trellis.domain.replies.reply import Finding
from trellis.lexicon.plurals import is_plural
from trellis.linking.values.numbers import find_numbers
from trellis.steps.align.answer_types.reweigh_findings import reweigh_findings
from trellis.steps.link.asked_kind import find_noun
from trellis.steps.link.asked_noun import find_asked_noun
from trellis.steps.link.question_form import QuestionForm

_NO_VALUE = 0.02
"""Factor on the probability of a finding that is no number where a value is asked for."""

_NUMBER_OF = re.compile(r"\bthe (?:total )?number of (?:the |all |any )?(?=[a-z])", re.IGNORECASE)


def find_counted_labels(form: QuestionForm) -> frozenset[str]:
    """The labels of what a question asks the number of; none where it asks for no number, or where
    no label is called so."""
    words = form.vocabulary
    number = form.count_words or _NUMBER_OF.search(form.text) or form.how_much
    noun = find_asked_noun(number, form.name_spans, words.find_meanings)
    is_counted = form.count_words or is_plural(noun)  # nobody counts `the number of the customer`
    return words.find_labels(noun) if is_counted else frozenset()


def explain_named_amount(form: QuestionForm, reading: str) -> str:
    """Why answers by paths are held back, for a note; empty where they are not: the question asks
    how many there are of one thing that it names, which is an amount and no number of things."""
    asking = form.count_words
    behind = form.text[asking.end() :].lstrip() if asking else ""
    named = [m.text for m in form.mentions if behind and m.start == len(form.text) - len(behind)]
    if not named:
        return ""
    return f"the question asks how many “{named[0]}”, an amount, which paths do not say: {reading}"


def explain_asked_text(form: QuestionForm, reading: str) -> str:
    """Why answers by paths are held back, for a note; empty where they are not: what the question
    asks for is called by a text of some property, as tenors are, and by no label or relation."""
    words = form.vocabulary

    def find_texts(noun: str) -> Collection[object]:
        known = words.find_labels(noun) or words.relations.find_steps(noun)
        return () if known else words.find_texts(noun)

    noun = "" if form.asked_labels else find_noun(form.text, form.name_spans, find_texts)
    if not noun:
        return ""
    return f"the question asks for “{noun}”, a property's text, which paths do not say: {reading}"


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
