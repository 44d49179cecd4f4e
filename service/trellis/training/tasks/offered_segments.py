"""Offered segments: what sentences of the language of queries may say, as far as walks find it.

A token is learnt only where another segment goes on otherwise. What the language offers beside what
is said has to be known for that: a model that was never taught `is known` against `is missing` says
either.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence

from trellis.automata.cypher.bound_values import number_values
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.domain.links import StoredValue
from trellis.domain.schema import Schema

_WALKS, _STEPS = 3_000, 14
_MOST_TEXTS = 300_000  # of all sites together, where a schema has thousands of names


def list_offered_segments(schema: Schema, options: RenderingOptions) -> list[str]:
    """The texts of all moves at the sites of random sentences, in which a name and a number are
    linked. Equal schemas give equal ones."""
    named = next((kind for kind in schema.labels if kind.naming), None)
    stored = [StoredValue(named.label, named.naming or "", "v0")] if named else []
    values = number_values([*stored, StoredValue("", "", 1, "INTEGER")])
    language = CypherLanguage(schema, values, options)
    dice, known, left = random.Random(0), dict[Hashable, Sequence[str]](), _MOST_TEXTS
    for _ in range(_WALKS):
        state = language.start()
        for _ in range(_STEPS):
            site = language.site(state)
            if site not in known:
                known[site] = language.moves(state).texts
                left -= len(known[site])
            behind = known[site] and language.follow(state, dice.randrange(len(known[site])))
            if not behind:
                break
            state = behind
        if left < 0:
            break
    return sorted({text for texts in known.values() for text in texts})
