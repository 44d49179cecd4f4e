"""The language of schema graphs.

    "ENT1" -> directed_by -> [ENT1] ; [ENT1] -> place_of_birth -> [ENT2]

For each assertion of a decomposition, in their order, it says a relation of the live schema, and
whether this leads from the assertion's subject to its object. The entities are the assertions' own.
Relations are said only where the labels of all nodes still fit together, and no triple twice.
Source: STEM, section 3.2; the text is ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from trellis.automata.language import MoveId, Moves
from trellis.automata.paths.segments import digest_texts, lead_text, measure_longest, step_text
from trellis.automata.schema_graphs.kinds import (
    Constraint,
    Domains,
    RelationKinds,
    narrow_domains,
)
from trellis.domain.errors import InputError
from trellis.domain.graphs.graph import Step
from trellis.domain.structures.decompositions import name_entity
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternNode,
    PatternTriple,
    QuestionPattern,
    UnknownNode,
)

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SchemaGraphState:
    """A sentence so far.

    `options`: the numbers of the options said. `is_open`: whether the object of the last one comes.
    `domains`: the labels that the entities may have; empty where nothing can be said at all.
    """

    text: str
    options: tuple[int, ...]
    is_open: bool
    domains: Domains

    def __hash__(self) -> int:
        return hash((self.options, self.is_open))


class SchemaGraphLanguage:
    """The schema graphs of assertions over `pairs` of entities, of which `asked` is asked for.

    `mentions`: how many entities, the first ones, are mentions. `domains`: for each entity the
    labels that it may have. Raises InputError where the pairs are none of a decomposition.
    """

    def __init__(
        self,
        mentions: int,
        pairs: Pairs,
        asked: int,
        kinds: RelationKinds,
        domains: Domains | None = None,
    ) -> None:
        count = 1 + max((end for pair in pairs for end in pair), default=-1)
        self.mentions = mentions
        self.pairs = pairs
        self.asked = asked
        self.kinds = kinds
        self.domains = domains or (kinds.every_label,) * count
        _check_pairs(self, count)
        self._texts = tuple(
            step_text(Step(kinds.types[kind], back)) for kind, back in kinds.options
        )
        self._digest = digest_texts(["schema graph", *self._texts])
        self._excluded: dict[SchemaGraphState, tuple[MoveId, ...]] = {}

    def start(self) -> SchemaGraphState:
        return self._start

    def is_empty(self) -> bool:
        """Whether there is no sentence at all: relations do not fit the assertions."""
        return not self.start().domains

    def site(self, state: SchemaGraphState) -> Hashable:
        if state.is_open or self._is_whole(state) or not state.domains:
            return ("schema graph node", *self.moves(state).texts, self.moves(state).lead)
        return self._digest, self.moves(state).lead

    def moves(self, state: SchemaGraphState) -> Moves:
        if state.is_open:
            _, back = self.kinds.options[state.options[-1]]
            other = name_entity(self.pairs[len(state.options) - 1][1], self.mentions)
            return Moves((f" {other}",), lead=lead_text(Step("", back)))
        if self._is_whole(state) or not state.domains:
            return Moves(())
        before = " ; " if state.options else " "
        subject = name_entity(self.pairs[len(state.options)][0], self.mentions)
        return Moves(self._texts, lead=f"{before}{subject}")

    def list_excluded_moves(self, state: SchemaGraphState) -> Collection[MoveId]:
        if state.is_open or self._is_whole(state) or not state.domains:
            return ()
        excluded = self._excluded.get(state)
        if excluded is None:
            moves = range(len(self._texts))
            excluded = tuple(move for move in moves if not self._can_say(state, move))
            self._excluded[state] = excluded
        return excluded

    def follow(self, state: SchemaGraphState, move: MoveId) -> SchemaGraphState | None:
        said = self.moves(state).text_of(move)
        if state.is_open:
            return replace(state, text=state.text + said, is_open=False)
        if move in self.list_excluded_moves(state):
            return None
        options = (*state.options, move)
        domains = self._narrow(options)
        assert domains is not None, "an option that was offered does not fit"
        return SchemaGraphState(state.text + said, options, True, domains)

    def accepting(self, state: SchemaGraphState) -> bool:
        return self._is_whole(state) and not state.is_open

    def values(self, state: SchemaGraphState) -> tuple[QuestionPattern, ...]:
        return (self.build_pattern(state.options),)

    def text(self, state: SchemaGraphState) -> str:
        return state.text

    def reserve(self, state: SchemaGraphState) -> tuple[int, int]:
        left = len(self.pairs) - len(state.options)
        entity = measure_longest([f" ; [ENT{len(self.domains)}]"])
        longest = self._longest_text
        return (left + 1) * (2 * entity + 3 + longest), 4 * (left + 1)

    def build_pattern(self, options: Sequence[int]) -> QuestionPattern:
        """The pattern of some options; its triples come in the order of the assertions."""
        entities = list(dict.fromkeys(end for pair in self.pairs for end in pair))
        place = {entity: i for i, entity in enumerate(entities)}
        triples = []
        for (subject, other), option in zip(self.pairs, options, strict=False):
            kind, back = self.kinds.options[option]
            head, tail = (other, subject) if back else (subject, other)
            triples.append(PatternTriple(place[head], self.kinds.types[kind], place[tail]))
        return QuestionPattern(tuple(self._build_nodes(entities)), tuple(triples))

    def _build_nodes(self, entities: Sequence[int]) -> list[PatternNode]:
        nodes: list[PatternNode] = []
        number = 0
        for entity in entities:
            if entity < self.mentions:
                nodes.append(MentionNode(entity))
            elif entity == self.asked:
                nodes.append(UnknownNode(0, is_asked=True))
            else:
                number += 1
                nodes.append(UnknownNode(number))
        return nodes

    def _is_whole(self, state: SchemaGraphState) -> bool:
        return len(state.options) == len(self.pairs)

    def _can_say(self, state: SchemaGraphState, move: MoveId) -> bool:
        """Whether an option fits, and is no triple that was said."""
        at = len(state.options)
        if self._name_triple(at, move) in map(self._name_triple, range(at), state.options):
            return False
        subject, other = self.pairs[at]
        pairs = self.kinds.pairs_of[self.kinds.options[move]]
        if not any(a in state.domains[subject] and b in state.domains[other] for a, b in pairs):
            return False
        return self._is_tree or self._narrow((*state.options, move)) is not None

    def _name_triple(self, at: int, option: int) -> tuple[int, int, int]:
        kind, back = self.kinds.options[option]
        subject, other = self.pairs[at]
        return (other, kind, subject) if back else (subject, kind, other)

    def _narrow(self, options: Sequence[int]) -> Domains | None:
        """The labels that are left behind some options; None where nothing fits any more."""
        constraints: list[Constraint] = [
            (subject, other, self.kinds.pairs_of[self.kinds.options[option]])
            for (subject, other), option in zip(self.pairs, options, strict=False)
        ]
        return narrow_domains(self.domains, [*constraints, *self._joints], is_tree=self._is_tree)

    @cached_property
    def _start(self) -> SchemaGraphState:
        return SchemaGraphState("", (), False, self._narrow(()) or ())

    @cached_property
    def _joints(self) -> tuple[Constraint, ...]:
        """For each two entities that are joined, between which labels as many relations lead."""
        times = Counter(frozenset(pair) for pair in self.pairs)
        return tuple(
            (min(ends), max(ends), self.kinds.list_joined(count)) for ends, count in times.items()
        )

    @cached_property
    def _is_tree(self) -> bool:
        entities = {end for pair in self.pairs for end in pair}
        return len(self.pairs) == len(entities) - 1

    @cached_property
    def _longest_text(self) -> int:
        return measure_longest(self._texts)


def _check_pairs(language: SchemaGraphLanguage, count: int) -> None:
    entities = {end for pair in language.pairs for end in pair}
    reached = set(language.pairs[0]) if language.pairs else set()
    for _ in language.pairs:
        reached |= {end for pair in language.pairs if reached & {*pair} for end in pair}
    for holds, problem in (
        (bool(language.pairs), "there is no assertion"),
        (all(a != b for a, b in language.pairs), "an assertion speaks of one entity alone"),
        (reached == entities, "the assertions fall into several parts"),
        (
            language.asked in entities and language.asked >= language.mentions,
            "no unknown entity is asked for",
        ),
        (len(language.domains) >= count, "an entity has no labels"),
    ):
        if not holds:
            raise InputError(problem, "give the assertions of one decomposition")
