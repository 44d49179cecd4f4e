"""Query confidence: features from which the confidence in a query's answers is estimated.

Inside the language a model is sure of the best query even where the question means none. So the
features also cover what the query leaves out: values of the question, names that are nowhere in
the graph, words that no name of the schema has.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from trellis.automata.cypher.wording import words
from trellis.domain.calibration import log_odds
from trellis.domain.question import asks_for_number
from trellis.domain.schema import Schema
from trellis.linking.spans import Atom, Parsed, parsed
from trellis.linking.value_index import alike
from trellis.steps.queries.rank_queries import Chosen, number_of
from trellis.steps.queries.value_mentions import ValueMention, schema_words, value_name

_MOST_MARGIN = 7.0  # natural log: a query a thousand times as probable as the next has no rival


def query_signs(
    question: str, mentions: Sequence[ValueMention], chosen: Chosen, schema: Schema
) -> Mapping[str, float]:
    """Features of the chosen query.

    `belief`: log-odds of all candidates that give its rows. `margin`: log of the ratio of their
    probability to that of the next rows. `rows`: 1 where it gives anything. `fits`: 1 where it
    gives a number if, and only if, one is asked for. `said`: the share of the question's values
    that it uses exactly once. `link`: the worst link score of those. `named`: 1 where
    everything in the question that looks like a name was linked. `known`: the share of the
    unlinked words that are in the sentence or the schema.
    """
    sentence_words, asked = Counter(chosen.run.text.split()), parsed(question)
    firm = [i for i, mention in enumerate(mentions) if not mention.stays]
    once = [i for i in firm if sentence_words[value_name(i)] == 1]
    counted = chosen.run.rows is not None and number_of(chosen.run.rows) is not None
    left = _unlinked(asked, mentions)
    return {
        "belief": log_odds(chosen.belief),
        "margin": min(_MOST_MARGIN, math.log(max(chosen.belief, 1e-9) / max(chosen.next, 1e-9))),
        "rows": float(chosen.run.says_something),
        "fits": float(counted == asks_for_number(question)),
        "said": len(once) / len(firm) if firm else 1.0,
        "link": min((mentions[i].links[0].score for i in once), default=0.0),
        "named": float(not any(atom.shaped for atom in left)),
        "known": _known(asked, left, {*sentence_words, *schema_words(schema)}),
    }


def _unlinked(asked: Parsed, mentions: Sequence[ValueMention]) -> list[Atom]:
    """The words that are neither grammar nor part of what was linked."""
    spans = [(link.start, link.end) for mention in mentions for link in mention.links[:1]]
    return [
        atom
        for atom in asked.atoms
        if atom.counts
        and not atom.function
        and not any(start < atom.span.end and atom.span.start < end for start, end in spans)
    ]


def _known(asked: Parsed, atoms: Sequence[Atom], names: set[str]) -> float:
    """The share of the atoms' words that are, in any form, among the names; 1 without words."""
    own = [word for atom in atoms for word in words(asked.read(atom.span)).split()]
    known = [any(alike(word, name) for name in names) for word in own]
    return sum(known) / len(known) if known else 1.0
