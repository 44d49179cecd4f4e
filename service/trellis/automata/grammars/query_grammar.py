"""The grammar of ordinary Cypher over a schema, for servers whose masks are their own.

The states of the wide language are too many for a rule each. This grammar has its clauses and its
names: every query of the rendering `cypher` is a sentence of it, and labels, types, properties and
values are those that there are. What it does not know, such as the label of a variable, is found
when the text is read. No rule comes back to itself, so that all dialects of GBNF take it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from trellis.automata.cypher.clauses.texts import name_variable, write_name, write_value
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.value_rendering import PART_FUNCTIONS
from trellis.automata.cypher.words.bound_values import NamedValue
from trellis.automata.grammars.dialects import quote_text
from trellis.domain.graphs.schema import Schema

_MOST_CHARACTERS = 60_000  # servers compile it at each question: so many take half a second

_CLAUSES = """\
root ::= "MATCH " paths (" MATCH " paths)* where? ranked? optional* grouped? returned
ranked ::= " WITH " column (", " column)* rows (" MATCH " paths)* where?
optional ::= " OPTIONAL MATCH " paths holding?
grouped ::= " WITH " column (", " column)* (" WHERE " held (" AND " held)*)?
returned ::= " RETURN " "DISTINCT "? item (", " item)* rows
rows ::= (" ORDER BY " order (", " order)*)? (" SKIP " number)? (" LIMIT " number)?
order ::= item (" ASC" | " DESC")?
paths ::= path (", " path)*
path ::= node hop*
where ::= " WHERE " condition (" AND " condition)*
condition ::= comparison | "NOT "? "EXISTS { " inside " }" | "COUNT { " inside " }" compared value
inside ::= "MATCH " paths (" MATCH " paths)* holding?
holding ::= " WHERE " comparison (" AND " comparison)*
comparison ::= "NOT "? (test | "(" test (" OR " test)* ")")
test ::= said | property compared property | property among | property null | apart
among ::= " IN [" value (", " value)* "]"
null ::= " IS NULL" | " IS NOT NULL"
apart ::= variable " <> " variable
held ::= item compared value
column ::= (item | variable) (" AS " name)?
item ::= function "(" "DISTINCT "? (sum | variable) ")" | sum | variable | name | counted
counted ::= "count(*)" " > 0"?
sum ::= property (" " ("+" | "-" | "*" | "/") " " property)?
function ::= "count" | "min" | "max" | "sum" | "avg" | "collect"
name ::= ("num" | "key") number?
number ::= [1-9] [0-9]*
variable ::= stem [0-9]?
compared ::= " " ("=" | "<>" | "<" | "<=" | ">" | ">=" | text) " "
text ::= "CONTAINS" | "STARTS WITH" | "ENDS WITH"
"""

_EDGE = "r"  # the letter of relationships

_SPELLINGS = ("", "lower")
"""How a value is written: as it is, or in lower case."""

_COMPARED = 'of# compared told# | told# " IN " of#'

Owner = tuple[str, str]
"""The letters of a variable, and the name of a property."""

_ANY: Owner = ("", "")

Way = tuple[int, tuple[int, ...]]
"""A direction (the index of `_SIDES`), and the numbers of the labels that it leads to."""

_SIDES = (('"-["', '"]->("'), ('"<-["', '"]-("'), ('"-["', '"]-("'))


def write_query_grammar(language: CypherLanguage) -> str | None:
    """The grammar as GBNF; None where the schema has too many names, or none."""
    if not language.known.schema.labels:
        return None
    spoken = language.lexicon.values
    values = [write_value(value, part) for value in spoken for part in _SPELLINGS]
    rules = [*_write_patterns(language), *_write_properties(language), *_write_said(language)]
    rules.append(f"value ::= {_choose(values or ['$v0'])}")
    text = _CLAUSES + "\n".join(rules) + "\n"
    return text if len(text) <= _MOST_CHARACTERS else None


def _write_patterns(language: CypherLanguage) -> Iterator[str]:
    """The rules of nodes and relationships."""
    schema = language.known.schema
    numbers = {kind.label: number for number, kind in enumerate(schema.labels)}
    for label, number in numbers.items():
        said = quote_text(f":{write_name(label)}")
        yield f"node{number} ::= {quote_text(_find_stem(label))} [0-9]? {said}"
    stems = [*map(_find_stem, numbers), _find_stem(""), _EDGE]
    yield f"stem ::= {_choose(stems)}"
    yield f"known ::= {' | '.join(f'node{number}' for number in numbers.values())}"
    yield 'node ::= "(" (known | variable) ")"'
    hops = [_write_hop(*each) for each in _group_types(schema, numbers).items()]
    yield f"hop ::= {' | '.join(hops) if hops else quote_text('')}"


def _group_types(schema: Schema, numbers: Mapping[str, int]) -> Mapping[Way, Sequence[str]]:
    """The relationship types by the labels that they lead to in a direction: those that lead to the
    same ones share a choice, so that the grammar stays small."""
    ends: dict[tuple[str, int], set[int]] = defaultdict(set)
    for kind in schema.relationships:
        start, end = (
            {numbers[label]} if label in numbers else set[int]()
            for label in (kind.start_label, kind.end_label)
        )
        for side, reached in enumerate((end, start, start | end)):
            ends[kind.type, side] |= reached
    types: dict[Way, list[str]] = defaultdict(list)
    for (type, side), reached in ends.items():
        types[side, tuple(sorted(reached))].append(f":{write_name(type)}")
    return types


def _write_hop(way: Way, types: Sequence[str]) -> str:
    """A relationship of one of some types, and the node behind it."""
    left, right = _SIDES[way[0]]
    behind = " | ".join([*(f"node{number}" for number in way[1]), "variable"])
    edge = f"({quote_text(_EDGE)} [0-9]?)?"
    return f'{left} {edge} {_choose(types)} {right} ({behind}) ")"'


def _write_properties(language: CypherLanguage) -> Iterator[str]:
    """The rules of properties: those of the labels that a variable may have, and their parts."""
    schema, of_stem = language.known.schema, defaultdict[str, dict[str, None]](dict)
    for label in schema.labels:
        for key in label.properties:
            of_stem[_find_stem(label.label)][key.name] = None
            of_stem[_find_stem("")][key.name] = None
    for keys in schema.relationship_properties.values():
        for key in keys:
            of_stem[_EDGE][key.name] = None
    ways = [
        f"{quote_text(stem)} [0-9]? {_choose(f'.{write_name(key)}' for key in keys)}"
        for stem, keys in of_stem.items()
    ]
    yield f"owned ::= {' | '.join(ways) if ways else quote_text('n.name')}"
    yield f"part ::= {_choose(f'{function}(' for function in PART_FUNCTIONS.values())}"
    yield 'date ::= ".year" | ".month" | ".day"'
    yield 'property ::= owned date? | part owned ")"'


def _write_said(language: CypherLanguage) -> Iterator[str]:
    """The rules of comparisons with values: each with the properties that it is a value of; a
    literal of the question with any."""
    of_value: dict[str, set[Owner]] = defaultdict(set)
    for value in language.lexicon.values:
        for part in _SPELLINGS:
            of_value[write_value(value, part)] |= set(_list_owners(value, language.known.schema))
    alike: dict[frozenset[Owner], list[str]] = defaultdict(list)
    for text, owners in of_value.items():
        alike[frozenset(owners)].append(text)
    for number, (of, texts) in enumerate(alike.items()):
        yield f"of{number} ::= {_write_owner(of)}"
        yield f"told{number} ::= {_choose(texts)}"
    said = [_COMPARED.replace("#", str(number)) for number in range(len(alike))]
    yield f"said ::= {' | '.join(said) if said else 'property null'}"


def _list_owners(value: NamedValue, schema: Schema) -> Iterator[Owner]:
    """The properties that have a value, by the letters of variables; any for a literal."""
    stored = value.stored
    if stored.is_literal():
        yield _ANY
        return
    yield _find_stem(stored.label), stored.property
    yield _find_stem(""), stored.property
    if stored.label in schema.relation_types:
        yield _EDGE, stored.property


def _write_owner(owners: Iterable[Owner]) -> str:
    """The properties, and parts of their values."""
    if _ANY in owners:
        return "property"
    ways = (
        f"{quote_text(stem)} [0-9]? {quote_text(f'.{write_name(key)}')}" for stem, key in owners
    )
    said = " | ".join(sorted(ways))
    return f'({said}) date? | part ({said}) ")"'


def _find_stem(label: str) -> str:
    return name_variable(label, ())


def _choose(texts: Iterable[str]) -> str:
    return f"({' | '.join(map(quote_text, dict.fromkeys(texts)))})"
