"""The phrases by which questions speak of a graph's relations, forwards and backwards."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from trellis.domain.grammar_words import BEING
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.lexicon.full_names import find_full_name
from trellis.lexicon.label_kinds import is_agent, is_person, is_time
from trellis.lexicon.names import (
    NAMELESS,
    PREPOSITIONS,
    NameWords,
    read_name,
    strip_endings,
    tells_kind,
)
from trellis.lexicon.plurals import is_plural, make_plural
from trellis.lexicon.property_phrases import PropertyLexicon, PropertyPhrases
from trellis.lexicon.relations.derived_phrases import derive_phrases, find_verb, read_as_passive
from trellis.lexicon.relations.own_words import DistinctiveRelationWords
from trellis.lexicon.relations.phrases import Phrases
from trellis.lexicon.relations.relation_words import split_phrase
from trellis.lexicon.relations.verb_groups import find_taken
from trellis.lexicon.relations.verbs import make_third, read_participle, read_third
from trellis.lexicon.wording_file import read_wording
from trellis.linking.names.spans import FUNCTION_WORDS

_FIRST_NAME = "first name"
_LEAST_SAID = 4  # letters of a word of a name or value by which it is known in a phrase
_FEW = 8  # concepts: a word of more says nothing of any
_PLACED = frozenset(("lie", "lies", "located", "sits", "situated", "stand", "stands"))
"""Verbs for being somewhere."""
_BE = (*BEING, "be")
_ASKS_PERSON = re.compile(r"(?:by |to |for |with )?whom?\b")
_ASKS_THING = re.compile(r"(?:from |in |at )?(?:what|where|how (?:much|long|often))\b")
_SUBJECTS = (
    "airport",
    "album",
    "band",
    "book",
    "club",
    "company",
    "crime",
    "doctor",
    "film",
    "gene",
    "movie",
    "officer",
    "paper",
    "player",
    "protein",
    "school",
    "song",
    "team",
    "university",
)
"""Kinds of things of which the lexicon speaks where it fits no other kind."""


@dataclass(frozen=True, eq=False)
class Phrasebook:
    """The phrases of each concept by its id, nouns for labels, and idioms for two concepts."""

    concepts: Mapping[str, Mapping[str, Any]]
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
        own_nouns = book.list_own_nouns(schema, shared=shares_nouns)
        book = replace(book, types={**book.types, **own_nouns})
        types = {kind.type for kind in schema.relationships}
        verbs = (find_verb(read_name(name)) for name in types)
        book = replace(
            book,
            shared_concepts=book.list_shared_concepts(schema),
            own_words=DistinctiveRelationWords.of_schema(schema),
            first_names=frozenset(_find_first_names(schema)),
            taken_verbs=find_taken(filter(None, verbs)),
            foreign_nouns=book.list_foreign_nouns(schema),
        )
        return replace(book, unclear_idioms=book.list_unclear_idioms(schema))

    def list_unclear_idioms(self, schema: Schema) -> frozenset[str]:
        """The noun phrases for nodes that have or lack a relation which say something else in a
        schema, too: another relation of the same nodes, a value or a property: what is `idle` may
        have nothing to work on, nothing to look into, or that status."""
        said = defaultdict[tuple[str, str], set[str]](set)
        for kind in schema.relationships:
            for step, start in (
                (Step(kind.type), kind.start_label),
                (Step(kind.type, True), kind.end_label),
            ):
                phrases = self._find_known(step)
                for idiom in (*phrases.some, *phrases.none):
                    said[start, idiom].add(kind.type)
        kinds = [kind for _, kind in schema.iterate_properties()]
        values = [str(value) for kind in kinds for value in kind.values]
        texts = [*values, *(read_name(kind.name).text for kind in kinds)]
        words = {strip_endings(word) for text in texts for word in split_phrase(text)}
        words = {word for word in words.difference(PREPOSITIONS) if len(word) >= _LEAST_SAID}
        return frozenset(
            idiom
            for (_, idiom), types in said.items()
            if len(types) > 1 or not words.isdisjoint(map(strip_endings, split_phrase(idiom)))
        )

    def list_shared_concepts(self, schema: Schema) -> frozenset[str]:
        """The concepts that several relationship types between the same labels stand for, each by a
        verb of its own: who rated and reviewed toys did two things, while rivers flow and mountains
        run through a country.
        """
        verbs = defaultdict[tuple[str, str, str], set[str]](set)
        for kind in schema.relationships:
            concept, verb = self.concept_of(kind.type), find_verb(read_name(kind.type))
            if concept and verb:
                verbs[concept, kind.start_label, kind.end_label].add(verb)
        return frozenset(concept for (concept, *_), said in verbs.items() if len(said) > 1)

    def list_own_nouns(
        self, schema: Schema, *, shared: bool = False
    ) -> Mapping[str, tuple[str, ...]]:
        """The nouns of a schema's labels, by their names in words, without those of the lexicon
        that name a property or a relationship of it, and, unless `shared`, those that several
        labels may be called by: who has doctors and practitioners calls each by its name.
        """
        texts = [" ".join(read_name(k.label).words) for k in schema.labels if tells_kind(k.label)]
        nouns = {text: self.type_nouns(text) for text in texts}
        meant = Counter(
            noun for its in nouns.values() for noun in {strip_endings(each) for each in its}
        )
        properties = {kind.name for _, kind in schema.iterate_properties()}
        names = properties.union(kind.type for kind in schema.relationships)
        said = {strip_endings(read_name(name).core) for name in names}
        if not shared:
            said.update(map(strip_endings, texts))
        return {
            text: tuple(
                noun
                for noun in its
                if text in self.own_types
                or noun in (text, make_plural(text))
                or (strip_endings(noun) not in said and (shared or meant[strip_endings(noun)] == 1))
            )
            for text, its in nouns.items()
        }

    def list_foreign_nouns(self, schema: Schema) -> frozenset[str]:
        """The nouns of subjects that no name of a schema says; none where some label does not say
        what its nodes are."""
        labels = [kind.label for kind in schema.labels if kind.label]
        if not labels or not all(map(tells_kind, labels)):
            return frozenset()
        names = [*labels, *(kind.type for kind in schema.relationships)]
        words = {strip_endings(word) for name in names for word in read_name(name).words}
        own = {noun for label in labels for noun in self.type_nouns(label)}
        nouns = {"music", *(noun for subject in _SUBJECTS for noun in self.types[subject])}
        return frozenset(noun for noun in nouns - own if strip_endings(noun) not in words)

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
            general["concepts"],
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
        name = self._read_relation(step.relation)
        back = step.reversed != name.inverse
        types = self.type_nouns(label) or (_list_holders(name) if back else ())
        known = _fit_end(self._find_known(step), label)
        active = read_as_passive(name)
        derived = derive_phrases(active, step.reversed != active.inverse, types, self.taken_verbs)
        nouns = (noun for noun in derived.nouns if not self.own_words.is_other(noun, step.relation))
        derived = replace(derived, nouns=tuple(nouns))
        return known.join_phrases(derived) if known.nouns or known.asks else derived

    def knows_step(self, step: Step) -> bool:
        """Whether a step has phrases beside those that the relation's name gives."""
        known = self._find_known(step)
        return bool(known.nouns or known.asks)

    def knows_label(self, label: str) -> bool:
        """Whether a label has nouns beside its own name."""
        text = " ".join(read_name(label).words)
        return not {text, make_plural(text)}.issuperset(self.type_nouns(label))

    def names_kind(self, noun: str) -> bool:
        """Whether a noun, or its singular, is a kind of thing by itself in the lexicon."""
        return noun in self.types or strip_endings(noun) in self.types

    def is_inherited(self, step: Step) -> bool:
        """Whether what belongs to something has what a step leads to from that, as a currency."""
        meaning = self.meaning_of(step)
        return bool(meaning and self.concepts[meaning].get("inherited"))

    def is_part_of_step(self, step: Step) -> bool:
        """Whether a step leads from something to what it lies in or is part of: IN_COUNTRY, and
        LAKE_IN and STANDS_IN, which no concept has."""
        name = read_name(step.relation)
        if concept := self.concept_of(step.relation):
            return not self._is_back(step) and bool(self.concepts[concept].get("whole"))
        is_placed = not find_verb(name) or name.words[0] in _PLACED
        return not step.reversed and name.words[-1] == "in" and is_placed

    def knows_property(self, owner: str, kind: PropertyKind) -> bool:
        """Whether a property has phrases beside those that its name gives."""
        own = self.own_properties.keys() & {f"{owner}.{kind.name}", kind.name}
        return bool(own) or self.properties.knows_property(kind)

    def concept_of(self, relation: str) -> str | None:
        """The concept that the name of a relation stands for."""
        return self._find_concept(self._read_relation(relation))

    def _read_relation(self, relation: str) -> NameWords:
        """The words of a relation's name; a verb that no concept has as it stands in the form that
        one has: `reviewed` of `reviewed by`, and `directed by` of `directed`."""
        name = read_name(relation)
        if self._find_concept(name):
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
        return step.reversed != self._read_relation(step.relation).inverse

    def _find_concept(self, name: NameWords) -> str | None:
        if name.text in self._verbs:
            return self._verbs[name.text]
        is_passive = name.words[0] in _BE and read_participle(name.core) is not None
        tries = (name.text,) if is_passive else dict.fromkeys((name.text, name.core, name.noun))
        names = self._names
        found = (names[key] for text in tries if (key := strip_endings(text)) in names)
        return next(found, self._verbs.get(make_third(name.text)))

    def inverse_of(self, step: Step) -> str | None:
        """The concept that has the meaning of a step walked backwards; None for other steps."""
        concept = self.concept_of(step.relation)
        back = self._is_back(step)
        return self.concepts[concept].get("inverse") if concept and back else None

    def meaning_of(self, step: Step) -> str | None:
        """The concept that has the meaning of a step in the direction in which it is walked."""
        back = self._is_back(step)
        return self.inverse_of(step) if back else self.concept_of(step.relation)

    def is_exclusive_to_subject(self, step: Step) -> bool:
        """Whether what a step leads to is its start's own: a capital, as a currency is not."""
        meaning = self.meaning_of(step)
        return bool(meaning and self.concepts[meaning].get("own"))

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
        name = self._read_relation(step.relation)
        back = step.reversed != name.inverse
        holders = () if back else _list_holders(name)
        concept = self.concept_of(step.relation)
        if holders or concept is None or self.concepts[concept].get("inverse"):
            return holders
        return self._find_known(step.turn()).nouns

    def idiom_of(self, steps: Sequence[Step]) -> tuple[str, ...]:
        """Nouns for two steps together: a parent's parent is a grandparent."""
        concepts = [self.meaning_of(step) for step in steps]
        return self.idioms.get(tuple(concept or "" for concept in concepts), ())

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """The concepts by their names without endings; `blocks` is a verb, and no name of what has
        a block."""
        concepts = reversed(list(self.concepts.items()))  # the first of two wins
        return {
            strip_endings(name): id
            for id, concept in concepts
            for name in concept["names"]
            if not (name.endswith("s") and name in self._verbs)
        }

    @cached_property
    def _verbs(self) -> Mapping[str, str]:
        """The concepts by those of their names that say what somebody does: `likes`, `reviewed`."""
        concepts = reversed(list(self.concepts.items()))
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

    def _find_known(self, step: Step) -> Phrases:
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
        id = self.concept_of(step.relation)
        concept = self.concepts[id] if id and id not in self.shared_concepts else {}
        if self._is_back(step):
            inverse = concept.get("inverse")
            concept = self.concepts[inverse] if inverse else concept.get("back", {})
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


def _says_act(name: str, concept: Mapping[str, Any]) -> bool:
    """Whether a concept's name is a verb of which its questions ask who does so."""
    asks = concept.get("back", {}).get("asks", ())
    return " " not in name and any(re.fullmatch(rf"wh\w+ {re.escape(name)} {{}}", a) for a in asks)


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


def _find_first_names(schema: Schema) -> Iterator[tuple[str, str]]:
    """The properties `name` of labels that have a surname as well, which hold first names."""
    for label in schema.labels:
        full = find_full_name(label)
        if full and full.first.lower() == "name":
            yield label.label, full.first
