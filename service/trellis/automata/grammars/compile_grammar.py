"""Compile a language into a grammar: a rule for each state, or for like states where they are many.

States are alike that have the same site, behind the same site. Rules that say the same are one.

Source: grammar-constrained decoding by others' servers (XGrammar, llguidance, GBNF of llama.cpp).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import Any

from trellis.automata.grammars.grammar import END, Choices, FreeChoice, Grammar
from trellis.automata.language import FreeText, Language, Moves

Place = tuple[Any, Hashable]
"""A state, and the site before it, which tells it from others of its site."""


@dataclass(frozen=True, slots=True)
class GrammarBounds:
    """How large a grammar may get: `rules`, and the `characters` of its texts.

    `steps`: moves that are followed in all. `states`: states of one site that are looked at where
    rules are of sites; what these lack is taken to be so for all.
    """

    rules: int = 1_500
    characters: int = 200_000
    steps: int = 20_000
    states: int = 4


def compile_grammar(
    language: Language[Any, Any], bounds: GrammarBounds | None = None
) -> Grammar | None:
    """The grammar of a language; None where it has no sentence, or does not fit the bounds.

    It is exact where the language's states are few. Else like states share a rule. A grammar that
    only begins a language is worse than none: it would keep a model from what it should say.
    """
    limits = bounds or GrammarBounds()
    few = replace(limits, states=1, steps=limits.steps // 4)
    for keys, within in (("state", few), ("site behind site", few), ("site", limits)):
        exploration = _Exploration(language, within, keys)
        if exploration.explore():
            return exploration.build()
    return None


@dataclass
class _Rule:
    """What can be said in the states of a key: texts, and for each the keys behind it."""

    said: dict[str, dict[Hashable, None]] = field(default_factory=dict)
    free: dict[FreeText, dict[Hashable, None]] = field(default_factory=dict)
    can_end: bool = False
    looked_at: int = 0


class _Exploration:
    """Walks a language by the length of its sentences, so that a bound leaves out the longest."""

    def __init__(self, language: Language[Any, Any], bounds: GrammarBounds, keys: str) -> None:
        """`keys`: what has a rule: each `state`, a `site behind site`, or a `site`."""
        self._language = language
        self._bounds = bounds
        self._keys = keys
        self._rules: dict[Hashable, _Rule] = {}
        self._characters = self._steps = 0

    def explore(self) -> bool:
        """Follow all moves; False where a bound was reached."""
        first: Place = (self._language.start(), None)
        queue, seen = [(0, 0, first)], {first}
        while queue:
            _, _, place = heappop(queue)
            rule = self._rules.setdefault(self._key(place), _Rule())
            if rule.looked_at >= self._bounds.states:
                continue
            rule.looked_at += 1
            rule.can_end = rule.can_end or self._language.accepting(place[0])
            for after in self._follow(place, rule):
                if after not in seen:
                    seen.add(after)
                    heappush(queue, (self._estimate_length(after[0]), len(seen), after))
            if self._is_full():
                return False
        return True

    def _key(self, place: Place) -> Hashable:
        state, before = place
        return state if self._keys == "state" else (self._language.site(state), before)

    def _go(self, place: Place, after: Any) -> Place:
        """The place of a state behind another one."""
        is_told = self._keys == "site behind site"
        return after, self._language.site(place[0]) if is_told else None

    def _estimate_length(self, state: Any) -> int:
        """The length of the shortest sentence that goes through a state, at most."""
        return len(self._language.text(state)) + self._language.reserve(state)[0]

    def _is_full(self) -> bool:
        return (
            len(self._rules) >= self._bounds.rules
            or self._characters >= self._bounds.characters
            or self._steps >= self._bounds.steps
        )

    def _follow(self, place: Place, rule: _Rule) -> Iterator[Place]:
        moves = self._language.moves(place[0])
        if isinstance(moves, Moves):
            yield from self._follow_moves(place, moves, rule)
        elif (after := self._follow_words(place[0], moves)) is not None:
            behind = self._go(place, after)
            rule.free.setdefault(moves, {})[self._key(behind)] = None
            yield behind

    def _follow_words(self, state: Any, free: FreeText) -> Any:
        """The state behind a text that stands for all; what is told `apart` is not looked at."""
        sample = next(text for text in ("words", "some words") if text not in free.apart)
        return self._language.follow_text(state, sample)  # type: ignore[attr-defined]

    def _follow_moves(self, place: Place, moves: Moves, rule: _Rule) -> Iterator[Place]:
        excluded = set(self._language.list_excluded_moves(place[0]))
        for move in range(len(moves)):
            after = None if move in excluded else self._language.follow(place[0], move)
            self._steps += 1
            if after is None:
                continue
            text, behind = moves.text_of(move), self._go(place, after)
            self._characters += 0 if text in rule.said else len(text)
            rule.said.setdefault(text, {})[self._key(behind)] = None
            yield behind
            if self._steps >= self._bounds.steps or self._characters >= self._bounds.characters:
                return

    def build(self) -> Grammar | None:
        """The rules that lead to an end, the first of which begins sentences."""
        start = self._key((self._language.start(), None))
        ending = self._find_ending()
        if start not in ending:
            return None
        kept = [start, *(key for key in self._rules if key in ending and key != start)]
        numbers = {key: number for number, key in enumerate(kept)}
        rules = [self._build_rule(key, numbers) for key in kept]
        return Grammar(_join_equal_rules(rules), self._keys == "state")

    def _find_ending(self) -> set[Hashable]:
        """The keys of rules from which an end is reached."""
        before: dict[Hashable, list[Hashable]] = {}
        for key, rule in self._rules.items():
            for ways in (*rule.said.values(), *rule.free.values()):
                for after in ways:
                    before.setdefault(after, []).append(key)
        ending = {key for key, rule in self._rules.items() if rule.can_end}
        pending = list(ending)
        while pending:
            for key in before.get(pending.pop(), ()):
                if key not in ending:
                    ending.add(key)
                    pending.append(key)
        return ending

    def _build_rule(
        self, key: Hashable, numbers: dict[Hashable, int]
    ) -> tuple[Choices | FreeChoice, ...]:
        rule = self._rules[key]
        by_rule: dict[int, list[str]] = {}
        for text, ways in rule.said.items():
            for after in ways:
                if after in numbers:
                    by_rule.setdefault(numbers[after], []).append(text)
        choices: list[Choices | FreeChoice] = [
            Choices(tuple(texts), then) for then, texts in by_rule.items()
        ]
        choices += [
            FreeChoice(free.lead, free.stop, free.max_tokens, numbers[after])
            for free, ways in rule.free.items()
            for after in ways
            if after in numbers
        ]
        return (*choices, Choices((), END)) if rule.can_end else tuple(choices)


def _join_equal_rules(
    rules: Sequence[tuple[Choices | FreeChoice, ...]],
) -> tuple[tuple[Choices | FreeChoice, ...], ...]:
    """The rules without those that say what another one says, until none are equal."""
    while True:
        first: dict[tuple[Choices | FreeChoice, ...], int] = {}
        numbers = [first.setdefault(rule, len(first)) for rule in rules]
        if len(first) == len(rules):
            return tuple(rules)
        rules = [_renumber(rule, numbers) for rule in first]


def _renumber(
    rule: Sequence[Choices | FreeChoice], numbers: Sequence[int]
) -> tuple[Choices | FreeChoice, ...]:
    """A rule with other numbers of the rules behind it; choices of one rule are joined."""
    by_rule: dict[int, list[str]] = {}
    others: list[Choices | FreeChoice] = []
    for choice in rule:
        if choice.then == END:
            others.append(choice)
        elif isinstance(choice, FreeChoice):
            others.append(replace(choice, then=numbers[choice.then]))
        else:
            by_rule.setdefault(numbers[choice.then], []).extend(choice.texts)
    joined = (Choices(tuple(dict.fromkeys(texts)), then) for then, texts in by_rule.items())
    return (*joined, *others)
