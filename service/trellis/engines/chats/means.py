"""The means by which a server keeps what its model writes inside a language.

A server is asked once for a text that only a grammar, or a schema, could make it write. What it
ignores or refuses is not used. Whatever comes by any means is read through the language again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from trellis.automata.grammars.dialects import write_grammar
from trellis.automata.grammars.grammar import END, Choices, Grammar
from trellis.domain.errors import DecoderTimeoutError, TrellisError
from trellis.engines.chats.chat import Message
from trellis.engines.chats.completions import ChatCompletions

log = logging.getLogger(__name__)

MeansName = Literal["structured_outputs", "ebnf", "gbnf", "json", "text"]
"""The names of means, the strongest first.

`structured_outputs`: a grammar, as vLLM takes it; `ebnf`: as SGLang does; `gbnf`: as llama.cpp
does. `json`: a JSON schema: of queries as trees, else of the texts of the language. `text`: none of
these.
"""

MEANS: tuple[MeansName, ...] = get_args(MeansName)

_PROOF = "trellis-7"
_PROVING = Grammar(((Choices((_PROOF,), 1),), (Choices((), END),)), is_exact=True)
_QUESTION: Sequence[Message] = ({"role": "user", "content": "Say hello in one word."},)
_MOST_NAMES = 400  # texts that a JSON schema lists


@dataclass(frozen=True, slots=True)
class Means:
    """How requests say what may be written."""

    name: MeansName

    def build_options(self, grammar: Grammar | str) -> Mapping[str, Any]:
        """The parameters of a request that keep its text inside a grammar, or one written as GBNF;
        a JSON schema is made of a grammar that is not written yet."""
        if self.name == "text":
            return {}
        if self.name == "json" and isinstance(grammar, Grammar):
            return build_json_options(_build_parts_schema(grammar))
        text = grammar if isinstance(grammar, str) else write_grammar(grammar, "gbnf")
        bodies: dict[str, Any] = {
            "structured_outputs": {"structured_outputs": {"grammar": text}},
            "ebnf": {"ebnf": text},
            "gbnf": {"grammar": text},
        }
        return {"extra_body": bodies[self.name]}

    def read_text(self, text: str) -> str:
        """What was written, as a sentence: the parts of a JSON reply are joined."""
        if self.name != "json":
            return text
        try:
            parts = json.loads(text[text.find("{") : text.rfind("}") + 1])["parts"]
            return "".join(map(str, parts)).strip()
        except (ValueError, KeyError, TypeError):
            return text


async def find_means(completions: ChatCompletions) -> Means:
    """The strongest means that a server has; raises the error of a server that does not answer."""
    for name in MEANS:
        means = Means(name)
        if name == "text" or await _is_honoured(completions, means):
            break
    log.info("%s at %s is led by: %s", completions.model, completions.client.base_url, means.name)
    return means


async def _is_honoured(completions: ChatCompletions, means: Means) -> bool:
    """Whether the server writes what nobody would write without the means."""
    try:
        texts = await completions.ask(_QUESTION, 32, 0.0, means.build_options(_PROVING))
    except DecoderTimeoutError:
        raise
    except TrellisError as error:
        log.info("means %s is refused: %s", means.name, error.problem)
        return False
    return means.read_text(texts[0].text).strip() == _PROOF


def build_json_options(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a request that keep its text inside a JSON schema."""
    named = {"name": "sentence", "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def _build_parts_schema(grammar: Grammar) -> Mapping[str, Any]:
    """A schema of objects that list the parts of a sentence, each one of the language's texts."""
    texts = list(dict.fromkeys((*_strip_first(grammar), *grammar.list_texts())))
    parts: dict[str, Any] = {"type": "string"}
    if len(texts) <= _MOST_NAMES:
        parts["enum"] = texts
    return {
        "type": "object",
        "properties": {"parts": {"type": "array", "items": parts}},
        "required": ["parts"],
        "additionalProperties": False,
    }


def _strip_first(grammar: Grammar) -> list[str]:
    """The texts that begin sentences, without white space before them."""
    first = (choice for choice in grammar.rules[0] if isinstance(choice, Choices))
    return [text.lstrip() for choice in first for text in choice.texts]
