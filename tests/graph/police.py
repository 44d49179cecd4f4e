"""A small police graph with awkward names, and a model that is told what to say."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading.queries import find_canonical_moves
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.domain.errors import CypherReadError
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.steps.retrieve.queries.settings import CypherSettings

POLICE = """
CREATE (ada:Person {name: 'Ada', age: 31}), (bob:Person {name: 'Bob', age: 45}),
       (cleo:Person {name: 'Cleo "the fox" O\\'Hara', age: 45}),
       (dan:Person {name: 'Dan', age: 19}),
       (kim:Officer {name: 'Kim', `badge no`: '12-34'}),
       (roy:Officer {name: 'Roy', `badge no`: '9'}),
       (a:Crime {type: 'Robbery', date: '1/08/2017'}), (b:Crime {type: 'Arson', date: '2/08/2017'}),
       (c:Crime {type: 'Robbery', date: '3/08/2017'}),
       (:Blank), (:`O``dd`)-[:`IS``T`]->(:Blank),
       (ada)-[:PARTY_TO]->(a), (bob)-[:PARTY_TO]->(a), (bob)-[:PARTY_TO]->(b),
       (cleo)-[:PARTY_TO]->(c), (ada)-[:KNOWS]->(bob), (dan)-[:KNOWS]->(cleo),
       (a)-[:INVESTIGATED_BY]->(kim), (b)-[:INVESTIGATED_BY]->(kim), (c)-[:INVESTIGATED_BY]->(roy)
"""

_BY_KIM = "MATCH (c:Crime)-[:INVESTIGATED_BY]-(o:Officer WHERE o.name = 'Kim') RETURN"
KIM = f"{_BY_KIM} c"
HOW_MANY = f"{_BY_KIM} count(DISTINCT c)"
OLDEST = (
    "MATCH (p:Person)-[:PARTY_TO]-(c:Crime WHERE c.type = 'Robbery') "
    "RETURN p ORDER BY p.age DESC LIMIT 1"
)


class ToldModel:
    """A LanguageModel that writes given queries, those that the language has; first ones best."""

    card = ModelCard.of("told", CypherSettings())

    def __init__(
        self, *queries: str, params: Mapping[str, Any] | None = None, sure: float = 0.6
    ) -> None:
        """`sure`: how probable the first query is; the n-th is an n-th as probable."""
        self._queries = queries
        self._params = params or {}
        self._sure = sure
        self.prompts: list[Prompt] = []
        self.widths: list[int] = []

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        self.prompts += prompts
        self.widths.append(search.width)
        return [self._written(language)[: search.width] for language in languages]

    def _written(self, language: CypherLanguage) -> list[Sentence]:
        found = []
        for number, query in enumerate(self._queries, start=1):
            try:
                moves = find_canonical_moves(language, query, self._params)
            except CypherReadError:
                continue
            values = language.values(follow_moves(language, moves))
            found.append(
                Sentence("".join(moves), (), values, math.log(self._sure / number), len(moves))
            )
        return found
