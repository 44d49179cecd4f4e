"""The token automaton: any language joined to a vocabulary, lazily.

A state of the automaton is a set of readings (a subset construction). A reading is a state of the
language with a node of its site's token trie; at the root of the trie a move has just ended. The
rejecting state is None, and no token leads out of it. Inside a free text that may end, one reading
goes on with it, and others with what follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from trellis.automata.language import (
    FreeText,
    FreeTextLanguage,
    Language,
    Move,
    S,
    TaskLanguage,
    V,
    WeighedLanguage,
)
from trellis.automata.tokens.endings import Configuration, Endings, EndingSteps, Reading
from trellis.automata.tokens.free_trie import FreeTrie
from trellis.automata.tokens.masks import Mask, pack_mask
from trellis.automata.tokens.site_trie import Continuations, SiteTrie
from trellis.automata.tokens.trie import SegmentTrie
from trellis.automata.tokens.tries import SiteTries
from trellis.automata.tokens.vocabulary import Tokens, Vocabulary, tokens_of

_NOTHING: NDArray[np.int32] = np.empty(0, np.int32)

_MOST_STATES = 1 << 14
"""The most states of a language with free text that are remembered, as there is no end of them."""


class TokenAutomaton(Generic[S, V]):
    """Tells which tokens a language allows next.

    All states of one site share its trie. All automata of one vocabulary that are given the same
    `tries` share their tries too.
    """

    def __init__(
        self, language: Language[S, V], vocabulary: Vocabulary, tries: SiteTries | None = None
    ) -> None:
        self.language = language
        self.vocabulary = vocabulary
        self._free_language: FreeTextLanguage[Any, V] | None = (
            language if isinstance(language, FreeTextLanguage) else None
        )
        self._shared = tries or SiteTries()
        self._tries: dict[S, SiteTrie] = {}
        self._entries: dict[S, Configuration[S]] = {}
        self._excluded: dict[S, NDArray[np.int32]] = {}
        self._endings = Endings(
            EndingSteps(
                self._enter_state,
                self._iterate_arrivals,
                self._follow_move,
                self._can_end_at,
                language.site,
            )
        )

    @property
    def has_free_text(self) -> bool:
        """Whether sentences may contain free text, which has more than one spelling."""
        return self._free_language is not None

    @cached_property
    def alphabet(self) -> NDArray[np.intp] | None:
        """The tokens that sentences of the language's task may have, ascending, with those that end
        a text; None where that is the whole vocabulary."""
        texts = self.language.alphabet if isinstance(self.language, TaskLanguage) else ()
        if not texts:
            return None
        tokens = {token for row in self.vocabulary.spell(texts) for token in tokens_of(row)}
        return np.array(sorted(tokens | self.vocabulary.ends), np.intp)

    def start(self) -> Configuration[S]:
        return self._enter_state(self.language.start())

    def allow(self, state: Configuration[S] | None) -> Mask:
        """The mask of the allowed tokens; end-of-text is never among them, the cursor adds it."""
        return pack_mask(self.allowed_tokens(state), self.vocabulary.size)

    def allowed_tokens(self, state: Configuration[S] | None) -> NDArray[np.int32]:
        """The allowed tokens, ascending."""
        return _merge_tokens([self._find_next_tokens(reading) for reading in state or ()])

    def allowed_within(self, state: Configuration[S] | None, budget: int) -> NDArray[np.int32]:
        """The allowed tokens with which a sentence can end in at most `budget` tokens.

        Where many sentences would have to be searched for one that ends in time, a token may be
        missing; never all of them, where a sentence neither ends here nor elsewhere.
        """
        tokens = _merge_tokens(
            [self._find_fitting_tokens(reading, budget) for reading in state or ()]
        )
        if len(tokens) or state is None or self.accepting(state):
            return tokens
        return self._find_tokens_exactly(state, budget)

    def advance(self, state: Configuration[S] | None, token: int) -> Configuration[S] | None:
        """The state after one more token; None if no reading accepts it."""
        if state is not None and len(state) == 1:  # nearly always, and so it takes half the time
            return tuple(dict.fromkeys(self._follow_token(state[0], token))) or None
        readings = dict.fromkeys(
            after for reading in state or () for after in self._follow_token(reading, token)
        )
        return tuple(readings) or None

    def forced(self, state: Configuration[S]) -> tuple[Tokens, Configuration[S]]:
        """The run of tokens that must come next, and the state after it."""
        run: list[int] = []
        while not self.accepting(state):
            tokens, before = self._find_certain_tokens(state)
            if not tokens:
                break
            after = self.advance(before, tokens[-1])
            assert after is not None, "a token that is allowed is accepted"
            run += tokens
            state = after
        return tuple(run), state

    def accepting(self, state: Configuration[S] | None) -> bool:
        """Whether a sentence may end here."""
        return any(node[2] == 0 and self.language.accepting(s) for s, node in state or ())

    def find_ending_states(self, state: Configuration[S] | None) -> tuple[S, ...]:
        """The states of the language in which the sentence may end."""
        return tuple(s for s, node in state or () if node[2] == 0 and self.language.accepting(s))

    def measure_ending_loss(self, state: Configuration[S] | None) -> float:
        """What a sentence that ends here loses of its log-probability: in its best reading."""
        if not isinstance(self.language, WeighedLanguage):
            return 0.0
        return min(map(self.language.measure_ending_loss, self.find_ending_states(state)))

    def values(self, state: Configuration[S] | None) -> tuple[V, ...]:
        """All meanings of the sentence that ends here; empty where none may end."""
        return tuple(
            dict.fromkeys(
                value for s in self.find_ending_states(state) for value in self.language.values(s)
            )
        )

    def text(self, state: Configuration[S] | None) -> str | None:
        """The text of the sentence that ends here; None where none may end.

        Where the tokenizer spells several texts alike, this is one of them.
        """
        return next((self.language.text(s) for s in self.find_ending_states(state)), None)

    def distance(self, state: Configuration[S]) -> int:
        """The fewest tokens from here to an accepting state; DeadEndError where there is none."""
        distance = self._endings.find_distance(state)
        if distance is None:
            raise DeadEndError(state)
        return distance

    def _iterate_arrivals(self, reading: Reading[S]) -> Iterator[tuple[int, Move, S]]:
        """Each move that a reading can still complete: its remaining tokens, the move, and the
        state after it.

        The shortest come first.
        """
        s, node = reading
        for left, move in self._get_trie(s).iterate_endings(node):
            following = self._follow_move(s, move)
            if following is not None:
                yield left, move, following

    def _follow_move(self, s: S, move: Move) -> S | None:
        """The state after a move, or after a text at a free site."""
        if not isinstance(move, str):
            return self.language.follow(s, move)
        assert self._free_language is not None, "only a FreeTextLanguage has free sites"
        following: S | None = self._free_language.follow_text(s, move)
        return following

    def _find_certain_tokens(self, state: Configuration[S]) -> tuple[Tokens, Configuration[S]]:
        """Tokens that must come next, and the state before the last of them; empty: not certain."""
        if len(state) > 1 or len(self._find_excluded_rows(state[0][0])):
            allowed = self.allowed_tokens(state)
            return (int(allowed[0]),) if len(allowed) == 1 else (), state
        s, node = state[0]
        tokens, before = self._get_trie(s).find_certain_tokens(node)
        return tokens, ((s, before),)

    def _enter_state(self, s: S) -> Configuration[S]:
        """The readings of a text that has just reached `s`: at the root of its trie, and at the
        roots behind moves that take no token."""
        readings = self._entries.get(s)
        if readings is None:
            if self.has_free_text and len(self._entries) + len(self._endings) > _MOST_STATES:
                self._forget_states()
            readings = tuple((s, self._get_trie(s).root) for s in self._follow_silent_moves(s))
            self._entries[s] = readings
        return readings

    def _forget_states(self) -> None:
        """Forget all that was computed of states; it is computed again when it is asked for."""
        for known in (self._entries, self._tries, self._excluded, self._endings):
            known.clear()

    def _can_end_at(self, s: S) -> bool:
        """Whether a sentence may end at a language state, or behind moves that take no token."""
        return self.language.accepting(s) or self.accepting(self._enter_state(s))

    def _follow_silent_moves(self, s: S) -> list[S]:
        """A language state and all states that moves without a token lead to from it."""
        reached = {s: None}
        pending = [s]
        while pending:
            at = pending.pop()
            for move in self._get_trie(at).list_silent_moves():
                following = self._follow_move(at, move)
                if following is not None and following not in reached:
                    reached[following] = None
                    pending.append(following)
        return list(reached)

    def _get_trie(self, s: S) -> SiteTrie:
        trie = self._tries.get(s)
        if trie is None:
            trie = self._shared.get_or_build(self.language.site(s), lambda: self._build_trie(s))
            self._tries[s] = trie
        return trie

    def _build_trie(self, s: S) -> SiteTrie:
        moves = self.language.moves(s)
        if isinstance(moves, FreeText):
            return FreeTrie(moves, self.vocabulary)
        [lead] = self.vocabulary.spell([moves.lead]) if moves.lead else [b""]
        return SegmentTrie(self.vocabulary.spell(moves.texts), lead)

    def _find_excluded_rows(self, s: S) -> NDArray[np.int32]:
        """The rows of the moves that this state excludes, ascending."""
        rows = self._excluded.get(s)
        if rows is None:
            moves = self.language.list_excluded_moves(s)
            rows = self._get_trie(s).find_rows(tuple(moves)) if moves else _NOTHING
            self._excluded[s] = rows
        return rows

    def _find_next_tokens(self, reading: Reading[S]) -> NDArray[np.int32]:
        """The tokens a reading goes on with."""
        s, node = reading
        return (
            self._find_offered_tokens(reading)[0]
            if len(self._find_excluded_rows(s))
            else self._get_trie(s).list_next_tokens(node)
        )

    def _find_offered_tokens(self, reading: Reading[S]) -> tuple[NDArray[np.int32], Continuations]:
        """The tokens that continue a reading, and all that go on from its trie node."""
        s, node = reading
        children = self._get_trie(s).children(node)
        return children.list_remaining_tokens(self._find_excluded_rows(s)), children

    def _find_fitting_tokens(self, reading: Reading[S], budget: int) -> NDArray[np.int32]:
        """As `allowed_within`, for one reading.

        The shortest end below a token decides, together with what the language reserves. Only
        where these leave a doubt is an ending searched.
        """
        tokens, children = self._find_offered_tokens(reading)
        s, node = reading
        size, segments = self.language.reserve(s)
        most = size * self.vocabulary.growth + segments
        if len(tokens) == len(children.tokens):
            if children.largest_shortest + most <= budget:
                return tokens
            least = children.shortest
        else:
            least = children.shortest[np.searchsorted(children.tokens, tokens)]
            most = budget  # the shortest move may be an excluded one, so every token is in doubt
        fits = least + most <= budget
        doubtful = np.flatnonzero(~fits & (least <= budget))
        for alike in self._get_trie(s).group_alike(node, tokens, doubtful):
            after = tuple(self._follow_token(reading, int(tokens[alike[0]])))
            fits[alike] = self._endings.is_within(after, budget - 1)
        return tokens[fits]

    def _find_tokens_exactly(self, state: Configuration[S], budget: int) -> NDArray[np.int32]:
        """As `allowed_within`, however much there is to search."""
        tokens = self.allowed_tokens(state)
        if not len(tokens) or self.distance(state) > budget:
            return _NOTHING
        behind = [self.advance(state, int(token)) for token in tokens]
        return tokens[[after is not None and self.distance(after) < budget for after in behind]]

    def _follow_token(self, reading: Reading[S], token: int) -> Iterator[Reading[S]]:
        """The readings after one more token: inside the same move, or behind the moves it ends."""
        s, node = reading
        trie = self._get_trie(s)
        child = trie.child(node, token)
        if child is None:
            return
        ended, goes_on = trie.end_moves(child, self._find_excluded_rows(s))
        if goes_on:
            yield s, child
        for move in ended:
            following = self._follow_move(s, move)
            if following is not None:
                yield from self._enter_state(following)


def _merge_tokens(token_arrays: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    """The distinct tokens of all readings, ascending."""
    if len(token_arrays) == 1:
        return token_arrays[0]
    if not token_arrays:
        return _NOTHING
    token_arrays = sorted(token_arrays, key=len)
    few, many = np.unique(np.concatenate(token_arrays[:-1])), token_arrays[-1]
    at = np.searchsorted(many, few)
    fresh = many[np.minimum(at, len(many) - 1)] != few if len(many) else np.ones(len(few), np.bool_)
    return np.insert(many, at[fresh], few[fresh])


class DeadEndError(AssertionError):
    """A language broke its contract: no accepting state can be reached from here."""
