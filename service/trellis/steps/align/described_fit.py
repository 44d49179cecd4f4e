"""How well nodes that a question may describe explain it, and whether it describes any.

A question describes nodes where it says words that neither the schema nor a name in the graph
explains: `wikis written in Perl`. What such words say stands in texts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from trellis.domain.grammar_words import ARTICLES
from trellis.lexicon.asking import ASKING
from trellis.linking.questions.operators import has_aggregate, has_superlative
from trellis.linking.text import bare_words
from trellis.linking.values.value_index import has_same_stem
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.described.described_nodes import DescribedNode, Description

_UNMEASURED = ("STRING", "BOOLEAN", "LIST<STRING>")  # types of properties without an order
_BESIDE = slice(5, 15)  # the ranks that the first one is compared with
_UNNAMED = 0.7  # the feature `backed` of a question that names nothing

_DETERMINERS = (*ARTICLES, "any")


def describes_nodes(form: QuestionForm, labels: Collection[str]) -> bool:
    """Whether a question describes nodes of some labels, whose nodes have texts: it asks for no
    other kind, for no number and no extreme, and says words that nothing else explains."""
    if form.asks_number or _may_ask_extreme(form, labels):
        return False
    kinds = _read_asked_labels(form)
    if form.asked_kind.wh or (kinds and kinds.isdisjoint(labels)):
        return False
    return bool(form.describing_words)


def _may_ask_extreme(form: QuestionForm, labels: Collection[str]) -> bool:
    """Whether a question may be for the largest or the mean of some number: of nodes without any
    `the greatest common divisor` is a description."""
    measured = any(
        kind.type not in _UNMEASURED
        for label in form.schema.labels
        if label.label in labels
        for kind in label.properties
    )
    return measured and (has_superlative(form.text) or has_aggregate(form.text))


def find_described_labels(form: QuestionForm, labels: Collection[str]) -> frozenset[str]:
    """Those of some labels that the question's first noun names; empty where it names none."""
    return _read_asked_labels(form).intersection(labels)


def _read_asked_labels(form: QuestionForm) -> frozenset[str]:
    """The labels that the question's first noun names; a verb may follow it, as in `which function
    compresses bytes`."""
    asking = ASKING.match(form.text)
    said = bare_words(form.text[asking.end() if asking else 0 :])
    first = next((word for word in said if word not in _DETERMINERS), "")
    return form.asked_labels or form.vocabulary.find_labels(first)


def measure_described(form: QuestionForm, description: Description) -> Mapping[str, float]:
    """The features of the confidence in the first node.

    `near`: the cosine of its text; `lead`: how far that is above those of others; `said`: the share
    of the describing words that its text or names say; `backed`: the share of the names in the
    question to which it is related; `strange`: whether a name is said that nothing has.
    """
    first, words = description.nodes[0], form.describing_words
    said = _list_said(first)
    closeness = sorted((each.match.closeness for each in description.nodes), reverse=True)
    beside = closeness[_BESIDE] or [0.0]
    backed = [not first.ends.isdisjoint(nodes) for nodes in description.names.values()]
    return {
        "near": first.match.closeness,
        "lead": first.match.closeness - float(np.mean(beside)),
        "said": float(np.mean([_is_said(word, said) for word in words])) if words else 0.0,
        "backed": float(np.mean(backed)) if backed else _UNNAMED,
        "strange": float(_says_strange_name(form, said)),
    }


def _list_said(described: DescribedNode) -> frozenset[str]:
    """The words of a node's name, of the nearest passages, and of what it is related to."""
    texts = [described.match.node.name, *(each.text for each in described.match.passages)]
    texts += [f"{t.head.name} {t.relation} {t.tail.name}" for t in described.backing]
    return frozenset(word for text in texts for word in bare_words(text.replace("_", " ")))


def _is_said(word: str, said: Collection[str]) -> bool:
    return word in said or any(has_same_stem(word, each) for each in said)


def _says_strange_name(form: QuestionForm, said: Collection[str]) -> bool:
    return any(
        atom.has_name_shape and not _is_said(word, said)
        for atom in form.parsed.atoms
        for word in bare_words(form.parsed.text_of(atom.span))
    )
