"""Search: triple-level beam search over a graph that grows.

Inside a triple a model goes on token by token; at its end the best chains are kept, and what they
lack is read for all of them at once. Source: DoG, section 2.4 and algorithm 1; that one beam search
serves all chains, where the paper has one for each, is ours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trellis.automata.chains.growing import GrowingLanguage
from trellis.automata.chains.opening import Chains
from trellis.automata.chains.pausing import PausingLanguage, pause_after
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.ports import GrowingModel, LanguageModel
from trellis.domain.replies.events import Event, Watch
from trellis.domain.structures.chains import ChainTriple, TripleChain
from trellis.steps.retrieve.chains.chain_prompt import ChainPrompt
from trellis.steps.retrieve.chains.grow_chains import ChainGrowth

_LEAST_SHARE_OF_BEST = 0.002
"""A chain goes on if it is at least this share as probable as the best one that has ended: what is
less could not win, even if the question's words spoke for it."""


async def search_chains(
    model: LanguageModel,
    prompt: ChainPrompt,
    language: Chains,
    growth: ChainGrowth,
    search: Search,
    watch: Watch,
) -> list[Sentence]:
    """Up to `search.width` whole chains, best first; each triple of the best one is an event.

    A model that cannot go on from parts writes whole chains, over what was read ahead.
    """
    if not isinstance(model, GrowingModel):
        [written] = await model.decode([prompt.build(language)], [language], search)
        return list(written)
    teller = _Teller(watch, prompt.names_by_placeholder)
    begun, ended, parts = list[Sentence](), list[Sentence](), 0
    while begun or not parts:
        parts += 1
        pausing = _pause(language, parts)
        found = await model.extend_sentences(prompt.build(language), pausing, begun, search)
        ended = _keep_best([*ended, *filter(_has_ended, found)], search)
        begun = _keep_hopeful([each for each in found if not _has_ended(each)], ended, search)
        teller.tell_best([*begun, *ended])
        language = await growth.grow(language, begun)
    return ended


def _pause(
    language: GrowingLanguage[Any, TripleChain], parts: int
) -> PausingLanguage[Any, TripleChain]:
    return pause_after(language, parts)


def _has_ended(sentence: Sentence) -> bool:
    return any(isinstance(value, TripleChain) and value.has_ended for value in sentence.values)


def _keep_best(ended: Sequence[Sentence], search: Search) -> list[Sentence]:
    distinct: dict[str, Sentence] = {}
    for each in sorted(ended, key=lambda sentence: -sentence.score):
        distinct.setdefault(each.text, each)
    return list(distinct.values())[: search.width]


def _keep_hopeful(
    begun: Sequence[Sentence], ended: Sequence[Sentence], search: Search
) -> list[Sentence]:
    """The begun chains that can still come among the best; a score can only fall."""
    if not ended:
        return list(begun)
    least = ended[0].score + math.log(_LEAST_SHARE_OF_BEST)
    if len(ended) == search.width:
        least = max(least, ended[-1].score)
    return [each for each in begun if each.score >= least]


@dataclass(slots=True)
class _Teller:
    """Tells the best chain whenever it has changed; nodes of placeholders by the mentions' text."""

    watch: Watch
    names: Mapping[str, str]
    told: tuple[Sequence[ChainTriple], bool] = ((), False)

    def tell_best(self, chains: Sequence[Sentence]) -> None:
        best = max(chains, key=lambda each: each.score, default=None)
        if best is None:
            return
        chain = best.values[0]
        assert isinstance(chain, TripleChain), "a sentence of the language of chains means a chain"
        if self.told != (chain.triples, chain.has_ended):
            self.told = chain.triples, chain.has_ended
            triples = tuple(map(self._name_ends, chain.triples))
            self.watch(Event("chain", replace(chain, triples=triples)))

    def _name_ends(self, triple: ChainTriple) -> ChainTriple:
        head, tail = (self.names.get(end, end) for end in (triple.head, triple.tail))
        return replace(triple, head=head, tail=tail)
