"""The chat of task `chain`: a hosted model reasons by triples of the graph that it is shown.

Source: DoG, section 2.2 and table 6; text and example are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trellis.automata.chains.opening import Chains
from trellis.automata.reader import Reader
from trellis.domain.chains import TripleChain
from trellis.domain.printable import quote_as_data
from trellis.domain.prompt import Prompt
from trellis.engines.chat import Conversation, Message
from trellis.steps.chains.chain_prompt import list_shown_triples

INSTRUCTIONS = (
    "You answer a question by a chain of triples of a graph, one triple for each step of your "
    "reasoning: `head -> relation -> tail ; head -> relation -> tail = answer`. Triples are those "
    "that you are shown, letter by letter, never turned round. The first one holds a thing that "
    "the question names, each further one a thing that the question names or that is in a triple "
    "before it. No triple is written twice. Behind ` = ` stands the answer, a thing of the chain. "
    "Write chains only, each whole on one line, the likeliest first, without numbers or comments."
)

_TOKENS_A_TRIPLE = 25  # of those that are shown

EXAMPLE = (
    "Vera -> wrote -> Winter",
    "Winter -> printed in -> Lyon",
    "Lyon -> lies in -> France",
    "Otto -> edited -> Winter",
)
"""Triples of an example; the question is for the country where Vera's book was printed."""


@dataclass(frozen=True, slots=True)
class ChatChains:
    """The `ChatFormat` of task `chain`."""

    line_tokens: int = 200

    def open_conversation(
        self, prompt: Prompt, language: Chains, width: int, shown_limit: int
    ) -> Conversation | None:
        if language.is_empty():
            return None
        shown = list_shown_triples(language.graph, prompt.question, shown_limit * _TOKENS_A_TRIPLE)
        messages = build_messages(prompt.question, shown[:shown_limit], width)
        reader: Reader[Any, TripleChain] = Reader(language)
        return Conversation(messages, reader)


def build_messages(question: str, triples: Sequence[str], width: int) -> list[Message]:
    """The messages that ask for chains: instructions, an example, and the question."""
    asked = "In which country was the book printed that Vera wrote?"
    chain = "Vera -> wrote -> Winter ; Winter -> printed in -> Lyon ; Lyon -> lies in -> France"
    return [
        {"role": "system", "content": INSTRUCTIONS},
        {"role": "user", "content": write_request(asked, EXAMPLE, 1)},
        {"role": "assistant", "content": f"{chain} = France"},
        {"role": "user", "content": write_request(question, triples, width)},
    ]


def write_request(question: str, triples: Sequence[str], width: int) -> str:
    """The request: the triples that can be said, and the question."""
    listed = "\n".join(map(quote_as_data, triples))
    return (
        f"The triples nearest to the question:\n{listed}\n\nQuestion: {quote_as_data(question)}\n"
        f"Write chains that lead to its answer, at most {width}."
    )
