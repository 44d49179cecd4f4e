"""Confidence: the signs by which a reply is trusted, beside the model's own probability.

A model that may only say what is in the graph is sure of the best path it finds even where the
question means none. So what it stands on is looked at too: how well the names were linked, whether
the path starts from all of them, how much of the question's wording the model knows, and whether
the path means what the question says by the judgement of another model.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Collection, Mapping, Sequence

from trellis.domain.calibration import log_odds
from trellis.domain.graph import PathQuery, RelationPath
from trellis.domain.links import Mention
from trellis.domain.ports import Embedder
from trellis.domain.reply import Tried
from trellis.domain.sentences import relation_words
from trellis.linking.spans import Atom, Parsed, parsed


async def signs(
    question: str,
    mentions: Sequence[Mention],
    candidates: Sequence[Tried],
    wording: Collection[str],
    embedder: Embedder | None,
) -> Mapping[str, float]:
    """What speaks for the first candidate that reaches a node; empty where none does.

    `belief`: log-odds that its first node is an answer. `link`: the worst score of the mentions
    that it starts from. `used`: the share of the mentions that those are. `known`: the share of
    the question's own words that `wording` has. `meaning`: the cosine of those words and the
    words of its relations and of the labels it ends in.
    """
    reaching = [one for one in candidates if one.found]
    if not reaching:
        return {}
    best, asked = reaching[0], parsed(question, wording)
    belief = math.fsum(math.exp(one.score) for one in reaching if best.found[0] in one.found)
    used = {path.mention for path in _paths(best)}
    own = _own_words(asked, mentions)
    return {
        "belief": log_odds(belief),
        "link": min((mentions[one].score for one in used), default=0.0),
        "used": len(used) / len(mentions) if mentions else 0.0,
        "known": sum(atom.common for atom in own) / len(own) if own else 1.0,
        "meaning": await _alike(asked.text, own, best, embedder) if embedder and own else 0.0,
    }


def _own_words(asked: Parsed, mentions: Sequence[Mention]) -> list[Atom]:
    """The words that are neither grammar nor part of a mention."""
    return [
        atom
        for atom in asked.atoms
        if atom.counts
        and not atom.function
        and not any(m.start < atom.span.end and atom.span.start < m.end for m in mentions)
    ]


async def _alike(text: str, own: Sequence[Atom], best: Tried, embedder: Embedder) -> float:
    words = " ".join(text[atom.span.start : atom.span.end].lower() for atom in own)
    one, other = await asyncio.to_thread(embedder.embed, [words, _said(best)])
    return float(one @ other)


def _said(best: Tried) -> str:
    """A candidate's relations and the labels of what it reaches, in words."""
    steps = [step for path in _paths(best) for step in path.steps]
    named = [*(step.relation for step in steps), *best.found[0].labels]
    return " ".join(word for name in named for word in relation_words(name))


def _paths(best: Tried) -> tuple[RelationPath, ...]:
    return best.query.paths if isinstance(best.query, PathQuery) else ()
