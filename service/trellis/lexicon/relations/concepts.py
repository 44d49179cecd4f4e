"""Concepts: what relations mean, as far as the general lexicon knows their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from trellis.domain.grammar_words import BEING
from trellis.domain.graphs.graph import Step
from trellis.lexicon.names import NameWords, read_name, strip_endings
from trellis.lexicon.relations.derived_phrases import find_verb, read_as_passive
from trellis.lexicon.relations.verbs import make_third, read_participle, read_third

ConceptEntry = Mapping[str, Any]
"""The names of a concept and its phrases, as `lexicon.json` has them."""

_PLACED = frozenset(("lie", "lies", "located", "sits", "situated", "stand", "stands"))
"""Verbs for being somewhere."""
_BE = (*BEING, "be")


@dataclass(frozen=True, eq=False)
class Concepts:
    """The concepts by their ids."""

    entries: Mapping[str, ConceptEntry]

    def find_id(self, relation: str) -> str | None:
        """The concept that the name of a relation stands for."""
        return self._find_by_name(self.read_relation(relation))

    def find_inverse(self, step: Step) -> str | None:
        """The concept that has the meaning of a step walked backwards; None for other steps."""
        concept = self.find_id(step.relation)
        return self.entries[concept].get("inverse") if concept and self._is_back(step) else None

    def find_meaning(self, step: Step) -> str | None:
        """The concept that has the meaning of a step in the direction in which it is walked."""
        return self.find_inverse(step) if self._is_back(step) else self.find_id(step.relation)

    def find_entry(self, step: Step, without: Collection[str] = ()) -> ConceptEntry:
        """The phrases of a step in its direction; none where its concept is one of `without`."""
        id = self.find_id(step.relation)
        concept = self.entries[id] if id and id not in without else {}
        if not self._is_back(step):
            return concept
        inverse = concept.get("inverse")
        entry: ConceptEntry = self.entries[inverse] if inverse else concept.get("back", {})
        return entry

    def is_exclusive_to_subject(self, step: Step) -> bool:
        """Whether what a step leads to is its start's own, and no part of that has it, too: a
        capital, as a currency is not."""
        meaning = self.find_meaning(step)
        return bool(meaning and self.entries[meaning].get("own"))

    def is_inherited(self, step: Step) -> bool:
        """Whether what belongs to something has what a step leads to from that, as a currency."""
        meaning = self.find_meaning(step)
        return bool(meaning and self.entries[meaning].get("inherited"))

    def is_part_of_step(self, step: Step) -> bool:
        """Whether a step leads from something to what it lies in or is part of: IN_COUNTRY, and
        LAKE_IN and STANDS_IN, which no concept has."""
        name = read_name(step.relation)
        if concept := self.find_id(step.relation):
            return not self._is_back(step) and bool(self.entries[concept].get("whole"))
        is_placed = not find_verb(name) or name.words[0] in _PLACED
        return not step.reversed and name.words[-1] == "in" and is_placed

    def read_relation(self, relation: str) -> NameWords:
        """The words of a relation's name; a verb that no concept has as it stands in the form that
        one has: `reviewed` of `reviewed by`, and `directed by` of `directed`."""
        name = read_name(relation)
        if self._find_by_name(name):
            return name
        return self._read_as_active(name) or read_as_passive(name)

    def _read_as_active(self, name: NameWords) -> NameWords | None:
        """The name by a concept's active verb; None where no concept has its verb as one."""
        verb, *others = name.core.split()
        base = find_verb(replace(name, words=(verb,)))
        if base not in self._active_verbs or others not in ([], ["by"]):
            return None
        if not others and name.words[0] in _BE:
            return None
        inverse = name.inverse != bool(others)
        return replace(name, words=(self._active_verbs[base],), inverse=inverse)

    def _is_back(self, step: Step) -> bool:
        """Whether a step goes against what its relation's name, read as above, says."""
        return step.reversed != self.read_relation(step.relation).inverse

    def _find_by_name(self, name: NameWords) -> str | None:
        if name.text in self._verbs:
            return self._verbs[name.text]
        is_passive = name.words[0] in _BE and read_participle(name.core) is not None
        tries = (name.text,) if is_passive else dict.fromkeys((name.text, name.core, name.noun))
        names = self._names
        found = (names[key] for text in tries if (key := strip_endings(text)) in names)
        return next(found, self._verbs.get(make_third(name.text)))

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """The concepts by their names without endings; `blocks` is a verb, and no name of what has
        a block."""
        concepts = reversed(list(self.entries.items()))  # the first of two wins
        return {
            strip_endings(name): id
            for id, concept in concepts
            for name in concept["names"]
            if not (name.endswith("s") and name in self._verbs)
        }

    @cached_property
    def _verbs(self) -> Mapping[str, str]:
        """The concepts by those of their names that say what somebody does: `likes`, `reviewed`."""
        concepts = reversed(list(self.entries.items()))
        return {
            name: id
            for id, concept in concepts
            for name in concept["names"]
            if _says_act(name, concept)
        }

    @cached_property
    def _active_verbs(self) -> Mapping[str, str]:
        """The verbs of concepts' names that say what somebody does, by their base forms."""
        names = reversed(list(self._verbs))
        bases = ((find_verb(NameWords((name,))) or read_third(name), name) for name in names)
        return dict(bases)


def _says_act(name: str, concept: ConceptEntry) -> bool:
    """Whether a concept's name is a verb of which its questions ask who does so."""
    asks = concept.get("back", {}).get("asks", ())
    return " " not in name and any(re.fullmatch(rf"wh\w+ {re.escape(name)} {{}}", a) for a in asks)
