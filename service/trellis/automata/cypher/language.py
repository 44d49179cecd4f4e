"""The language of Cypher: a typed walk over the live schema. Every sentence is a query that names
only what is there, plans, and reads.

A sentence says what is asked for, then the pattern: `list officer investigated by crime date v0`
means `MATCH (x0:Officer)<-[:INVESTIGATED_BY]-(x1:Crime WHERE x1.date = $v0) RETURN x0`. Names are
said by their words, values by the names they were linked under.
Source: GraphRAFT (grounded constrained decoding of Cypher); the compact rendering is ours.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property, partial

from trellis.automata.cypher.grounding import GroundedWays, Grounding
from trellis.automata.cypher.lexicon import KnownSchema, Lexicon, NamedValue
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.patterns import Patterns
from trellis.automata.cypher.query import FORMS, Form, Item, QueryGraph
from trellis.automata.cypher.rendering import rendered
from trellis.automata.cypher.returns import Returns
from trellis.automata.cypher.state import Group, Move, Options, State
from trellis.automata.cypher.ways import End, Ways
from trellis.automata.language import MoveId, Moves
from trellis.automata.segments import longest
from trellis.domain.cypher import CypherQuery
from trellis.domain.schema import Schema


class CypherLanguage:
    """The queries that a schema and some linked values allow.

    With `groundings` a pattern that says one of their values says only what is reachable from its
    nodes. A schema that is asked about often is given as a KnownSchema.
    """

    def __init__(
        self,
        schema: Schema | KnownSchema,
        values: Sequence[NamedValue] = (),
        options: RenderingOptions = RenderingOptions(),  # noqa: B008
        groundings: Sequence[Grounding] = (),
    ) -> None:
        self.known = schema if isinstance(schema, KnownSchema) else KnownSchema(schema)
        self.values_linked = tuple(values)
        self.options = options
        self.groundings = tuple(groundings)
        self.lexicon = Lexicon(self.known, values)
        ways = self.known.ways
        self.ways: Ways = GroundedWays(ways, groundings) if groundings else ways
        self._returns = Returns(self.lexicon, options)
        self._patterns = Patterns(self.lexicon, self.ways, options, self._returns.tail)
        self._opened_states: dict[State, Options] = {}
        self._root = State(self._first_form)

    def start(self) -> State:
        return self._root

    def empty(self) -> bool:
        """Whether there is no sentence at all: the schema has no label."""
        return not len(self._opened(self._root))

    def site(self, state: State) -> Hashable:
        return self._opened(state).site

    def moves(self, state: State) -> Moves:
        return self._opened(state).moves()

    def choices(self, state: State) -> tuple[Move, ...]:
        """The moves of a state with their kinds."""
        return self._opened(state).choices()

    def excluded(self, state: State) -> Collection[MoveId]:  # noqa: ARG002
        return ()

    def follow(self, state: State, move: MoveId) -> State | None:
        return self._opened(state).follow(move)

    def accepting(self, state: State) -> bool:
        return state.complete

    def values(self, state: State) -> tuple[CypherQuery, ...]:
        return rendered(state.query, [value.stored for value in self.values_linked])

    def query(self, state: State) -> QueryGraph:
        """What was said, as a graph."""
        return state.query

    def text(self, state: State) -> str:
        return state.text

    def reserve(self, state: State) -> tuple[int, int]:  # noqa: ARG002
        """A branch needs its node, its relationship and a label; an item as much at most."""
        return self._needed, 3

    def _opened(self, state: State) -> Options:
        options = self._opened_states.get(state)
        if options is None:
            options = self._opened_states[state] = Options(state)
        return options

    @cached_property
    def _needed(self) -> int:
        """The most bytes that what was begun can need to its end."""
        node, edge, of = self.lexicon.wording.longest
        value = 1 + longest([value.name for value in self.values_linked])
        item = 1 + longest([form.word for form in FORMS]) + node + of
        return max(node + edge + node, node + of + value, item)

    def _first_form(self, state: State) -> Iterator[Group]:
        forms = [form for form in FORMS if self._roots(form)]
        texts = [f" {form.word}" for form in forms]
        yield Group.of(
            "form", texts, lambda i: state.with_next(partial(self._first_node, forms[i]))
        )

    def _roots(self, form: Form) -> list[End]:
        """The nodes that something can be returned of in a form."""
        starts = self.ways.starts()
        return [end for end in starts if form.whole or self._returns.named(form, end)]

    def _first_node(self, form: Form, state: State) -> Iterator[Group]:
        ends = self._roots(form)
        head = partial(self._returns.head, self._patterns.body)

        def follow(index: int) -> State:
            if not form.whole:
                then = partial(self._returns.property, form, 0, head)
                return self._patterns.begun(state, ends[index], then)
            begun = self._patterns.begun(state, ends[index], head)
            return self._returns.added(begun, Item(form, 0, ""), head)

        texts = [f" {self.lexicon.wording.labels[end.label]}" for end in ends]
        yield Group.of("label", texts, follow)
