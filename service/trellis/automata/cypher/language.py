"""The language of Cypher: a typed walk over the live schema.

Every sentence is a query that names only what is there, that the graph can plan, and that only
reads. A sentence has one of two renderings. The rendering `brief` says what is asked for, then the
pattern: `list officer investigated by crime date v0` means `MATCH (x0:Officer)<-[:INVESTIGATED_BY]-
(x1:Crime WHERE x1.date = $v0) RETURN x0`. It says names of the schema by their words, and values by
the names under which they are linked. The rendering `cypher` says the same queries as they are
written in Cypher: `MATCH (o:Officer)<-[:INVESTIGATED_BY]-(c:Crime) WHERE c.date = $v0 RETURN o`.
Source: GraphRAFT (grounded constrained decoding of Cypher); the brief rendering is ours.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Sequence
from functools import cached_property

from trellis.automata.cypher.clauses.grammar import ClauseGrammar
from trellis.automata.cypher.grammar.brief_grammar import BriefGrammar
from trellis.automata.cypher.grammar.grounding import GroundedWays, Grounding
from trellis.automata.cypher.grammar.operands import Operands
from trellis.automata.cypher.grammar.ways import PatternContinuations
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.meaning.rendering import render_query
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherMoves, CypherState, TypedMove
from trellis.automata.cypher.words.bound_values import Lexicon, NamedValue
from trellis.automata.cypher.words.indexed_schema import IndexedSchema, index_schema
from trellis.automata.language import MoveId, Moves
from trellis.domain.graphs.schema import Schema
from trellis.domain.structures.cypher import CypherQuery

SET_ASIDE_LOSS = 4.0
"""What a sentence loses of its log-probability for each value that it sets aside: hardly one value
in fifty stands in a question without need."""

_WORD = re.compile(r"\w+")


class CypherLanguage:
    """The queries that a schema and some linked values allow.

    With `groundings`, a pattern with one of their values has only what is reachable from the nodes
    of that value. With `wanted`, values of the question, each by the words that say it, a
    sentence that sets one of them aside loses `SET_ASIDE_LOSS`. What follows from a schema alone is
    made once for all languages over it.
    """

    def __init__(
        self,
        schema: Schema | IndexedSchema,
        values: Sequence[NamedValue] = (),
        options: RenderingOptions = RenderingOptions(),  # noqa: B008
        groundings: Sequence[Grounding] = (),
        wanted: Sequence[tuple[str, ...]] = (),
    ) -> None:
        self.known = schema if isinstance(schema, IndexedSchema) else index_schema(schema)
        self.linked_values = tuple(values)
        self.options = options
        self.groundings = tuple(groundings)
        self.wanted = tuple(wanted)
        self.lexicon = Lexicon(self.known, values, options.is_wide)
        ways = self.known.ways
        self.ways: PatternContinuations = GroundedWays(ways, groundings) if groundings else ways
        self.operands = Operands(self.lexicon)
        make_grammar = ClauseGrammar if options.rendering == "cypher" else BriefGrammar
        self._grammar: ClauseGrammar | BriefGrammar = make_grammar(
            self.lexicon, self.ways, options, self.operands
        )
        self._moves_by_state: dict[CypherState, CypherMoves] = {}
        self._root = CypherState(self._grammar.say_first)

    def start(self) -> CypherState:
        return self._root

    @cached_property
    def alphabet(self) -> tuple[str, ...]:
        """As of `TaskLanguage`: the words of the grammar and the schema, and the values' names; any
        text where it says ordinary Cypher, which models know from elsewhere."""
        if self.options.rendering != "brief":
            return ()
        names = (value.name for value in self.linked_values)
        return tuple(f" {word}" for word in (*self.known.wording.list_words(), *names))

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

    def measure_ending_loss(self, state: CypherState) -> float:
        """As of `WeighedLanguage`."""
        if not self.wanted:
            return 0.0
        said = set(_WORD.findall(state.text))
        return SET_ASIDE_LOSS * sum(said.isdisjoint(words) for words in self.wanted)

    def query(self, state: CypherState) -> QueryGraph:
        """The query graph that the sentence so far means."""
        return state.query

    def text(self, state: CypherState) -> str:
        return state.text

    def reserve(self, state: CypherState) -> tuple[int, int]:  # noqa: ARG002
        """The most bytes and moves that the shortest ending behind any state needs."""
        return self._ending

    @cached_property
    def _ending(self) -> tuple[int, int]:
        return self._grammar.measure_ending()

    def _get_moves(self, state: CypherState) -> CypherMoves:
        options = self._moves_by_state.get(state)
        if options is None:
            options = self._moves_by_state[state] = CypherMoves(state)
        return options
