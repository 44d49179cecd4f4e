"""Passive verbs: which way a relationship goes between nodes of one kind.

`What is blocked by X?` and `What is X blocked by?` have the same words. By the labels of the
relationship's ends nothing tells them apart where both are tasks; their order does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from trellis.domain.graphs.graph import PathQuery
from trellis.domain.graphs.sentences import relation_words
from trellis.domain.models.decoding import Sentence
from trellis.linking.values.value_index import has_same_stem
from trellis.steps.link.question_form import QuestionForm

_ASKED = r"\W*(?:what|who|whom|which(?: [\w-]+){1,3}|what [\w-]+) (?:is|are|was|were) "
_VERB = r"(?:currently |being )?(?P<verb>\w+ed) by"
_NAME = r"(?:the )?(?:[\w-]+ )?ENT\d+"
_BY_NAME = re.compile(rf"{_ASKED}{_VERB} {_NAME}\W*", re.IGNORECASE)
_BY_ASKED = re.compile(rf"{_ASKED}{_NAME} {_VERB}\W*", re.IGNORECASE)


def find_passive_types(form: QuestionForm) -> Mapping[str, bool]:
    """The relationship types between nodes of one label that a question says in the passive, and
    whether they begin at what is asked for, rather than at what is named."""
    found = _BY_NAME.fullmatch(form.masked) or _BY_ASKED.fullmatch(form.masked)
    if found is None:
        return {}
    words = {name: relation_words(name) for name in form.schema.list_like_relations()}
    return {
        name: (its[-1] == "by") == (found.re is _BY_NAME)
        for name, its in words.items()
        if its[1:] in ([], ["by"]) and has_same_stem(found["verb"].lower(), its[0])
    }


def turn_paths(sentences: Sequence[Sentence], types: Mapping[str, bool]) -> list[Sentence]:
    """The sentences of paths, best first: those of one step that goes the other way give their
    probability to the same step turned, where it is among them."""
    turned = {
        number: other
        for number, each in enumerate(sentences)
        for other, right in enumerate(sentences)
        if other != number and _turn(each.values[0], types) == right.values[0]
    }
    scores = [each.score for each in sentences]
    for number, other in turned.items():
        scores[other] = float(np.logaddexp(scores[other], scores[number]))
    kept = [
        replace(each, score=score)
        for number, (each, score) in enumerate(zip(sentences, scores, strict=True))
        if number not in turned
    ]
    return sorted(kept, key=lambda it: -it.score)


def _turn(query: object, types: Mapping[str, bool]) -> PathQuery | None:
    """The path with its one step turned, where that goes the other way; None of all others."""
    if not isinstance(query, PathQuery) or len(query.paths) != 1:
        return None
    [path] = query.paths
    if len(path.steps) != 1 or path.steps[0].reversed == types.get(path.steps[0].relation):
        return None
    if path.steps[0].relation not in types:
        return None
    return PathQuery((replace(path, steps=(path.steps[0].turn(),)),))
