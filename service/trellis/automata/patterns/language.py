"""The language of patterns.

    ENT1 <- starred actors <- UNKNOWN 1 -> release year -> ASKED
    ENT1 -> directed by -> UNKNOWN 1 (person) ; ENT2 -> written by -> UNKNOWN 1 -> born in -> ASKED

A triple is a node, a relation between arrows that point from head to tail, and another node. It
goes on from the node before it; behind `;` it goes on from another one, of which one that was not
said before has to lead to one that was. `ENT1` is the question's first mention. Unknown nodes are
numbered as they appear, and their kind may stand in brackets behind the first appearance. `ASKED`
is the node that is asked for. No triple is said twice or joins a node to itself.
Source: SimGRAG, sections 4.1 and 4.3; the text is ours.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property

from trellis.automata.language import SHORTEST_TEXT, FreeText, MoveId, Moves
from trellis.automata.paths.segments import digest_texts, lead_text, measure_longest
from trellis.automata.paths.walks import Walks
from trellis.automata.patterns.order import put_in_order
from trellis.automata.patterns.state import (
    PatternMoves,
    PatternState,
    say_node_text,
)
from trellis.automata.patterns.words import PatternWords, say_kinds, say_relations
from trellis.domain.errors import InputError
from trellis.domain.graphs.graph import Step
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternNode,
    QuestionPattern,
    UnknownNode,
    is_asked,
)

MOST_TRIPLES = 6
"""The most triples that a pattern may have."""

STOP = frozenset("<>;()")
"""What ends a text in any words: arrows, brackets, and the sign between triples."""

_MOST_STATES = 1 << 14
"""The most states whose moves are remembered; with free text there is no end of states."""

RESUME, OPEN, CLOSE = " ;", " (", ")"
"""What stands before a node that was said before, and around a kind."""

ARROWS = (lead_text(Step("")), lead_text(Step("", True)))
"""What points from head to tail: on the way there, and back."""


class PatternLanguage:
    """The patterns with `mentions` mentions, whose relations and kinds are said in some words.

    Exactly one node is asked for: a pattern that has used all but its last triple can only end in
    it. `walks`: paths over the graph's schema, for a model that says patterns by these. Raises
    InputError for numbers that are out of range.
    """

    def __init__(
        self,
        mentions: int,
        relations: PatternWords,
        kinds: PatternWords,
        *,
        most_triples: int = MOST_TRIPLES,
        walks: Walks | None = None,
    ) -> None:
        if mentions < 0 or not 1 <= most_triples <= MOST_TRIPLES:
            raise InputError(
                f"patterns of {mentions} mentions and up to {most_triples} triples",
                f"give 0 or more mentions, and 1 to {MOST_TRIPLES} triples",
            )
        self.mentions = tuple(map(MentionNode, range(mentions)))
        self.relations = relations
        self.kinds = kinds
        self.most_triples = most_triples
        self.walks = walks
        self.relation_of = say_relations(relations)
        self.kind_of = say_kinds(kinds)
        self._moves_by_state: dict[PatternState, PatternMoves] = {}
        self._node_moves: dict[tuple[bool, bool, bool], Moves] = {}

    def start(self) -> PatternState:
        return PatternState()

    def is_empty(self) -> bool:
        """Whether there is no sentence at all: no relation can be said."""
        return self.relations.is_empty

    def site(self, state: PatternState) -> Hashable:
        return self._get_moves(state).site

    def moves(self, state: PatternState) -> Moves | FreeText:
        return self._get_moves(state).moves

    def list_excluded_moves(self, state: PatternState) -> Collection[MoveId]:  # noqa: ARG002
        return ()

    def follow(self, state: PatternState, move: MoveId) -> PatternState | None:
        return self._get_moves(state).follow(move)

    def follow_text(self, state: PatternState, text: str) -> PatternState | None:
        if state.phase == "open":
            return state.say_kind(text, "close", text)
        return state.say_relation(f" {text}", state.is_reversed, text)

    def accepting(self, state: PatternState) -> bool:
        is_whole = state.phase == "node" and bool(state.triples) and not state.is_origin
        return is_whole and state.has_asked

    def values(self, state: PatternState) -> tuple[QuestionPattern, ...]:
        return (put_in_order(QuestionPattern(state.nodes, state.triples)),)

    def text(self, state: PatternState) -> str:
        return state.text

    def reserve(self, state: PatternState) -> tuple[int, int]:
        """Behind a relation in any words its other node is needed. Elsewhere these may be: a triple
        that brings the asked node, before it one that joins a new node, and around a kind a text
        and its bracket."""
        size, segments = self._largest_join
        triple = size + 3 + self._shortest_relation, segments + 2
        triples = self._count_missing_triples(state)
        if state.phase == "arrow":
            triples -= 1
            return size + triples * triple[0], segments + triples * triple[1]
        if state.phase == "node":
            return SHORTEST_TEXT + 1 + size + 2 * triple[0], 2 + segments + 2 * triple[1]
        return len(CLOSE) + triples * triple[0], 1 + triples * triple[1]

    def _count_missing_triples(self, state: PatternState) -> int:
        """How many triples an ending may need behind the current move, the begun one included."""
        misses_asked = not state.has_asked
        if state.phase == "resume" or state.is_origin or state.is_unjoined:
            return 1 + misses_asked
        if state.phase == "arrow" or not (state.triples or state.phase == "tail"):
            return 1
        return int(misses_asked)

    @cached_property
    def _largest_join(self) -> tuple[int, int]:
        """The most bytes of an arrow and the node behind it, and their segments."""
        return 3 + measure_longest([" UNKNOWN 10", *map(say_node_text, self.mentions[-1:])]), 2

    @cached_property
    def _shortest_relation(self) -> int:
        return 1 + min(
            (measure_longest([text]) for text in self.relation_of), default=SHORTEST_TEXT
        )

    def _get_moves(self, state: PatternState) -> PatternMoves:
        options = self._moves_by_state.get(state)
        if options is None:
            if len(self._moves_by_state) > _MOST_STATES:
                self._moves_by_state.clear()
            options = self._moves_by_state[state] = self._find_moves(state)
        return options

    def _find_moves(self, state: PatternState) -> PatternMoves:
        if state.phase == "first":
            nodes = () if self.is_empty() else tuple(self._list_new_nodes(state))
            return _offer_nodes(state, nodes)
        if state.phase == "node":
            return self._find_moves_after_node(state)
        if state.phase == "tail":
            lead = ARROWS[state.is_reversed]
            return _offer_nodes(state, tuple(self._list_tails(state)), lead)
        if state.phase == "resume":
            return _offer_nodes(state, tuple(self._list_origins(state)))
        if state.phase == "close":
            closed = state.say(CLOSE, "node")
            return PatternMoves((CLOSE,), Moves((CLOSE,)), lambda _: closed)
        return _offer_words(self._find_free_text(state))

    def _find_free_text(self, state: PatternState) -> FreeText:
        if state.phase == "open":
            return FreeText(self.kinds.free_tokens, STOP, lead="")
        return FreeText(self.relations.free_tokens, STOP, apart=state.list_apart_relations())

    def _list_new_nodes(self, state: PatternState) -> Iterator[PatternNode]:
        """The nodes that can be said first, or as tails that were not said before."""
        yield from (node for node in self.mentions if node not in state.nodes)
        yield UnknownNode(state.next_number)
        if not state.has_asked:
            yield UnknownNode(0, is_asked=True)

    def _list_origins(self, state: PatternState) -> Iterator[PatternNode]:
        """The nodes behind `;`: a new one only if the asked node can still be said."""
        yield from (node for i, node in enumerate(state.nodes) if i != state.at)
        new = self._list_new_nodes(state)
        yield from (node for node in new if is_asked(node) or not self._must_ask(state))

    def _must_ask(self, state: PatternState) -> bool:
        """Whether the next triple is the last one, and has to bring the asked node."""
        is_last = len(state.triples) + 1 == self.most_triples
        return is_last and not state.has_asked

    def _list_tails(self, state: PatternState) -> Iterator[PatternNode]:
        """The nodes that the triple which is begun can lead to."""
        if self._must_ask(state):
            yield UnknownNode(0, is_asked=True)
            return
        for index, node in enumerate(state.nodes):
            if index != state.at and state.build_triple(index) not in state.triples:
                yield node
        if not state.is_unjoined:
            yield from self._list_new_nodes(state)

    def _find_moves_after_node(self, state: PatternState) -> PatternMoves:
        """The kind of the node, relations that go on from it, and `;`."""
        takes_kind = state.is_new and isinstance(state.nodes[state.at], UnknownNode)
        goes_on = len(state.triples) < self.most_triples
        resumes = goes_on and bool(state.triples) and not state.is_origin
        flags = takes_kind and not self.kinds.is_empty, goes_on, resumes
        moves = self._node_moves.get(flags)
        if moves is None:
            moves = self._node_moves[flags] = Moves(tuple(self._list_texts_after_node(*flags)))
        kinds = len(self._kind_texts) if flags[0] else 0

        def follow(move: MoveId) -> PatternState:
            said = moves.texts[move]
            if move < kinds:
                return self._say_kind(state, move, said)
            if resumes and move == len(moves) - 1:
                return state.say(said, "resume")
            return self._say_relation(state, move - kinds, said)

        return PatternMoves((self._digest, *flags), moves, follow)

    def _list_texts_after_node(
        self, takes_kind: bool, goes_on: bool, resumes: bool
    ) -> Iterator[str]:
        if takes_kind:
            yield from self._kind_texts
        if goes_on:
            yield from self._relation_texts
        if resumes:
            yield RESUME

    def _say_kind(self, state: PatternState, index: int, said: str) -> PatternState:
        if self.kinds.are_free:
            return state.say(said, "open")
        return state.say_kind(said, "node", self._kind_list[index])

    def _say_relation(self, state: PatternState, index: int, said: str) -> PatternState:
        if self.relations.are_free:
            return state.say_arrow(said, bool(index))
        is_reversed, at = divmod(index, len(self._relation_list))
        return state.say_relation(said, bool(is_reversed), self._relation_list[at])

    @cached_property
    def _kind_texts(self) -> tuple[str, ...]:
        if self.kinds.are_free:
            return (OPEN,)
        return tuple(f"{OPEN}{said}{CLOSE}" for said in self.kind_of)

    @cached_property
    def _relation_texts(self) -> tuple[str, ...]:
        if self.relations.are_free:
            return ARROWS
        return tuple(f"{arrow} {said}" for arrow in ARROWS for said in self.relation_of)

    @cached_property
    def _kind_list(self) -> tuple[str, ...]:
        return tuple(self.kind_of.values())

    @cached_property
    def _relation_list(self) -> tuple[str, ...]:
        return tuple(self.relation_of.values())

    @cached_property
    def _digest(self) -> bytes:
        return digest_texts(["pattern", *self._kind_texts, "relations", *self._relation_texts])


def _offer_nodes(state: PatternState, nodes: Sequence[PatternNode], lead: str = "") -> PatternMoves:
    texts = tuple(map(say_node_text, nodes))
    moves = Moves(texts, lead)
    site = ("pattern nodes", lead, *texts)
    return PatternMoves(site, moves, lambda i: state.say_node(moves.text_of(i), nodes[i]))


def _offer_words(free: FreeText) -> PatternMoves:
    def follow(move: MoveId) -> PatternState:
        raise AssertionError(f"any text may be said here, but it is given move {move}")

    return PatternMoves(free, free, follow)
