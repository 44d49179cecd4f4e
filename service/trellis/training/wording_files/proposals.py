"""The phrases that a hosted model proposes for a wording file, and what is refused of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.lexicon.wording_file import Wording
from trellis.training.wording_files.skeleton import iterate_properties, list_end_labels

MOST_WORDS = 12
"""Words of a phrase, at most."""

_KINDS = {"relations": ("nouns", "asks", "clauses"), "properties": ("nouns", "asks")}
_SLOT = "{}"


@dataclass(frozen=True, slots=True)
class PhraseMeaning:
    """What phrases are proposed for: a direction of a relation, or a property.

    `key`: `TYPE` or `^TYPE`; `Owner.property`. `pattern`: it in Cypher, with `X` for the thing that
    is asked about and `?` for what is asked for.
    """

    part: str
    key: str
    pattern: str

    @property
    def kinds(self) -> tuple[str, ...]:
        """The lists that it may have phrases in."""
        return _KINDS[self.part]

    def find_entry(self, wording: Wording) -> Mapping[str, Any]:
        """What a wording says of it."""
        step = Step.parse(self.key)
        name = self.key if self.part == "properties" else step.relation
        entry: Mapping[str, Any] = wording[self.part].get(name, {})
        return entry["back"] if self.part == "relations" and step.reversed else entry


@dataclass(frozen=True, slots=True)
class Proposal:
    """A phrase for a meaning, in the list `kind`; `{}` stands for the thing."""

    meaning: PhraseMeaning
    kind: str
    phrase: str

    @property
    def example(self) -> str:
        """The phrase as a person would say it of a thing X."""
        return f"the {self.phrase} of X" if self.kind == "nouns" else self.phrase.replace("{}", "X")


@dataclass(frozen=True, slots=True)
class Refusals:
    """How many phrases were refused: for their form, because something else is called so, and
    because they were not understood."""

    malformed: int = 0
    taken: int = 0
    misread: int = 0


def list_meanings(schema: Schema) -> list[PhraseMeaning]:
    """Both directions of every relation, and every property."""
    steps = [Step(name, back) for name in schema.relation_types for back in (False, True)]
    relations = [PhraseMeaning("relations", str(step), _draw_step(schema, step)) for step in steps]
    types = set(schema.relation_types)
    properties = [
        PhraseMeaning("properties", f"{owner}.{kind.name}", _draw_property(owner, kind.name, types))
        for owner, kind in iterate_properties(schema)
    ]
    return [*relations, *properties]


def parse_proposals(text: str, meanings: Sequence[PhraseMeaning]) -> tuple[list[Proposal], int]:
    """The phrases of a model's JSON lines for some meanings, by their numbers from 1; and how many
    lines are none. A line is `{"of": 1, "kind": "asks", "phrase": "…"}`."""
    lines = [line.strip().rstrip(",") for line in text.splitlines()]
    proposals = [_parse_line(line, meanings) for line in lines if line.startswith("{")]
    kept = [proposal for proposal in proposals if proposal]
    return kept, len(proposals) - len(kept)


def check_proposals(
    proposals: Iterable[Proposal], wording: Wording
) -> tuple[list[Proposal], Refusals]:
    """The proposals that are well formed and new, and that nothing else is called by; and how many
    are not.

    A phrase that is proposed for two meanings belongs to neither. What a meaning has already is
    left out without being counted.
    """
    neat = [replace(proposal, phrase=_tidy_phrase(proposal.phrase)) for proposal in proposals]
    formed = list(dict.fromkeys(proposal for proposal in neat if _is_well_formed(proposal)))
    have = {
        (meaning, phrase)
        for meaning in {proposal.meaning for proposal in formed}
        for phrase in _list_phrases(meaning.find_entry(wording))
    }
    new = [proposal for proposal in formed if (proposal.meaning, proposal.phrase) not in have]
    owners = _count_owners(wording, new)
    free = [proposal for proposal in new if owners[proposal.phrase] == 1]
    malformed = sum(not _is_well_formed(proposal) for proposal in neat)
    return free, Refusals(malformed, len(new) - len(free))


def add_proposals(wording: Wording, proposals: Sequence[Proposal]) -> Wording:
    """A wording with further phrases behind those that it has."""
    relations = {name: dict(entry) for name, entry in wording["relations"].items()}
    properties = {name: dict(entry) for name, entry in wording["properties"].items()}
    for proposal in proposals:
        step = Step.parse(proposal.meaning.key)
        if proposal.meaning.part == "properties":
            entry = properties[proposal.meaning.key]
        elif step.reversed:
            entry = relations[step.relation]["back"] = dict(relations[step.relation]["back"])
        else:
            entry = relations[step.relation]
        entry[proposal.kind] = [*entry.get(proposal.kind, ()), proposal.phrase]
    return {**wording, "relations": relations, "properties": properties}


def _draw_step(schema: Schema, step: Step) -> str:
    """`(X:Customer)-[:BOUGHT]->(?:Product)`; the arrow backwards for the other direction."""
    back = step.turn()
    thing, asked = (
        "|".join(filter(None, list_end_labels(schema, direction))) for direction in (back, step)
    )
    start, end = ("<-", "-") if step.reversed else ("-", "->")
    ends = [f":{labels}" if labels else "" for labels in (thing, asked)]
    return f"(X{ends[0]}){start}[:{step.relation}]{end}(?{ends[1]})"


def _draw_property(owner: str, name: str, types: set[str]) -> str:
    if owner in types:
        return f"property {name} of relationship [X:{owner}]"
    return f"property {name} of (X:{owner})"


def _parse_line(line: str, meanings: Sequence[PhraseMeaning]) -> Proposal | None:
    try:
        body: Any = json.loads(line)
        number, kind, phrase = body["of"], body["kind"], body["phrase"]
    except (ValueError, TypeError, KeyError):
        return None
    if type(number) is not int or not 1 <= number <= len(meanings):
        return None
    meaning = meanings[number - 1]
    if kind not in meaning.kinds or not isinstance(phrase, str):
        return None
    return Proposal(meaning, kind, phrase)


def _tidy_phrase(text: str) -> str:
    """In lower case, with single spaces, and without a mark at its end."""
    return " ".join(text.lower().split()).rstrip("?.! ")


def _is_well_formed(proposal: Proposal) -> bool:
    """Whether a phrase has words, not too many, and the thing where it must stand, once."""
    words, wanted = proposal.phrase.split(), 0 if proposal.kind == "nouns" else 1
    rest = proposal.phrase.replace(_SLOT, "")
    return (
        proposal.phrase.count(_SLOT) == wanted
        and "{" not in rest
        and "}" not in rest
        and any(letter.isalpha() for letter in rest)
        and len(words) <= MOST_WORDS
    )


def _list_phrases(entry: Mapping[str, Any]) -> Iterator[str]:
    for kind in ("nouns", "asks", "clauses"):
        yield from entry.get(kind, ())


def _count_owners(wording: Wording, proposals: Iterable[Proposal]) -> Counter[str]:
    """By how many meanings each phrase is had or proposed."""
    owned = {(proposal.meaning.key, proposal.phrase) for proposal in proposals}
    for name, entry in wording["relations"].items():
        owned |= {(name, phrase) for phrase in _list_phrases(entry)}
        owned |= {(f"^{name}", phrase) for phrase in _list_phrases(entry.get("back", {}))}
    for name, entry in wording["properties"].items():
        owned |= {(name, phrase) for phrase in _list_phrases(entry)}
    return Counter(phrase for _, phrase in owned)
