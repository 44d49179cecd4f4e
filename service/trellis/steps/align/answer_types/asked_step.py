"""Asked step: by which relation a path ends in what a question asks for, where no label says so.

In a graph of triples nothing says that a node is a film. The relation that leads there does: `who`
asks for the one that directed, `which films` for what somebody directed; nothing asks for a year
without a word of time. `The same director` asks for what leads there and back.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Sequence

from trellis.domain.graphs.graph import PathQuery, Step
from trellis.domain.models.decoding import Sentence
from trellis.domain.replies.reply import Finding
from trellis.lexicon.asking import ASKING
from trellis.lexicon.plurals import is_plural
from trellis.steps.align.answer_types.reweigh_findings import reweigh_findings
from trellis.steps.link.asked_noun import find_asked_noun
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

_OTHER_WORD, _OTHER_NOUN, _NOT_SAME = 0.02, 0.01, 0.01
"""Factors on the probability of a path that ends in what is asked for by another word than `who` or
`when`, and in what is called by other nouns than the question's; and of one that does not go back
over what is said to be the same."""

_WHO_OR_WHEN = re.compile(
    r"(?:^\W*(?:and |so |but )?"
    r"|\b(?:curious|wonder(?:ing)?|know|forgot|(?:tell|remind) (?:me|us)) )"
    r"(?:(?:from|by|to|with|in|of|for|under|on) )?"
    r"(?P<word>who|whom|whose|when|(?:what|which) years?)\b"
    r"(?! ?(?:['’]s|is|are|was|were) the\b)",
    re.IGNORECASE,
)
_IS_THE = re.compile(r"\b(?:which|what|who)(?: is| are| was| were|['’]s) the ", re.IGNORECASE)
_WHICH = re.compile(r"\b(?:which|what) ", re.IGNORECASE)
"""What the asked noun stands behind; `who is the gender of` asks for no person."""
_ASKS = re.compile(
    r"\b(?:when|where|how|why)\b|\b(?:who|whom)\W*$|\bby whom?\b|^\W*(?:who|whom|whose)\b"
    r"|(?<!\bthat )(?<!\bwhich )(?<!\bwho )\b(?:is|are|was|were|do|does|did)\b",
    re.IGNORECASE,
)
"""Words that ask, and are in no clause behind a noun."""
_OF_TIME = re.compile(
    r"\b(?:when|years?|dates?|days?|time|old|young|age|recent|new|late|early|month|season|decade"
    r"|century|since|birth\w*|born|died?|deaths?|releas\w+|premier\w*|publish\w*|found\w*"
    r"|establish\w*|(?:came|come|coming) out)\b",
    re.IGNORECASE,
)
"""Words by which people ask for days and years."""
_SAME = re.compile(
    r"\bsame (?P<noun>\w+)"
    r"|\b(?:share|shares|sharing) (?:(?:a|the|its|their) )?(?P<shared>\w+) with\b",
    re.IGNORECASE,
)
_ALL = re.compile(r"^\W*(?:all )?(?:the )?", re.IGNORECASE)


def prefer_asked_steps(
    form: QuestionForm, sentences: Sequence[Sentence], findings: Sequence[Finding]
) -> tuple[list[Sentence], tuple[Finding, ...]]:
    """The sentences and their findings, most probable first: paths whose last relation leads to
    something else than what is asked for lose most of their probability, to those that do and to
    none being meant, where no label says what the nodes there are; and so do, in any graph, paths
    that do not go there and back by what is said to be the same."""
    words, doubts, same = form.vocabulary, _list_doubts(form), _find_same_steps(form)
    weights = [
        math.prod(
            weight for fits, weight in doubts if _ends_otherwise(sentence, finding, words, fits)
        )
        * (_NOT_SAME if same and not _has_turn(sentence, same) else 1.0)
        for sentence, finding in zip(sentences, findings, strict=True)
    ]
    return reweigh_findings(sentences, findings, weights)


def _list_doubts(form: QuestionForm) -> list[tuple[Callable[[Step], bool], float]]:
    """Which last steps fit the question, and the factors on paths with others."""
    find_word = form.vocabulary.relations.find_question_word
    doubts: list[tuple[Callable[[Step], bool], float]] = []
    asking = _WHO_OR_WHEN.search(form.text)
    if asking:
        word = "who" if asking["word"].lower().startswith("who") else "when"
        doubts.append((lambda step: find_word(step) in (word, ""), _OTHER_WORD))
    elif known := find_asked_steps(form):
        doubts.append((known.__contains__, _OTHER_NOUN))
    if not _OF_TIME.search(form.text):
        doubts.append((lambda step: find_word(step) != "when", _OTHER_WORD))
    return doubts


def _ends_otherwise(
    sentence: Sentence, finding: Finding, words: SchemaVocabulary, fits: Callable[[Step], bool]
) -> bool:
    """Whether no path of a sentence ends in a step that fits, and no label says what it reaches."""
    [query, *_] = sentence.values
    if not isinstance(query, PathQuery) or not finding.nodes:
        return False
    if words.is_named(finding.nodes[0].node.labels):
        return False
    return not any(fits(path.steps[-1]) for path in query.paths if path.steps)


def _find_same_steps(form: QuestionForm) -> frozenset[Step]:
    """The steps to what is said to be the same: `films with the same director`; none where the
    question says it of nothing that the lexicon knows."""
    said = _SAME.search(form.text)
    if said is None:
        return frozenset()
    return form.vocabulary.relations.find_steps((said["noun"] or said["shared"]).lower())


def _has_turn(sentence: Sentence, steps: Collection[Step]) -> bool:
    """Whether any path of a sentence goes one of some steps and comes back by its relation."""
    [query, *_] = sentence.values
    return not isinstance(query, PathQuery) or any(
        first in steps and first.relation == second.relation and first.reversed != second.reversed
        for path in query.paths
        for first, second in zip(path.steps, path.steps[1:], strict=False)
    )


def find_asked_steps(form: QuestionForm) -> frozenset[Step]:
    """The steps that lead to what the question's noun says, as far as the lexicon knows them: the
    noun behind `which` or `what`, or the plural that a question begins with which asks by no word.
    """
    text, find_steps = form.text, form.vocabulary.relations.find_steps
    asking = _IS_THE.search(text) or ASKING.match(text) or _WHICH.search(text)
    if asking is None and (_ASKS.search(text) or text.rstrip().endswith("?")):
        return frozenset()
    noun = find_asked_noun(asking or _ALL.match(text), form.name_spans, find_steps)
    return find_steps(noun) if asking or is_plural(noun) else frozenset()
