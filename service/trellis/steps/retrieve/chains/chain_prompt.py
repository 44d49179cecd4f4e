"""The prompt of task `chain`, which training and answering share.

A model that names the nodes of its triples is shown the question with its names, and the triples
that are there, nearest and most relevant first, as far as a budget of tokens goes. One whose nodes
stay sets is shown the question alone, with placeholders for its mentions. Source: DoG, section 2.2
and table 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from trellis.automata.chains.graph import ChainGraph
from trellis.automata.chains.opening import Chains
from trellis.domain.models.prompt import NamedMention, Prompt
from trellis.linking.text import bare_words
from trellis.steps.link.mask_mentions import mention_placeholder
from trellis.steps.link.name_mentions import name_node_mentions
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.chains.settings import ChainSettings

CHAIN_CUE = "Chain"

_CHARACTERS = 4  # of a token, about
_MOST_RANKED = 5_000  # triples that are compared with the question


@dataclass(frozen=True, slots=True)
class ChainPrompt:
    """The prompt of one question; what it shows grows with the chains."""

    form: QuestionForm
    settings: ChainSettings

    @property
    def names_by_placeholder(self) -> dict[str, str]:
        """What the question says in the place of each placeholder."""
        return {mention_placeholder(i): each.text for i, each in enumerate(self.form.mentions)}

    def build(self, language: Chains) -> Prompt:
        """The prompt of task `chain`; it shows what the language's graph holds now."""
        named = name_node_mentions(self.form.mentions)
        if self.settings.rendering == "relations":
            return build_masked_chain_prompt(self.form.masked, named)
        shown = list_shown_triples(language.graph, self.form.text, self.settings.shown_tokens)
        sections = (("Graph", " | ".join(shown)),) if shown else ()
        text = " ".join(self.form.text.split())
        return Prompt(ChainSettings.task, text, CHAIN_CUE, sections, named)


def build_masked_chain_prompt(masked_question: str, named: tuple[NamedMention, ...] = ()) -> Prompt:
    """The prompt of task `chain` for a question whose mentions are masked already."""
    return Prompt(ChainSettings.task, " ".join(masked_question.split()), CHAIN_CUE, (), named)


def list_shown_triples(graph: ChainGraph, question: str, tokens: int) -> list[str]:
    """The triples of a graph that a model is shown, most relevant first, of about `tokens` tokens.

    Those that share words with the question come first, then those of nodes that were read sooner.
    """
    if not tokens:
        return []
    asked = set(bare_words(question))
    triples = [
        f"{graph.name_of(head)} -> {relation} -> {graph.name_of(tail)}"
        for head, relation, tail in islice(graph.iterate_triples(), _MOST_RANKED)
    ]
    ranked = sorted(triples, key=lambda text: -len(asked.intersection(bare_words(text))))
    shown, left = list[str](), tokens * _CHARACTERS
    for text in ranked:
        left -= len(text) + 3
        if left < 0:
            break
        shown.append(" ".join(text.split()))
    return shown
