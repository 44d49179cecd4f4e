"""Unsaid relations: words by which a question names a relation that an answer does not rest on.

`Which rivers have a capital on them` is not answered by rivers with a city, however many there are.
"""

from __future__ import annotations

from collections.abc import Collection

from trellis.lexicon.names import read_name, strip_endings
from trellis.linking.text import bare_words
from trellis.steps.link.question_form import QuestionForm


def list_unsaid_relations(
    form: QuestionForm,
    relations: Collection[str],
    names: Collection[str] = (),
    values: Collection[str] = (),
) -> list[str]:
    """The nouns of a question that name a relation which an answer does not rest on, or else other
    words of it. `names`: of properties and labels that the answer has to do with; `values`: that it
    compares with."""
    unsaid = find_unsaid_relations(form, relations, values)
    return unsaid or find_other_relations(form, relations, [*names, *values])


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


def find_other_relations(
    form: QuestionForm, relations: Collection[str], names: Collection[str]
) -> list[str]:
    """The words of a question that are in the names of other relationship types than an answer
    rests on, where it does not speak of all of these: `Where was she born` is not answered by where
    she died. `names`: of properties and labels that the answer has to do with."""
    words = form.vocabulary
    known = [relation for relation in relations if relation in form.schema.relation_types]
    if all(words.relations.says_relation(relation, form.word_stems) for relation in known):
        return []
    said = {strip_endings(word) for name in names for word in read_name(name).words}
    stems = {word: strip_endings(word) for word in bare_words(form.masked)}
    return [
        word
        for word, stem in stems.items()
        if (types := words.relations.find_relations_named(stem)) and types.isdisjoint(relations)
        if stem not in said
    ]
