"""Own words: what says one relationship type, and none of the others between the same labels.

A verb says its relationship in all its forms, and a name without one by itself: where somebody
recommended toys and suggested some, nobody who suggested one is asked for by the former.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from trellis.domain.graphs.schema import Schema
from trellis.lexicon.names import NameWords, read_name, strip_endings, tells_kind
from trellis.lexicon.relations.derived_phrases import find_verb
from trellis.lexicon.relations.verbs import make_third, make_verb

LabelPair = tuple[str, str]

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, eq=False)
class DistinctiveRelationWords:
    """The words of relationship types: `own` by type, `pairs` of labels that each lies between, and
    `sayers`: the types that a word says between two labels. `longest`: of these, in words."""

    own: Mapping[str, frozenset[str]] = field(default_factory=dict)
    pairs: Mapping[str, frozenset[LabelPair]] = field(default_factory=dict)
    sayers: Mapping[tuple[str, LabelPair], tuple[str, ...]] = field(default_factory=dict)
    longest: int = 0

    @classmethod
    def of_schema(cls, schema: Schema) -> DistinctiveRelationWords:
        """Those of a schema; of relationships between nodes whose labels do not say what they are
        none, as any two of these lie between the same."""
        own = {kind.type: _list_own_words(read_name(kind.type)) for kind in schema.relationships}
        pairs = defaultdict[str, set[LabelPair]](set)
        sayers = defaultdict[tuple[str, LabelPair], dict[str, None]](dict)
        for kind in schema.relationships:
            pair = kind.start_label, kind.end_label
            if all(map(tells_kind, pair)):
                pairs[kind.type].add(pair)
                for word in own[kind.type]:
                    sayers[word, pair][kind.type] = None
        return cls(
            own,
            {name: frozenset(its) for name, its in pairs.items()},
            {key: tuple(types) for key, types in sayers.items()},
            max((len(_WORD.findall(word)) for word, _ in sayers), default=0),
        )

    def says_other(self, text: str, relation: str) -> bool:
        """Whether a text in small letters says another relationship type than that one, between the
        same labels."""
        if relation not in self.pairs:
            return False
        return any(self._is_others(words, relation) for words in self._iterate_grams(text))

    def is_other(self, noun: str, relation: str) -> bool:
        """Whether a noun is, but for its ending, what says another one."""
        return relation in self.pairs and self._is_others(strip_endings(noun), relation)

    def _is_others(self, words: str, relation: str) -> bool:
        return words not in read_name(relation).words and any(
            self.own[other].isdisjoint(self.own[relation])
            for pair in self.pairs[relation]
            for other in self.sayers.get((words, pair), ())
        )

    def _iterate_grams(self, text: str) -> Iterator[str]:
        """The words of a text, and those that stand side by side, as far as any name is long."""
        words = _WORD.findall(text)
        for first in range(len(words)):
            for end in range(first + 1, min(first + self.longest, len(words)) + 1):
                yield " ".join(words[first:end])


def _list_own_words(name: NameWords) -> frozenset[str]:
    """The forms of the verb of a relation's name, or the name without auxiliaries."""
    base = find_verb(name)
    if not base:
        return frozenset((name.core,))
    verb = make_verb(base)
    return frozenset((base, make_third(base), verb.past, verb.participle))
