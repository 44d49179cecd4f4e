"""Reads the queries that a hosted model writes: sentences of the language, or Cypher in any style.

Only queries of the language are accepted: names that the graph does not have are sent back for
correction. Values of the question are parameters, named as its mentions are (`$v0`).
"""

from __future__ import annotations

from typing import Any

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading.queries import find_named_moves
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.reader import Departure, Reader, SentenceReading
from trellis.domain.errors import CypherReadError
from trellis.engines.chats.chat import UnreadableLine


class QueryReader:
    """Reads sentences of the language, and Cypher whose parameters are the values' names."""

    def __init__(self, language: CypherLanguage) -> None:
        self._language = language
        self._reader: Reader[Any, Any] = Reader(language)

    def read_text(self, text: str) -> SentenceReading[Any] | Departure:
        """What a text means; a text that is neither is said to be unreadable, and why."""
        sentence = self._reader.read_text(text)
        if isinstance(sentence, SentenceReading):
            return sentence
        try:
            moves = find_named_moves(self._language, text.rstrip("; "))
            return SentenceReading(
                "".join(moves), self._language.values(follow_moves(self._language, moves))
            )
        except CypherReadError as error:
            return UnreadableLine(0, "", 0, (), f"{error.problem}")
