"""Known words: those that a relation's name, and the general lexicon, bring into claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.domain.graphs.sentences import relation_words
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.relations.relation_words import limit_words, split_phrase, weigh_relation_words
from trellis.lexicon.schema_phrasebook import read_phrasebook
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.steps.claims.fact_table import PROPERTY
from trellis.steps.claims.weigh_forms import UNKNOWN

_NAME = 0.4  # how often a word of a property's name is brought
_MOST_IN_ALL = 1.0  # words that a part brings in all, where nothing was counted
_MOST_UNKNOWN = 400  # words of relations that the graph does not have
_STRANGE = 0.006


def list_known_words(schema: Schema, book: Phrasebook) -> dict[str, dict[str, float]]:
    """By part of a form, the words that are known before any claim is read."""
    known: dict[str, dict[str, float]] = {}
    ends: dict[Step, str] = {}
    for kind in schema.relationships:
        ends.setdefault(Step(kind.type), kind.end_label)
        ends.setdefault(Step(kind.type, True), kind.start_label)
    for step, label in ends.items():
        part = f"{'<' if step.reversed else '>'}{step.relation}"
        known[part] = weigh_relation_words(
            relation_words(step.relation), book.phrases_of(step, label)
        )
    for label_kind in schema.labels:
        for prop in label_kind.properties:
            part = f">{PROPERTY}{prop.name}"
            known[part] = dict.fromkeys(relation_words(prop.name), _NAME)
    own = {word for words in known.values() for word in words}
    known[UNKNOWN] = _list_unknown_words(book, own)
    return known


def read_untaught_words(schema: Schema) -> Mapping[str, Mapping[str, float]]:
    """The same for a graph whose claims nobody taught, built once; the first time takes long, so a
    service asks for it in a thread."""
    return schema.uncounted.derive(_list_untaught_words)


def _list_untaught_words(schema: Schema) -> dict[str, dict[str, float]]:
    """The known words that tell, and of each part not too much."""
    return {
        part: words if part == UNKNOWN else _limit_telling_words(words)
        for part, words in list_known_words(schema, read_phrasebook(schema)).items()
    }


def _limit_telling_words(words: Mapping[str, float]) -> dict[str, float]:
    telling = {word: often for word, often in words.items() if word not in FUNCTION_WORDS}
    return limit_words(telling, _MOST_IN_ALL)


def _list_unknown_words(book: Phrasebook, own: Iterable[str]) -> dict[str, float]:
    """The words of the lexicon's other concepts, which the graph has no relation for."""
    known = set(own)
    texts: list[str] = []
    for concept in book.concepts.entries.values():
        names: Mapping[str, object] = concept
        texts += [text for key in ("nouns", "asks") for text in _as_texts(names.get(key))]
    counts = Counter(
        word for text in texts for word in set(split_phrase(text)) if word not in known
    )
    return {word: _STRANGE for word, _ in counts.most_common(_MOST_UNKNOWN)}


def _as_texts(value: object) -> Sequence[str]:
    return [str(each) for each in value] if isinstance(value, list | tuple) else ()
