"""The moves that say what is returned, ordered by or grouped: nodes, properties, aggregates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from trellis.automata.cypher.clauses.texts import name_edges, write_inside
from trellis.automata.cypher.grammar.accepting import AcceptItem, accept_number
from trellis.automata.cypher.grammar.operands import Operands
from trellis.automata.cypher.meaning.items import (
    SHOW,
    ArithmeticOperator,
    ArithmeticTerm,
    ReturnForm,
    ReturnItem,
)
from trellis.automata.cypher.state import CypherState, MoveGroup
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.wording import TERM_WORDS

UseOperand = Callable[[CypherState, ReturnItem], CypherState]
"""Makes the state behind an operand, from the state before its last move."""

TERM_OPERATORS: tuple[ArithmeticOperator, ...] = tuple(TERM_WORDS)


@dataclass(frozen=True, slots=True)
class OperandPlace:
    """Where operands are said: what uses them, which it accepts, and the text behind them.

    `ending` gives the text behind an operand, such as the name of its column.
    """

    use: UseOperand
    accept: AcceptItem
    ending: Callable[[ReturnItem], str] = lambda _: ""
    has_terms: bool = True


class OperandMoves:
    """Says operands of the nodes and relationships of a pattern."""

    def __init__(self, lexicon: Lexicon, operands: Operands) -> None:
        self._lexicon = lexicon
        self._operands = operands

    def say_operands(
        self, state: CypherState, forms: Sequence[ReturnForm], place: OperandPlace
    ) -> Iterator[MoveGroup]:
        """The operands of some forms: those without an aggregate, and the aggregates."""
        plain = [form for form in forms if not form.function]
        yield from self._say_inside(plain, place, " ", "", state)
        possible = [form for form in forms if form.function and self._has_item(state, form, place)]
        ordered = sorted(possible, key=lambda form: (form.function, form.distinct))
        grouped = [list(of) for _, of in groupby(ordered, lambda f: (f.function, f.distinct))]
        yield MoveGroup.of(
            "form",
            [_write_aggregate(of[0]) for of in grouped],
            lambda i: state.with_next(partial(self._say_aggregate, grouped[i], place)),
        )

    def has_operand(
        self, state: CypherState, forms: Sequence[ReturnForm], place: OperandPlace
    ) -> bool:
        """Whether there is an operand that is accepted."""
        return any(self._has_item(state, form, place) for form in forms)

    def _has_item(self, state: CypherState, form: ReturnForm, place: OperandPlace) -> bool:
        return self._operands.has_owner(state, form, place.accept)

    def _say_aggregate(
        self, forms: Sequence[ReturnForm], place: OperandPlace, state: CypherState
    ) -> Iterator[MoveGroup]:
        yield from self._say_inside(forms, place, " " if forms[0].distinct else "", ")", state)

    def _say_inside(
        self,
        forms: Sequence[ReturnForm],
        place: OperandPlace,
        lead: str,
        bracket: str,
        state: CypherState,
    ) -> Iterator[MoveGroup]:
        """What an aggregate is of, or what is said without one, up to the closing bracket."""
        items = [
            item
            for form in forms
            for owner in self._operands.find_owners(state, form, place.accept)
            for item in self._operands.find_items(state, form, owner, place.accept)
        ]
        edges = name_edges(state.query, self._lexicon)
        inside = [lead + write_inside(item, state.words, edges) for item in items]
        texts = [
            text + bracket + place.ending(item) for text, item in zip(inside, items, strict=True)
        ]
        yield MoveGroup.of("property", texts, lambda i: place.use(state, items[i]))
        if not self._lexicon.is_wide or not place.has_terms:
            return
        begun = [
            (f"{text} {operator}", item, operator)
            for text, item in zip(inside, items, strict=True)
            if item.key and self._operands.is_number(state, item)
            for operator in TERM_OPERATORS
        ]
        yield MoveGroup.of(
            "term",
            [text for text, _, _ in begun],
            lambda i: state.with_next(
                partial(self._say_term, begun[i][1], begun[i][2], place, bracket, state)
            ),
        )

    def _say_term(
        self,
        item: ReturnItem,
        operator: ArithmeticOperator,
        place: OperandPlace,
        bracket: str,
        before: CypherState,
        _: CypherState,
    ) -> Iterator[MoveGroup]:
        """The numbers that a number is combined with."""
        edges = name_edges(before.query, self._lexicon)
        terms = [
            replace(item, term=ArithmeticTerm(operator, o.node, o.key, o.part, o.edge))
            for owner in self._operands.find_owners(before, SHOW, accept_number)
            for o in self._operands.find_items(before, SHOW, owner, accept_number)
        ]
        of = [ReturnItem(SHOW, t.node, t.key, t.part, t.edge) for t in (i.term for i in terms) if t]
        texts = [
            f" {write_inside(other, before.words, edges)}{bracket}{place.ending(said)}"
            for other, said in zip(of, terms, strict=True)
        ]
        yield MoveGroup.of("property", texts, lambda i: place.use(before, terms[i]))


def _write_aggregate(form: ReturnForm) -> str:
    return f" {form.function}({'DISTINCT' if form.distinct else ''}"
