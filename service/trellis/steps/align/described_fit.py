"""How well nodes that a question may describe explain it, and whether it describes any.

A question describes nodes where it says words that neither the schema nor a name in the graph
explains: `wikis written in Perl`. What such words say stands in texts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from trellis.domain.grammar_words import ARTICLES
from trellis.domain.links import Mention
from trellis.domain.question import asks_for_number
from trellis.domain.schema import Schema
from trellis.lexicon.asking import ASKING
from trellis.linking.operators import has_aggregate, has_superlative
from trellis.linking.ordinary_words import ORDINARY_WORDS
from trellis.linking.spans import parse_question
from trellis.linking.text import bare_words
from trellis.linking.value_index import has_same_stem
from trellis.steps.align.answer_types.asked_kind import find_asked_kind, find_asked_labels
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary
from trellis.steps.link.vocabulary.schema_words import is_schema_word
from trellis.steps.link.vocabulary.unlinked_words import list_unlinked_words
from trellis.steps.retrieve.described.described_nodes import DescribedNode, Description

_UNMEASURED = ("STRING", "BOOLEAN", "LIST<STRING>")  # types of properties without an order
_BESIDE = slice(5, 15)  # the ranks that the first one is compared with
_UNNAMED = 0.7  # the feature `backed` of a question that names nothing
NAMED = ("exact", "exact-case", "spelling", "alias", "given")
"""How a mention says a name, rather than what is only like one."""

_DETERMINERS = (*ARTICLES, "any")


def describes_nodes(
    question: str, mentions: Sequence[Mention], schema: Schema, labels: Collection[str]
) -> bool:
    """Whether a question describes nodes of some labels, whose nodes have texts: it asks for no
    other kind, for no number and no extreme, and says words that nothing else explains."""
    if asks_for_number(question) or _may_ask_extreme(question, schema, labels):
        return False
    asked = find_asked_kind(question, mentions, read_schema_vocabulary(schema))
    kinds = _read_asked_labels(question, mentions, schema)
    if asked.wh or (kinds and kinds.isdisjoint(labels)):
        return False
    return bool(list_describing_words(question, mentions, schema))


def _may_ask_extreme(question: str, schema: Schema, labels: Collection[str]) -> bool:
    """Whether a question may be for the largest or the mean of some number: of nodes without any
    `the greatest common divisor` is a description."""
    types = {
        kind.type for label in schema.labels if label.label in labels for kind in label.properties
    }
    has_measure = any(type_ not in _UNMEASURED for type_ in types)
    return has_measure and (has_superlative(question) or has_aggregate(question))


def find_described_labels(
    question: str, mentions: Sequence[Mention], schema: Schema, labels: Collection[str]
) -> frozenset[str]:
    """Those of some labels that the question's first noun names; empty where it names none."""
    return _read_asked_labels(question, mentions, schema).intersection(labels)


def _read_asked_labels(
    question: str, mentions: Sequence[Mention], schema: Schema
) -> frozenset[str]:
    """The labels that the question's first noun names; a verb may follow it, as in `which function
    compresses bytes`."""
    words = read_schema_vocabulary(schema)
    asking = ASKING.match(question)
    said = bare_words(question[asking.end() if asking else 0 :])
    first = next((word for word in said if word not in _DETERMINERS), "")
    return find_asked_labels(question, mentions, words) or words.find_labels(first)


def list_describing_words(question: str, mentions: Sequence[Mention], schema: Schema) -> list[str]:
    """The words that no grammar, no name of the graph in any spelling and no name of the schema
    explains; ordinary ones only where there are no others, and nothing is named."""
    words = read_schema_vocabulary(schema)
    known = {part for name in words.list_name_words() for part in name.split()}
    asked = parse_question(question, ())
    exact = [m for m in mentions if m.links and m.best.how in NAMED]
    left = [
        word
        for atom in list_unlinked_words(asked, exact)
        for word in bare_words(asked.text_of(atom.span))
        if not is_schema_word(word, known)
    ]
    telling = [word for word in left if word not in ORDINARY_WORDS]
    return telling or ([] if exact else left)


def measure_described(
    question: str, mentions: Sequence[Mention], description: Description, schema: Schema
) -> Mapping[str, float]:
    """The features of the confidence in the first node.

    `near`: the cosine of its text; `lead`: how far that is above those of others; `said`: the share
    of the describing words that its text or names say; `backed`: the share of the names in the
    question to which it is related; `strange`: whether a name is said that nothing has.
    """
    first = description.nodes[0]
    said = _list_said(first)
    words = list_describing_words(question, mentions, schema)
    closeness = sorted((each.match.closeness for each in description.nodes), reverse=True)
    beside = closeness[_BESIDE] or [0.0]
    backed = [not first.ends.isdisjoint(nodes) for nodes in description.names.values()]
    return {
        "near": first.match.closeness,
        "lead": first.match.closeness - float(np.mean(beside)),
        "said": float(np.mean([_is_said(word, said) for word in words])) if words else 0.0,
        "backed": float(np.mean(backed)) if backed else _UNNAMED,
        "strange": float(_says_strange_name(question, said)),
    }


def _list_said(described: DescribedNode) -> frozenset[str]:
    """The words of a node's name, of the nearest passages, and of what it is related to."""
    texts = [described.match.node.name, *(each.text for each in described.match.passages)]
    texts += [f"{t.head.name} {t.relation} {t.tail.name}" for t in described.backing]
    return frozenset(word for text in texts for word in bare_words(text.replace("_", " ")))


def _is_said(word: str, said: Collection[str]) -> bool:
    return word in said or any(has_same_stem(word, each) for each in said)


def _says_strange_name(question: str, said: Collection[str]) -> bool:
    parsed = parse_question(question, ())
    return any(
        atom.has_name_shape and not _is_said(word, said)
        for atom in parsed.atoms
        for word in bare_words(parsed.text_of(atom.span))
    )
