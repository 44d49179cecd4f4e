"""Unsaid relations: nouns by which a question names a relation that an answer does not rest on.

`Which rivers have a capital on them` is not answered by rivers with a city, however many there are.
"""

from __future__ import annotations

from collections.abc import Collection

from trellis.steps.link.question_form import QuestionForm


def find_unsaid_relations(
    form: QuestionForm, relations: Collection[str], values: Collection[str]
) -> list[str]:
    """The nouns of a question that name a relation which is not among those of an answer, nor in
    the values that it compares with: `Investigation complete`."""
    compared = " ".join(values).lower()
    return [
        noun
        for noun, relation in form.relation_nouns.items()
        if relation not in relations and noun not in compared
    ]
