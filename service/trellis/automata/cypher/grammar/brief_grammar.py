"""The grammar of the rendering `brief`: what is asked for, then the pattern, in few words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from trellis.automata.cypher.grammar.operands import Operands
from trellis.automata.cypher.grammar.patterns import Patterns
from trellis.automata.cypher.grammar.returns import Returns
from trellis.automata.cypher.grammar.ways import PatternContinuations, PatternEnd
from trellis.automata.cypher.meaning.items import (
    RETURN_FORMS,
    WHETHER,
    WIDE_FORMS,
    ReturnForm,
    ReturnItem,
)
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState, MoveGroup
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.wording import FIND
from trellis.automata.paths.segments import measure_longest


class BriefGrammar:
    """Says what is asked for, and then the pattern."""

    def __init__(
        self,
        lexicon: Lexicon,
        ways: PatternContinuations,
        options: RenderingOptions,
        operands: Operands,
    ) -> None:
        self._lexicon = lexicon
        self._ways = ways
        self._is_wide = options.is_wide
        self._returns = Returns(lexicon, operands, options)
        finish = self._returns.say_after_pattern
        self._patterns = Patterns(lexicon, ways, options, operands, finish)

    def say_first(self, state: CypherState) -> Iterator[MoveGroup]:
        """The forms of the first item."""
        forms = [form for form in self._returns.first_forms if self._find_roots(form)]
        texts = [f" {form.word}" for form in forms]
        yield MoveGroup.of(
            "form", texts, lambda i: state.with_next(partial(self._say_first_node, forms[i]))
        )
        if self._is_wide and self._ways.find_starts():
            yield MoveGroup.of_word("form", f" {FIND}", partial(state.with_next, self._say_root))

    def measure_ending(self) -> tuple[int, int]:
        """The most bytes and moves that the shortest ending behind any move needs.

        A scope needs its number, a relationship and a label, and where nothing is returned yet, an
        item. A condition on groups needs a node, a property and a comparison.
        """
        node, edge, of = self._lexicon.wording.longest_moves
        value = 1 + measure_longest([value.name for value in self._lexicon.values])
        forms = (*RETURN_FORMS, *WIDE_FORMS, WHETHER)
        form = 1 + measure_longest([form.word for form in forms])
        item = form + max(node, edge) + of + 4  # a comparison too
        largest = max(node + edge + node, node + of + value, item)
        return (largest + value + item, 8) if self._is_wide else (largest, 3)

    def _say_root(self, state: CypherState) -> Iterator[MoveGroup]:
        """The first nodes of a pattern that begins without an item."""
        ends = self._ways.find_starts()
        say_next = self._patterns.say_next
        yield MoveGroup.of(
            "label",
            [f" {self._lexicon.wording.labels[end.label]}" for end in ends],
            lambda i: self._patterns.begin_pattern(state, ends[i], say_next),
        )

    def _find_roots(self, form: ReturnForm) -> list[PatternEnd]:
        """The first nodes of which an item in a form can be returned."""
        return [end for end in self._ways.find_starts() if self._returns.can_begin(form, end)]

    def _say_first_node(self, form: ReturnForm, state: CypherState) -> Iterator[MoveGroup]:
        ends = self._find_roots(form)
        head = partial(self._returns.say_after_first_item, self._patterns.say_next)

        def follow(index: int) -> CypherState:
            if not form.is_whole_node:
                then = partial(self._returns.say_first_property, form, head)
                return self._patterns.begin_pattern(state, ends[index], then)
            begun = self._patterns.begin_pattern(state, ends[index], head)
            return self._returns.add_item(head, begun, ReturnItem(form, 0, ""))

        texts = [f" {self._lexicon.wording.labels[end.label]}" for end in ends]
        yield MoveGroup.of("label", texts, follow)
