"""What the reader knows of a move: its words, what it says, its direction, and what is beside it.

`acted in` of a graph's `ACTED_IN` is a relationship from persons to films: that is read from the
schema, and is the same in training and in answering.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.state import CypherState
from trellis.automata.cypher.words.property_types import find_item_type, has_numeric_texts, is_list
from trellis.automata.cypher.words.wording import PART_WORDS, Wording
from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.domain.identifiers import split_identifier

KINDS = tuple(
    """end form label property filter value or relationship branch scope part same where node group
    condition operator term order aggregate item limit start step meet""".split()  # noqa: SIM905
)
"""What moves say: the end of a sentence, the kinds of the Cypher language, and, of paths, the name
of a start, a step, and a start of a path that meets another one."""

_NUMBER_OF_KIND = {kind: index for index, kind in enumerate(KINDS)}
_ARROWS = {"->": 1, "<-": 2}
_TURNED = {_ARROWS["->"]: _ARROWS["<-"], _ARROWS["<-"]: _ARROWS["->"]}
_NUMBER_OF = f"{PART_WORDS['decimal']} "
_ITEM_ENDINGS = ((" not has", " <>"), (" has", ""))
"""The words behind a list that has an item or not, and those of a plain property for the same."""
_MARKS = re.compile(r"->|<-|[<>=]+")
_SHOWN = 3  # ends, owners and values in the context of a move
_MOST_WALK_MOVES = 20_000  # that are remembered: those of a schema are met at each question
_WITH_ENDS = frozenset(("relationship",))
_WITH_OWNERS = frozenset(("property", "filter", "order", "aggregate", "term", "condition"))


@dataclass(frozen=True, slots=True, order=True)
class ReaderMove:
    """A move as the reader sees it.

    `kind`: an index into `KINDS`. `direction`: 1 of an arrow forwards, 2 of one backwards, else 0.
    `words`: what it says. `context`: what the schema says of it.
    """

    kind: int
    direction: int
    words: str
    context: str = ""


END_MOVE = ReaderMove(0, 0, "end")


def read_move(kind: str, text: str, context: str = "") -> ReaderMove:
    """A move by its kind and its text in a sentence."""
    parts = text.split()
    direction = next((_ARROWS[part] for part in parts if part in _ARROWS), 0)
    words = (
        word
        for part in parts
        if part not in _ARROWS
        for word in ((part,) if _MARKS.fullmatch(part) else split_identifier(part) or (part,))
    )
    return ReaderMove(_NUMBER_OF_KIND[kind], direction, " ".join(words), context)


@lru_cache(_MOST_WALK_MOVES)
def read_walk_move(text: str) -> ReaderMove:
    """A move of the path language: a start, a step, or a start that meets the path before it."""
    stripped = text.strip()
    if stripped.startswith(("->", "<-")):
        return read_move("step", stripped)
    return read_move("meet", stripped[1:]) if stripped.startswith("&") else read_move("start", text)


def pair_turns(
    moves: Sequence[ReaderMove], among: Collection[str] | None = None
) -> list[tuple[int, int]]:
    """The places of moves that say a relationship ahead and back, where both are among them.

    `among`: the words of those that count; None: all.
    """
    ahead, back = _ARROWS["->"], _ARROWS["<-"]
    turned = {
        replace(move, direction=ahead): number
        for number, move in enumerate(moves)
        if move.direction == back
    }
    return [
        (number, turned[move])
        for number, move in enumerate(moves)
        if move.direction == ahead and move in turned and (among is None or move.words in among)
    ]


def is_ahead(move: ReaderMove) -> bool:
    """Whether a move follows a relationship in the direction in which it is stored."""
    return move.direction == _ARROWS["->"]


def list_lone_turns(
    moves: Sequence[ReaderMove], every: Collection[ReaderMove], among: Collection[str]
) -> list[tuple[int, ReaderMove]]:
    """The places of moves that say a relationship in one direction alone, each with the move that
    says the other one, which the schema has (`every`). `among`: the words of those that count."""
    pairs = (
        (place, replace(move, direction=_TURNED[move.direction]))
        for place, move in enumerate(moves)
        if move.direction in _TURNED and move.words in among
    )
    return [(place, other) for place, other in pairs if other in every and other not in moves]


class SchemaMoves:
    """The moves of queries over a schema, with what it says of those that name its relationship
    types and properties; each is read once."""

    def __init__(self, schema: Schema) -> None:
        wording = schema.derive(Wording)
        self._ends = _describe_ends(schema, wording)
        self._owners = _describe_properties(schema, wording)
        of_words = [(wording.properties[it.name], it) for _, it in schema.iterate_properties()]
        self._lists = {words for words, kind in of_words if is_list(kind.type)}
        numeric = {words for words, kind in of_words if has_numeric_texts(kind)}
        self._numbers = {
            words: f"float {context.removeprefix('string').strip()}"
            for words, context in self._owners.items()
            if words in numeric
        }
        self._known: dict[tuple[str, str], ReaderMove] = {}

    def read_move(self, kind: str, text: str) -> ReaderMove:
        """A move by its kind and its text in a sentence."""
        move = self._known.get((kind, text))
        if move is None:
            plain = self._simplify(text) if kind in _WITH_OWNERS else text
            move = read_move(kind, plain, self._find_context(kind, text))
            self._known[kind, text] = move
        return move

    def _simplify(self, text: str) -> str:
        """The words of a property as those of a plainer one: that a list has an item is said as
        that it is one, and the number that a text holds as if the text were a number."""
        words = text.strip()
        for ending, plain in _ITEM_ENDINGS:
            if words.endswith(ending) and words.removesuffix(ending) in self._lists:
                return f"{words.removesuffix(ending)}{plain}"
        return words.removeprefix(_NUMBER_OF) if self._is_number_of_text(words) else text

    def _is_number_of_text(self, words: str) -> bool:
        return words.startswith(_NUMBER_OF) and bool(self._find_owner(words, self._numbers))

    def _find_context(self, kind: str, text: str) -> str:
        """The context of a move; empty where the schema says nothing of it."""
        words = text.replace("->", "").replace("<-", "").strip()
        if kind in _WITH_ENDS:
            return self._ends.get(words, "")
        if kind in _WITH_OWNERS:
            is_number = self._is_number_of_text(words)
            return self._find_owner(words, self._numbers if is_number else self._owners)
        return ""

    def _find_owner(self, words: str, owners: Mapping[str, str]) -> str:
        """That of the longest property with which a text begins, a part's words left out."""
        parts = words.split(" ")
        for first in (0, 2):
            for last in range(len(parts), first, -1):
                found = owners.get(" ".join(parts[first:last]))
                if found is not None:
                    return found
        return ""


def list_query_moves(language: CypherLanguage, state: CypherState) -> list[ReaderMove]:
    """The moves of a state of the Cypher language, in their order, without the end."""
    moves = language.known.schema.uncounted.derive(SchemaMoves)
    return [moves.read_move(move.kind, move.text) for move in language.list_typed_moves(state)]


def _describe_ends(schema: Schema, wording: Wording) -> Mapping[str, str]:
    pairs: dict[str, list[str]] = {}
    for kind in schema.relationships:
        start, end = (wording.labels.get(each, "") for each in (kind.start_label, kind.end_label))
        pairs.setdefault(wording.types[kind.type], []).append(f"from {start} to {end}")
    return {words: _join(ends) for words, ends in pairs.items()}


def _describe_properties(schema: Schema, wording: Wording) -> Mapping[str, str]:
    owners: dict[str, list[str]] = {}
    kinds: dict[str, PropertyKind] = {}
    for owner, kind in schema.iterate_properties():
        words = wording.properties[kind.name]
        owners.setdefault(words, []).append(wording.labels.get(owner) or wording.types[owner])
        kinds.setdefault(words, kind)
    return {
        words: f"{_describe_values(kinds[words])} of {_join(owners[words])}" for words in owners
    }


def _describe_values(kind: PropertyKind) -> str:
    """The type of a property and some values; a text that says yes or no is a truth value."""
    truths = sorted(kind.truth_values, reverse=True) if kind.type == "STRING" else ()
    values = ", ".join(str(value)[:20] for value in (truths or kind.values)[:_SHOWN])
    type_ = "boolean" if truths else find_item_type(kind.type).lower()
    return f"{type_} {values}".strip()


def _join(texts: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(texts[:_SHOWN]))
