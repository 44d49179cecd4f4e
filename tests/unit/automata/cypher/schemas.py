"""Random small schemas with odd names, values linked in them, and sentences by brute force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RENDERINGS, RenderingOptions
from trellis.automata.cypher.state import CypherState
from trellis.automata.cypher.words.bound_values import NamedValue
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema

ODD = (
    *("Person", "person", "PhoneCall", "phone call", "PHONE_CALL", "a", "A", "a b", "a_b"),
    *("and", "where", "any", "list", "count all", "limit 1", "highest", "v0", "MATCH", "`"),
    *("it's `odd`", 'say "so"', "a\\u0060b", "x\\", "日本 語", "👩‍🚀", "Ünï"),
    *("--> x", "x ->", "$v0"),
    *("}) RETURN 1 //", "_", " ", "\u200b", "<|end|>", "[UNK]", "line\nbreak", "1st", "-"),
)
"""Names of labels, types and properties: reserved words, marks, emoji, what tokenizers equate."""

TYPES = ("STRING", "INTEGER", "FLOAT", "DATE", "BOOLEAN", "LIST<STRING>")
SAID = ("v0", "v1", "v 1", "V1", "<s>")
VALUES: dict[str, tuple[str | int | float | bool, ...]] = {
    **{"STRING": ("x", "it's"), "INTEGER": (7, -8), "FLOAT": (1.5, 1e9), "BOOLEAN": (True, False)},
    **{"DATE": ("2020-02-29", "1999-01-01"), "LIST<STRING>": ("x",)},
}


LITERALS = (
    StoredValue("", "", "literal"),
    StoredValue("", "", 99, "INTEGER"),
    StoredValue("", "", 0.25, "FLOAT"),
)


@dataclass(frozen=True)
class SchemaWorld:
    """A schema, values that are linked in it, and how much queries can say."""

    schema: Schema
    values: tuple[NamedValue, ...]
    options: RenderingOptions

    def language(self) -> CypherLanguage:
        return CypherLanguage(self.schema, self.values, self.options)


def random_schema(random: Random, most: int = 3) -> Schema:
    """Up to `most` labels, properties of each, and relationship types; some nodes without any."""
    labels = random.sample(ODD, random.randint(1, most))
    kinds = tuple(
        LabelKind(label, 9, None, tuple(_properties(random, most))) for label in sorted(labels)
    )
    ends = [*labels, *([""] if random.random() < 0.2 else [])]
    types = random.sample(ODD, random.randint(1, most))
    of_types = {type: tuple(_properties(random, most)) for type in types}
    edges = {
        (random.choice(types), random.choice(ends), random.choice(ends))
        for _ in range(random.randint(0, most + 1))
    }
    relationships = tuple(RelationshipKind(*e, 5) for e in sorted(edges))
    return Schema(kinds, relationships, 9, 5, "odd", of_types)


def _properties(random: Random, most: int) -> Iterator[PropertyKind]:
    for name in sorted(random.sample(ODD, random.randint(0, most))):
        yield PropertyKind(name, random.choice(TYPES))


def random_values(random: Random, schema: Schema, most: int) -> tuple[NamedValue, ...]:
    """Values of the schema's properties; some are said alike."""
    known = [(kind.label, each) for kind in schema.labels for each in kind.properties]
    chosen = [random.choice(known) for _ in range(random.randint(0, most))] if known else []
    found: dict[tuple[str, object], StoredValue] = {}
    for label, kind in chosen:
        value = random.choice(VALUES[kind.type])
        found[kind.name, value] = StoredValue(label, kind.name, value, kind.type)
    values = [*found.values(), *random.sample(LITERALS, random.randint(0, 3))]
    return tuple(NamedValue(random.choice(SAID), value) for value in values)


def random_world(
    seed: int, nodes: int = 5, items: int = 4, most: int = 3, wide: float = 0.5
) -> SchemaWorld:
    """`wide`: the share of worlds in which all is said that the wide language has."""
    random = Random(seed)
    schema = random_schema(random, most)
    limits = random.choice(((1,), (1, 3)))
    is_wide = random.random() < wide
    values = random_values(random, schema, 3)
    options = RenderingOptions(
        nodes, items, limits, is_wide, random.choice(RENDERINGS), random.random() < 0.8
    )
    return SchemaWorld(schema, values, options)


def schema_worlds() -> st.SearchStrategy[SchemaWorld]:
    return st.integers(0, 2**32).map(random_world)


def small_worlds() -> st.SearchStrategy[SchemaWorld]:
    """Worlds of which all sentences can be listed."""
    return st.integers(0, 2**32).map(lambda seed: random_world(seed, 2, 1, 2, 0.2))


def every_sentence(language: CypherLanguage) -> Iterator[tuple[tuple[str, ...], CypherState]]:
    """All sentences, as their moves and the state behind them, by the language alone."""
    pending: list[tuple[tuple[str, ...], CypherState]] = [((), language.start())]
    while pending:
        moves, state = pending.pop()
        if language.accepting(state):
            yield moves, state
        for move, text in enumerate(language.moves(state).texts):
            after = language.follow(state, move)
            assert after is not None
            pending.append(((*moves, text), after))
