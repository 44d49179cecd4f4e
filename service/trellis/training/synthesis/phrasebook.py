"""How a graph's relations are spoken of, forwards and backwards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from trellis.domain.errors import FileFormatError
from trellis.domain.graph import Step
from trellis.domain.reasons import with_reason
from trellis.training.synthesis.names import NameWords, read_name, strip_endings

_PREPOSITIONS = frozenset(
    ("in", "on", "at", "of", "for", "from", "to", "with", "into", "through", "as", "under", "over")
)
_NAMELESS = frozenset(("entity", "node", "thing", "resource", "object"))


@dataclass(frozen=True, slots=True)
class Phrases:
    """Ways to speak of one step.

    `nouns`: of Y's NOUN; `asks`: whole questions and `clauses`: noun phrases, with `{}` for Y;
    `types`: what the nodes at its end are called; `wh`: the question word that asks for them.
    """

    nouns: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    wh: str = "what"

    def join_phrases(self, other: Phrases) -> Phrases:
        return Phrases(
            tuple(dict.fromkeys(self.nouns + other.nouns)),
            tuple(dict.fromkeys(self.asks + other.asks)),
            tuple(dict.fromkeys(self.clauses + other.clauses)),
            tuple(dict.fromkeys(self.types + other.types)),
            self.wh,
        )


@dataclass(frozen=True, eq=False)
class Phrasebook:
    """Concepts by id, the concept of each known relation name, types of nodes, idioms."""

    concepts: Mapping[str, Mapping[str, Any]]
    types: Mapping[str, tuple[str, ...]]
    idioms: Mapping[tuple[str, ...], tuple[str, ...]]
    own: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # by relation name

    @classmethod
    def load(
        cls, wording: Path | None = None, synonyms: Mapping[str, Sequence[str]] | None = None
    ) -> Phrasebook:
        """The general lexicon, with a graph's own `wording` file and its `synonyms` over it.

        The file is JSON: {"relations": {name: {"nouns", "asks", "clauses", "wh", "back": {…}}},
        "types": {label: [noun]}}. Raises FileFormatError.
        """
        general = json.loads(
            resources.files(__package__).joinpath("lexicon.json").read_text("utf-8")
        )
        own = _with_synonyms(_read_own(wording) if wording else {}, synonyms or {})
        types = {
            **general["types"],
            **{" ".join(read_name(k).words): v for k, v in _list_types(own)},
        }
        return cls(
            general["concepts"],
            {label: tuple(nouns) for label, nouns in types.items()},
            {tuple(i["concepts"]): tuple(i["nouns"]) for i in general["idioms"]},
            own.get("relations", {}),
        )

    def phrases_of(self, step: Step, label: str | None = None) -> Phrases:
        """How a step is spoken of that ends in nodes of `label`."""
        said = read_name(step.relation)
        back = step.reversed != said.inverse
        types = self.type_nouns(label)
        known = self._find_known(step, back)
        made = _derive_phrases(said, back, types)
        return known.join_phrases(made) if known.nouns or known.asks else made

    def concept_of(self, relation: str) -> str | None:
        """The concept that a relation's name stands for."""
        said = read_name(relation)
        tries = dict.fromkeys((said.text, said.core))
        names = self._names
        return next((names[key] for text in tries if (key := strip_endings(text)) in names), None)

    def inverse_of(self, step: Step) -> str | None:
        """The concept that says the same as a step walked backwards."""
        concept = self.concept_of(step.relation)
        back = step.reversed != read_name(step.relation).inverse
        return self.concepts[concept].get("inverse") if concept and back else None

    def meaning_of(self, step: Step) -> str | None:
        """The concept that a step expresses, walked as it is."""
        back = step.reversed != read_name(step.relation).inverse
        return self.inverse_of(step) if back else self.concept_of(step.relation)

    def type_nouns(self, label: str | None) -> tuple[str, ...]:
        """What nodes of a label are called; nothing for labels that say nothing."""
        if label is None:
            return ()
        text = " ".join(read_name(label).words)
        if text in _NAMELESS:
            return ()
        return self.types.get(text, (text, f"{text}s"))

    def idiom_of(self, steps: Sequence[Step]) -> tuple[str, ...]:
        """One word for two steps: a parent's parent is a grandparent."""
        meant = [self.meaning_of(step) for step in steps]
        return self.idioms.get(tuple(m or "" for m in meant), ())

    @cached_property
    def _names(self) -> Mapping[str, str]:
        concepts = reversed(list(self.concepts.items()))  # the first of two wins
        return {strip_endings(name): id for id, concept in concepts for name in concept["names"]}

    def _find_known(self, step: Step, back: bool) -> Phrases:
        own = self.own.get(step.relation, {})
        own = own.get("back", {}) if step.reversed else own
        id = self.concept_of(step.relation)
        concept = self.concepts[id] if id else {}
        if back:
            inverse = concept.get("inverse")
            concept = self.concepts[inverse] if inverse else concept.get("back", {})
        return (
            _parse_phrases(own).join_phrases(_parse_phrases(concept))
            if own
            else _parse_phrases(concept)
        )


def _parse_phrases(entry: Mapping[str, Any]) -> Phrases:
    return Phrases(
        tuple(entry.get("nouns", ())),
        tuple(entry.get("asks", ())),
        tuple(entry.get("clauses", ())),
        (),
        entry.get("wh", "what"),
    )


def _derive_phrases(said: NameWords, back: bool, types: tuple[str, ...]) -> Phrases:
    """What a name alone gives: `flows into`, `written by`, `official language`."""
    words = said.core.split()
    last, core = words[-1], " ".join(words)
    if last == "by":  # written by
        verb = " ".join(words[:-1])
        if back:
            return Phrases(
                types, (f"what was {core} {{}}",), _add_types(types, f"{core} {{}}"), types
            )
        return Phrases((), (f"who {verb} {{}}", f"{{}} was {core} whom"), (), types, "who")
    if last in _PREPOSITIONS or (len(words) == 1 and last.endswith("s") and types):  # flows into
        if back:
            asks = (
                f"what {core} {{}}",
                f"who {core} {{}}",
                *(f"which {t} {core} {{}}" for t in types),
            )
            return Phrases(types, asks, _add_types(types, f"that {core} {{}}"), types)
        return Phrases(types, (f"what is {{}} {core}", f"{{}} {core} what"), (), types)
    if back:
        asks = (f"whose {core} is {{}}", f"what has {{}} as {core}")
        return Phrases(types, asks, _add_types(types, f"whose {core} is {{}}"), types)
    return Phrases((core, *types), (), (), types)


def _add_types(types: Sequence[str], rest: str) -> tuple[str, ...]:
    return tuple(f"{noun} {rest}" for noun in types)


def _list_types(own: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    return list(own.get("types", {}).items())


def _with_synonyms(
    own: Mapping[str, Any], synonyms: Mapping[str, Sequence[str]]
) -> Mapping[str, Any]:
    """What labels and relations are called too, as nouns; the wording file goes before."""
    relations = {name: {"nouns": list(those)} for name, those in synonyms.items()}
    types = {name: list(those) for name, those in synonyms.items()}
    return {
        "relations": {**relations, **own.get("relations", {})},
        "types": {**types, **own.get("types", {})},
    }


def _read_own(file: Path) -> Mapping[str, Any]:
    try:
        body: Any = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        problem = with_reason(f"the wording file {file} cannot be read", error)
        raise FileFormatError(problem, "give JSON with `relations` and `types`") from error
    if not isinstance(body, dict):
        raise FileFormatError(f"{file} is no JSON object", "give `relations` and `types`")
    return body
