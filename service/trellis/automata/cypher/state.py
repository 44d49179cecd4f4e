"""A sentence so far, and the moves that may come next."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from trellis.automata.cypher.grammar.ways import PatternEnd
from trellis.automata.cypher.meaning.items import ReturnItem
from trellis.automata.cypher.meaning.query import QueryEdge, QueryFilter, QueryGraph
from trellis.automata.cypher.words.keyed_texts import KeyedTexts, make_texts_key
from trellis.automata.cypher.words.wording import write_property
from trellis.automata.language import MoveId, Moves

_SHOWN = 8  # the most moves of a kind that a description lists


MoveKind = Literal[
    "form",
    "label",
    "property",
    "filter",
    "value",
    "or",
    "relationship",
    "branch",
    "scope",
    "part",
    "same",
    "where",
    "node",
    "group",
    "condition",
    "operator",
    "term",
    "order",
    "aggregate",
    "item",
    "limit",
]
"""What a move says.

Of nodes: the form of an item, the label of a new node, a property that is returned or ordered by, a
property that is compared (`filter`), the value that it is compared with, the word before one more
value (`or`). Of the pattern: a relationship, or the word before a branch, a scope, a separate part,
a node that the pattern comes back to (`same`), a filter of a relationship (`where`), and then a
node that was said before. Of rows: the word before a group, the word before a condition on groups,
and its operator, the word that combines two properties (`term`), an order, the word before an
aggregate that is ordered by, an item that is ordered by, a number of rows."""


@dataclass(frozen=True, slots=True, order=True)
class TypedMove:
    """A text of a sentence, and what it says."""

    text: str
    kind: MoveKind


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class CypherState:
    """A sentence so far, with the query that it means. It may end here where it `is_complete`.

    `then` gives the moves that come next. For each node, `ends` holds its possible labels and its
    place, and `words` its name. For each relationship, `steps` holds the index of its way among
    those of its source. `filtered` is the index of the last filter of the last node, or -1.
    """

    then: Then
    moves: tuple[TypedMove, ...] = ()
    query: QueryGraph = QueryGraph()  # noqa: RUF009
    ends: tuple[PatternEnd, ...] = ()
    words: tuple[str, ...] = ()
    steps: tuple[int, ...] = ()
    filtered: int = -1
    is_complete: bool = False

    @property
    def text(self) -> str:
        """The text of the sentence so far."""
        return "".join(move.text for move in self.moves)

    def with_next(self, then: Then, complete: bool = False, **changes: Any) -> CypherState:
        """The state behind one more move; `then` gives the moves that come after it."""
        return replace(self, then=then, is_complete=complete, **changes)

    def __repr__(self) -> str:
        return f"State({self.text!r})"

    def __str__(self) -> str:
        """For debugging: the sentence so far, what it means, and what may come next."""
        return "\n".join(_describe_state(self))


@dataclass(frozen=True, eq=False, slots=True)
class MoveGroup:
    """Moves of one kind: their texts, and the state behind each. Equal keys have equal texts."""

    kind: MoveKind
    texts: Sequence[str]
    follow: Callable[[int], CypherState]
    key: Hashable

    @classmethod
    def of(
        cls, kind: MoveKind, texts: Sequence[str], follow: Callable[[int], CypherState]
    ) -> MoveGroup:
        return cls(kind, texts, follow, make_texts_key(texts))

    @classmethod
    def of_keyed(
        cls, kind: MoveKind, keyed: KeyedTexts, follow: Callable[[int], CypherState]
    ) -> MoveGroup:
        """Moves whose texts are kept with their key."""
        return cls(kind, keyed.texts, follow, keyed.key)

    @classmethod
    def of_word(cls, kind: MoveKind, text: str, follow: Callable[[], CypherState]) -> MoveGroup:
        """One move."""
        return cls(kind, (text,), lambda _: follow(), text)


Then = Callable[[CypherState], Iterator[MoveGroup]]


class CypherMoves:
    """The moves of one state. It makes the state behind each of them once."""

    __slots__ = ("_groups", "_state", "_states", "site")

    def __init__(self, state: CypherState) -> None:
        self._state = state
        self._groups = [group for group in state.then(state) if group.texts]
        self._states: dict[MoveId, CypherState] = {}
        self.site: Hashable = tuple(group.key for group in self._groups)

    def __len__(self) -> int:
        return sum(len(group.texts) for group in self._groups)

    def list_moves(self) -> Moves:
        if len(self._groups) == 1:
            return Moves(self._groups[0].texts)
        return Moves([text for group in self._groups for text in group.texts])

    def list_typed_moves(self) -> tuple[TypedMove, ...]:
        """The moves with their kinds."""
        return tuple(TypedMove(text, group.kind) for group in self._groups for text in group.texts)

    def follow(self, move: MoveId) -> CypherState:
        found = self._states.get(move)
        if found is None:
            found = self._states[move] = self._make_state(move)
        return found

    def _make_state(self, move: MoveId) -> CypherState:
        for group in self._groups:
            if move < len(group.texts):
                said = TypedMove(group.texts[move], group.kind)
                return replace(group.follow(move), moves=(*self._state.moves, said))
            move -= len(group.texts)
        raise IndexError(move)


def _describe_state(state: CypherState) -> Iterator[str]:
    """The lines of a state: its text, its query and what is open."""
    query = state.query
    yield f"said:{' |'.join(move.text for move in state.moves) or ' (nothing)'}"
    for word, node in zip(state.words, query.nodes, strict=True):
        described = (f"{word} (:{node.label})", *map(_describe_filter, node.filters))
        yield f"node: {', '.join(described)}"
    yield from map(partial(_describe_edge, state), query.edges)
    for scope in query.scopes:
        compared = f" {scope.operator} {scope.values}" if scope.kind == "number" else ""
        yield f"scope: {scope.kind}{compared}"
    yield from (f"item: {_describe_item(state, item)}" for item in query.items)
    yield from (f"group: {state.words[node]}" for node in query.groups)
    for each in query.conditions:
        yield f"only: {_describe_item(state, each.item)} {each.operator} {each.values}"
    yield from _describe_rows(state)
    yield f"open: {'the sentence may end, or go on' if state.is_complete else 'to go on'} with"
    for group in state.then(state):
        if group.texts:
            more = f" … ({len(group.texts):,})" if len(group.texts) > _SHOWN else ""
            yield f"  {group.kind}:{' |'.join(group.texts[:_SHOWN])}{more}"


def _describe_filter(each: QueryFilter) -> str:
    values = each.reference or " or ".join(map(str, (each.values, *each.alternatives)))
    negation = "not " if each.is_negated else ""
    return f"{write_property(each.property, each.part)} {negation}{each.operator} {values}"


def _describe_item(state: CypherState, item: ReturnItem) -> str:
    owner = state.words[item.node] if item.edge is None else state.query.edges[item.edge].type
    key = write_property(item.key, item.part) if item.key else ""
    return f"{item.form.word} {owner} {key}".rstrip()


def _describe_edge(state: CypherState, edge: QueryEdge) -> str:
    target = state.words[edge.target] if edge.target < len(state.words) else "(its node is open)"
    scope = f", scope {edge.scope}" if edge.scope else ""
    type_of = f"{edge.type} {edge.direction}, clause {edge.clause}{scope}"
    return f"edge: {state.words[edge.source]} [{type_of}] {target}"


def _describe_rows(state: CypherState) -> Iterator[str]:
    """The lines of the orders and of the number of rows, where there are any."""
    query = state.query
    for order in query.orders:
        direction = "descending" if order.descending else "ascending"
        yield f"order: {_describe_item(state, order.item)} {direction}"
    if query.limit is not None:
        yield f"rows: {query.limit}" + (f" behind {query.skip}" if query.skip else "")
