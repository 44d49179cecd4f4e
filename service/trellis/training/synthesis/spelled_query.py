"""A made question with its query: the example to learn, and the language of its sentence."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.automata.cypher.language import CypherLanguage
from trellis.training.examples import Example


@dataclass(frozen=True, slots=True)
class SpelledQuery:
    """An example of task `cypher`, and the language that its question's values give."""

    example: Example
    language: CypherLanguage
