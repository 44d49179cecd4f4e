"""The language of Cypher: a typed walk over the live schema.

Every sentence is a query that names only what is there, that the graph can plan, and that only
reads. A sentence says what is asked for, then the pattern: `list officer investigated by crime date
v0` means `MATCH (x0:Officer)<-[:INVESTIGATED_BY]-(x1:Crime WHERE x1.date = $v0) RETURN x0`. It says
names of the schema by their words, and values by the names under which they are linked.
Source: GraphRAFT (grounded constrained decoding of Cypher); the compact rendering is ours.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property, partial

from trellis.automata.cypher.grounding import GroundedWays, Grounding
from trellis.automata.cypher.indexed_schema import IndexedSchema, index_schema
from trellis.automata.cypher.items import (
    RETURN_FORMS,
    WHETHER,
    WIDE_FORMS,
    FirstItem,
    ReturnForm,
    ReturnItem,
)
from trellis.automata.cypher.lexicon import Lexicon, NamedValue
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.patterns import Patterns
from trellis.automata.cypher.query import QueryGraph
from trellis.automata.cypher.rendering import render_query
from trellis.automata.cypher.returns import Returns
from trellis.automata.cypher.state import CypherMoves, CypherState, MoveGroup, TypedMove
from trellis.automata.cypher.ways import PatternEnd, PatternWays
from trellis.automata.cypher.wording import FIND
from trellis.automata.language import MoveId, Moves
from trellis.automata.segments import measure_longest
from trellis.domain.cypher import CypherQuery
from trellis.domain.schema import Schema


class CypherLanguage:
    """The queries that a schema and some linked values allow.

    With `groundings`, a pattern with one of their values has only what is reachable from the nodes
    of that value. With `first_items`, a sentence begins with one of these: the language of what a
    question asks for. What follows from a schema alone is made once for all languages over it.
    """

    def __init__(
        self,
        schema: Schema | IndexedSchema,
        values: Sequence[NamedValue] = (),
        options: RenderingOptions = RenderingOptions(),  # noqa: B008
        groundings: Sequence[Grounding] = (),
        first_items: Collection[FirstItem] = (),
    ) -> None:
        self.known = schema if isinstance(schema, IndexedSchema) else index_schema(schema)
        self.linked_values = tuple(values)
        self.options = options
        self.groundings = tuple(groundings)
        self.first_items = frozenset(first_items)
        self.lexicon = Lexicon(self.known, values, options.is_wide)
        ways = self.known.ways
        self.ways: PatternWays = GroundedWays(ways, groundings) if groundings else ways
        self._returns = Returns(self.lexicon, options, self.first_items)
        self.operands = self._returns.operands
        finish = self._returns.say_after_pattern
        self._patterns = Patterns(self.lexicon, self.ways, options, self.operands, finish)
        self._moves_by_state: dict[CypherState, CypherMoves] = {}
        self._root = CypherState(self._say_first_form)

    def start(self) -> CypherState:
        return self._root

    def is_empty(self) -> bool:
        """Whether there is no sentence at all: the schema has no label."""
        return not len(self._get_moves(self._root))

    def site(self, state: CypherState) -> Hashable:
        return self._get_moves(state).site

    def moves(self, state: CypherState) -> Moves:
        return self._get_moves(state).list_moves()

    def list_typed_moves(self, state: CypherState) -> tuple[TypedMove, ...]:
        """The moves of a state with their kinds."""
        return self._get_moves(state).list_typed_moves()

    def list_excluded_moves(self, state: CypherState) -> Collection[MoveId]:  # noqa: ARG002
        return ()

    def follow(self, state: CypherState, move: MoveId) -> CypherState | None:
        return self._get_moves(state).follow(move)

    def accepting(self, state: CypherState) -> bool:
        return state.is_complete

    def values(self, state: CypherState) -> tuple[CypherQuery, ...]:
        return render_query(state.query, [value.stored for value in self.linked_values])

    def query(self, state: CypherState) -> QueryGraph:
        """The query graph that the sentence so far means."""
        return state.query

    def text(self, state: CypherState) -> str:
        return state.text

    def reserve(self, state: CypherState) -> tuple[int, int]:  # noqa: ARG002
        """The most bytes and moves that the shortest ending behind a state needs.

        A scope needs its number, a relationship and a label, and where nothing is returned yet, an
        item. A condition on groups needs a node, a property and a comparison.
        """
        return self._largest_ending, 8 if self.options.is_wide else 3

    def _get_moves(self, state: CypherState) -> CypherMoves:
        options = self._moves_by_state.get(state)
        if options is None:
            options = self._moves_by_state[state] = CypherMoves(state)
        return options

    @cached_property
    def _largest_ending(self) -> int:
        """The most bytes that a part which is begun can need to its end."""
        node, edge, of = self.lexicon.wording.longest_moves
        value = 1 + measure_longest([value.name for value in self.linked_values])
        forms = (*RETURN_FORMS, *WIDE_FORMS, WHETHER)
        form = 1 + measure_longest([form.word for form in forms])
        item = form + max(node, edge) + of + 4  # a comparison too
        largest = max(node + edge + node, node + of + value, item)
        return largest + value + item if self.options.is_wide else largest

    def _say_first_form(self, state: CypherState) -> Iterator[MoveGroup]:
        forms = [form for form in self._returns.first_forms if self._find_roots(form)]
        texts = [f" {form.word}" for form in forms]
        yield MoveGroup.of(
            "form", texts, lambda i: state.with_next(partial(self._say_first_node, forms[i]))
        )
        if self.options.is_wide and self.ways.find_starts() and not self.first_items:
            yield MoveGroup.of_word("form", f" {FIND}", partial(state.with_next, self._say_root))

    def _say_root(self, state: CypherState) -> Iterator[MoveGroup]:
        """The first nodes of a pattern that begins without an item."""
        ends = self.ways.find_starts()
        say_next = self._patterns.say_next
        yield MoveGroup.of(
            "label",
            [f" {self.lexicon.wording.labels[end.label]}" for end in ends],
            lambda i: self._patterns.begin_pattern(state, ends[i], say_next),
        )

    def _find_roots(self, form: ReturnForm) -> list[PatternEnd]:
        """The first nodes of which an item in a form can be returned."""
        return [end for end in self.ways.find_starts() if self._returns.can_begin(form, end)]

    def _say_first_node(self, form: ReturnForm, state: CypherState) -> Iterator[MoveGroup]:
        ends = self._find_roots(form)
        head = partial(self._returns.say_after_first_item, self._patterns.say_next)

        def follow(index: int) -> CypherState:
            if not form.is_whole_node:
                then = partial(self._returns.say_first_property, form, head)
                return self._patterns.begin_pattern(state, ends[index], then)
            begun = self._patterns.begin_pattern(state, ends[index], head)
            return self._returns.add_item(head, begun, ReturnItem(form, 0, ""))

        texts = [f" {self.lexicon.wording.labels[end.label]}" for end in ends]
        yield MoveGroup.of("label", texts, follow)
