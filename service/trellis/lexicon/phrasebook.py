"""The phrases by which questions speak of a graph's relations, forwards and backwards."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.lexicon.fitting import (
    find_first_names,
    find_foreign_nouns,
    find_own_nouns,
    find_shared_concepts,
    find_unclear_idioms,
)
from trellis.lexicon.label_kinds import is_agent, is_person, is_time
from trellis.lexicon.names import NAMELESS, NameWords, read_name, strip_endings, tells_kind
from trellis.lexicon.plurals import is_plural, make_plural
from trellis.lexicon.property_phrases import PropertyLexicon, PropertyPhrases
from trellis.lexicon.relations.concepts import Concepts
from trellis.lexicon.relations.derived_phrases import derive_phrases, find_verb, read_as_passive
from trellis.lexicon.relations.own_words import DistinctiveRelationWords
from trellis.lexicon.relations.phrases import Phrases
from trellis.lexicon.relations.relation_words import split_phrase
from trellis.lexicon.relations.verb_groups import find_taken
from trellis.lexicon.wording_file import read_wording
from trellis.linking.names.spans import FUNCTION_WORDS

_FIRST_NAME = "first name"
_FEW = 8  # concepts: a word of more says nothing of any
_ASKS_PERSON = re.compile(r"(?:by |to |for |with )?whom?\b")
_ASKS_THING = re.compile(r"(?:from |in |at )?(?:what|where|how (?:much|long|often))\b")


@dataclass(frozen=True, eq=False)
class Phrasebook:
    """The concepts with their phrases, nouns for labels, and idioms for two concepts."""

    concepts: Concepts
    types: Mapping[str, tuple[str, ...]]
    idioms: Mapping[tuple[str, ...], tuple[str, ...]]
    own: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # phrases by relation
    properties: PropertyLexicon = field(default_factory=lambda: PropertyLexicon(()))
    own_properties: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    first_names: frozenset[tuple[str, str]] = frozenset()  # labels and properties
    taken_verbs: frozenset[str] = frozenset()  # base forms that say one relation of the graph
    foreign_nouns: frozenset[str] = frozenset()  # of what no label of the graph names
    shared_concepts: frozenset[str] = frozenset()  # of several verbs of the graph: of none of them
    own_words: DistinctiveRelationWords = field(default_factory=DistinctiveRelationWords)
    unclear_idioms: frozenset[str] = frozenset()  # that say something else in the graph, too
    own_types: frozenset[str] = frozenset()  # labels in words that the graph's file has nouns for

    @classmethod
    def of_schema(
        cls, schema: Schema, wording: Path | None = None, *, shares_nouns: bool = False
    ) -> Phrasebook:
        """The lexicon for a schema, with its synonyms; a `name` beside a surname is a first name.

        Phrases that speak of things which no label names are left out where labels say what sort
        of thing each node is: a shop's categories are not of films. `wording`: as of `load`;
        `shares_nouns`: whether two labels may have a noun in common, as people call an ocean a sea.
        """
        book = cls.load(wording, schema.synonyms)
        own_nouns = find_own_nouns(book, schema, shared=shares_nouns)
        book = replace(book, types={**book.types, **own_nouns})
        verbs = (find_verb(read_name(name)) for name in schema.relation_types)
        book = replace(
            book,
            shared_concepts=find_shared_concepts(book, schema),
            own_words=DistinctiveRelationWords.of_schema(schema),
            first_names=frozenset(find_first_names(schema)),
            taken_verbs=find_taken(filter(None, verbs)),
            foreign_nouns=find_foreign_nouns(book, schema),
        )
        return replace(book, unclear_idioms=find_unclear_idioms(book, schema))

    @classmethod
    def load(
        cls, wording: Path | None = None, synonyms: Mapping[str, Sequence[str]] | None = None
    ) -> Phrasebook:
        """The general lexicon; a graph's own `wording` file and `synonyms` take precedence.

        The file is JSON: {"relations": {name: {"nouns", "asks", "clauses", "wh", "some", "none",
        "back": {…}}}, "types": {label: [noun]}, "properties": {"Label.name": {…}}}, with the fields
        of `PropertyPhrases` (`is` for `equal`). Raises FileFormatError.
        """
        general = _read_resource("lexicon.json")
        own = _add_synonyms(read_wording(wording) if wording else {}, synonyms or {})
        own_types = {" ".join(read_name(k).words): v for k, v in _list_types(own)}
        types = {**general["types"], **own_types}
        return cls(
            Concepts(general["concepts"]),
            {label: tuple(nouns) for label, nouns in types.items()},
            {tuple(i["concepts"]): tuple(i["nouns"]) for i in general["idioms"]},
            own.get("relations", {}),
            PropertyLexicon(_read_resource("properties.json")),
            own.get("properties", {}),
            own_types=frozenset(own_types),
        )

    def property_phrases(self, owner: str, kind: PropertyKind) -> PropertyPhrases:
        """The phrases for a property of a label or relationship type `owner`."""
        general = self.properties.find_phrases(kind)
        if (owner, kind.name) in self.first_names:
            first = self.properties.find_phrases(replace(kind, name=_FIRST_NAME))
            general = replace(first, nouns=(*first.nouns, *general.nouns)).join_phrases(general)
        own = self.own_properties.get(f"{owner}.{kind.name}") or self.own_properties.get(kind.name)
        return PropertyPhrases.parse(own).join_phrases(general) if own else general

    def phrases_of(self, step: Step, label: str | None = None) -> Phrases:
        """The phrases for a step that ends in nodes of `label`."""
        name = self.concepts.read_relation(step.relation)
        back = step.reversed != name.inverse
        types = self.type_nouns(label) or (_list_holders(name) if back else ())
        known = _fit_end(self.find_known_phrases(step), label)
        active = read_as_passive(name)
        derived = derive_phrases(active, step.reversed != active.inverse, types, self.taken_verbs)
        nouns = (noun for noun in derived.nouns if not self.own_words.is_other(noun, step.relation))
        derived = replace(derived, nouns=tuple(nouns))
        return known.join_phrases(derived) if known.nouns or known.asks else derived

    def knows_step(self, step: Step) -> bool:
        """Whether a step has phrases beside those that the relation's name gives."""
        known = self.find_known_phrases(step)
        return bool(known.nouns or known.asks)

    def knows_label(self, label: str) -> bool:
        """Whether a label has nouns beside its own name."""
        text = " ".join(read_name(label).words)
        return not {text, make_plural(text)}.issuperset(self.type_nouns(label))

    def names_kind(self, noun: str) -> bool:
        """Whether a noun, or its singular, is a kind of thing by itself in the lexicon."""
        return noun in self.types or strip_endings(noun) in self.types

    def knows_property(self, owner: str, kind: PropertyKind) -> bool:
        """Whether a property has phrases beside those that its name gives."""
        own = self.own_properties.keys() & {f"{owner}.{kind.name}", kind.name}
        return bool(own) or self.properties.knows_property(kind)

    def type_nouns(self, label: str | None) -> tuple[str, ...]:
        """Nouns for nodes of a label; none for labels without a meaning, such as `Entity`."""
        if label is None:
            return ()
        text = " ".join(read_name(label).words)
        if text in NAMELESS:
            return ()
        if is_plural(text):
            return self.types.get(text) or (text, *self._list_plurals(text))
        own = text, make_plural(text)
        return self.types.get(text) or tuple(dict.fromkeys((*own, *self._list_compound(text))))

    def _list_compound(self, text: str) -> tuple[str, ...]:
        """The nouns for nodes of a label in whose name a word is written as two: `PostCode`."""
        return self.types.get(text.replace(" ", ""), ()) if " " in text else ()

    def _list_plurals(self, text: str) -> Iterator[str]:
        """The other nouns for nodes of a label whose name is a plural, in the plural alone."""
        one = next((each for each in self.types if make_plural(each) == text), None)
        return (noun for noun in self.types.get(one or "", ()) if is_plural(noun) and noun != text)

    def start_nouns(self, step: Step, label: str | None = None) -> tuple[str, ...]:
        """Nouns for the nodes that a step starts from; `label`: theirs, where it is known."""
        nouns = self.type_nouns(label)
        if nouns:
            return nouns
        name = self.concepts.read_relation(step.relation)
        back = step.reversed != name.inverse
        holders = () if back else _list_holders(name)
        concept = self.concepts.find_id(step.relation)
        if holders or concept is None or self.concepts.entries[concept].get("inverse"):
            return holders
        return self.find_known_phrases(step.turn()).nouns

    def idiom_of(self, steps: Sequence[Step]) -> tuple[str, ...]:
        """Nouns for two steps together: a parent's parent is a grandparent."""
        concepts = [self.concepts.find_meaning(step) for step in steps]
        return self.idioms.get(tuple(concept or "" for concept in concepts), ())

    def find_known_phrases(self, step: Step) -> Phrases:
        """The phrases of a step that its relation's name alone does not give, found once."""
        if step not in self._known:
            self._known[step] = self._look_up_known(step)
        return self._known[step]

    @cached_property
    def _known(self) -> dict[Step, Phrases]:
        return {}

    def _look_up_known(self, step: Step) -> Phrases:
        own = self.own.get(step.relation, {})
        own = own.get("back", {}) if step.reversed else own
        concept = self.concepts.find_entry(step, self.shared_concepts)
        general = self._leave_out_foreign(_parse_phrases(concept))
        general = general.keep(lambda text: not self.own_words.says_other(text, step.relation))
        if self.unclear_idioms:
            general = general.leave_out_idioms(self.unclear_idioms)
        return _parse_phrases(own).join_phrases(general) if own else general

    def _leave_out_foreign(self, phrases: Phrases) -> Phrases:
        """The phrases without those that speak of what is not in the graph."""
        if not self.foreign_nouns:
            return phrases
        return phrases.keep(lambda text: not self._foreign.search(text))

    @cached_property
    def _foreign(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(self.foreign_nouns)))})\b")


@cache
def list_relation_stems() -> frozenset[str]:
    """The stems of the words by which people speak of relations, as far as the general lexicon
    knows these; none that it has for many."""
    names = ("names", "nouns", "asks", "clauses", "some")
    counts = Counter[str]()
    for concept in _read_resource("lexicon.json")["concepts"].values():
        texts = (text for name in names for text in concept.get(name, ()))
        words = {word for text in texts for word in split_phrase(text)}
        counts.update({strip_endings(word) for word in words - FUNCTION_WORDS})
    return frozenset(stem for stem, count in counts.items() if count <= _FEW)


@cache
def _read_resource(name: str) -> Any:
    return json.loads(resources.files(__package__).joinpath(name).read_text("utf-8"))


def _parse_phrases(entry: Mapping[str, Any]) -> Phrases:
    return Phrases(
        tuple(entry.get("nouns", ())),
        tuple(entry.get("asks", ())),
        tuple(entry.get("clauses", ())),
        (),
        entry.get("wh", "what"),
        tuple(entry.get("some", ())),
        tuple(entry.get("none", ())),
    )


def _fit_end(phrases: Phrases, label: str | None) -> Phrases:
    """The phrases without those that ask for another sort of thing than nodes of a label: nobody
    asks who a project is, or where a boss is."""
    if label is None or not tells_kind(label):
        return phrases
    if phrases.wh == "when" and not is_time((label,)):
        return Phrases()
    if is_person((label,)):
        asks = tuple(ask for ask in phrases.asks if not _ASKS_THING.match(ask))
        return replace(phrases, asks=asks, wh="who")
    if is_agent((label,)):
        return phrases
    return replace(
        phrases,
        asks=tuple(ask for ask in phrases.asks if not _ASKS_PERSON.match(ask)),
        nouns=tuple(noun for noun in phrases.nouns if not is_person((noun,))),
        wh="what" if phrases.wh == "who" else phrases.wh,
    )


def _list_holders(name: NameWords) -> tuple[str, ...]:
    """Nouns for the nodes that a relation starts from, where its name's namespace tells them."""
    holder = " ".join(name.holder)
    return (holder, f"{holder}s") if holder and holder not in NAMELESS else ()


def _list_types(own: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    return list(own.get("types", {}).items())


def _add_synonyms(
    own: Mapping[str, Any], synonyms: Mapping[str, Sequence[str]]
) -> Mapping[str, Any]:
    """The wording file with synonyms of labels and relations as nouns, where it has none."""
    relations = {name: {"nouns": list(nouns)} for name, nouns in synonyms.items()}
    types = {name: list(nouns) for name, nouns in synonyms.items()}
    return {
        **own,
        "relations": {**relations, **own.get("relations", {})},
        "types": {**types, **own.get("types", {})},
    }
