"""The sentence of a schema graph, in segments: what a model learns to write."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.schema_graphs.language import SchemaGraphLanguage
from trellis.domain.errors import InputError
from trellis.domain.graphs.graph import Step


def write_schema_graph(language: SchemaGraphLanguage, steps: Sequence[Step]) -> tuple[str, ...]:
    """The segments of a schema graph: for each assertion a relation, and whether it leads from
    object to subject. Raises InputError where the language cannot say it."""
    state = language.start()
    segments: list[str] = []
    numbers = {
        Step(language.kinds.types[kind], back): move
        for move, (kind, back) in enumerate(language.kinds.options)
    }
    for step in steps:
        move = numbers.get(step)
        moves = language.moves(state)
        after = None
        if move is not None and state.domains and not language.accepting(state):
            after = language.follow(state, move)
        if move is None or after is None:
            raise InputError(
                f"the schema graph has {step}, which does not fit there",
                "give relations of the schema, one for each assertion",
            )
        segments += [moves.lead, moves.texts[move]]
        closing = language.moves(after)
        segments += [closing.lead, closing.texts[0]]
        following = language.follow(after, 0)
        assert following is not None
        state = following
    if not language.accepting(state):
        raise InputError("an assertion has no relation", "give one for each assertion")
    return tuple(segments)
