"""Answer kinds: whether what a query gives is what the question asks for by its first words.

`Which customers` asks for customers, `on which dates` for dates, `who` for persons or what they
make up, `how much` and `how many` for a number. A query that gives something else was hardly meant.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from trellis.automata.cypher.meaning.items import ReturnItem
from trellis.automata.cypher.meaning.query import QueryEdge, QueryGraph
from trellis.automata.cypher.words.property_types import ORDERED
from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.domain.models.decoding import Sentence
from trellis.lexicon.label_kinds import is_time
from trellis.lexicon.property_phrases import is_year
from trellis.steps.align.answer_types.asked_property import find_asked_property
from trellis.steps.align.answer_types.asked_value import find_counted_labels
from trellis.steps.align.answer_types.reweigh_findings import measure_gain
from trellis.steps.align.queries.naming_form import find_naming
from trellis.steps.align.queries.possible_labels import find_possible_labels
from trellis.steps.describe.queries.read_meaning import QueryMeaning, read_meaning
from trellis.steps.link.asked_kind import AskedKind
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.property_nouns import PropertyPlace

_OTHER_KIND = 2e-3
"""Weight of a query that gives another kind of thing than the question asks for."""
_MISBUILT = 1e-4
"""Weight of a query that can hardly mean anything: it answers only where no other does."""

_OTHER_PROPERTY = 0.02
"""Weight of a query without the property that a noun asks for, where another query gives it."""

_NODE_ALONE = 0.2
"""Weight of a query that gives nodes where a noun asks for what names them, and another query gives
it: over POLE's training questions 57 gold queries give it, and 8 the nodes."""

_NAME_ALONE = 0.1
"""Weight of a query that gives the names of nodes that are asked for, and not the nodes."""

_EVERYONE = re.compile(
    r"^\W*(?:(?:can|could) you )?(?:please )?"
    r"(?:find|give me|identify|list|name|show(?: me)?|tell me) "
    r"(?:anybody|anyone|everybody|everyone|people)\b",
    re.IGNORECASE,
)
_SAYS_NAMES = re.compile(
    r"\bnames\b|\bname of\b|\bwhat(?: is|'s)? (?:the |his |her |its )?(?:first |full )?name\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\b(?:named|called|by the name|name is)\b", re.IGNORECASE)
_END = re.compile(
    r"\b(?:first|initial|last|latest|newest|most recent|final) (?=([a-z]+(?: [a-z]+)?)\b)",
    re.IGNORECASE,
)
"""Words for the first or the last of things, and the one or two words behind."""
_AT_THE_END = re.compile(r"\b(?:first|last|earliest|latest|most recently)\W*$", re.IGNORECASE)
_DOES = re.compile(r"\b(?:do|does|did|will|can|could)\b", re.IGNORECASE)
_AMOUNT = re.compile(r"\D?\d[\d.,:]*(?: ?[^\W\d_]{1,10}\.?(?: ?\d{1,2} ?[^\W\d_]{0,10}\.?){0,2})?$")
"""A number, and perhaps units: `38`, `2h 30min`; no code, no date."""
_DIGIT = re.compile(r"\D*\d")
_FIGURES = ("count", "sum", "avg", "min", "max")


def reweigh_kinds(form: QuestionForm, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences, best first, with lower scores for those that give another kind of thing.

    What these lose goes to the others, but for what goes to none being meant.
    """
    asking = _read_asking(form)
    meanings = [read_meaning(each.values[0]) for each in sentences]
    weights = [_weigh_query(asking, each) if each else 1.0 for each in meanings]
    if asking.places:
        shares = [_weigh_property(asking, each) for each in meanings]
        if 1.0 in shares:
            weights = [weight * share for weight, share in zip(weights, shares, strict=True)]
    return reweigh_queries(sentences, weights)


def explain_other_answer(form: QuestionForm, meaning: QueryMeaning | None, reading: str) -> str:
    """Why a query's answers are held back, for a note; empty where they are not: it gives another
    kind of thing than the question asks for."""
    if meaning is None or meaning.asks_whether or form.asked_kind.is_by_who_alone:
        return ""
    if _gives_kind(_read_asking(form), meaning.graph):
        return ""
    return f"the question asks for something else than what was found: {reading}"


def _weigh_property(asking: _Asking, meaning: QueryMeaning | None) -> float:
    """The weight of a query where a noun asks for a property: 1 where it gives that, or may."""
    if meaning is None or meaning.asks_whether or _gives_property(meaning.graph, asking.places):
        return 1.0
    nodes = [meaning.graph.nodes[item.node] for item in meaning.graph.items if _is_node(item)]
    named = ((node.label, find_naming(node, asking.form.schema)) for node in nodes)
    return _NODE_ALONE if any(place in asking.places for place in named) else _OTHER_PROPERTY


def reweigh_queries(sentences: Sequence[Sentence], weights: Sequence[float]) -> list[Sentence]:
    """The sentences, best first, by weights in (0, 1].

    What some lose goes to the others, but for what goes to none being meant.
    """
    gain = measure_gain([math.exp(each.score) for each in sentences], weights)
    reweighed = [
        replace(each, score=each.score + math.log(weight * gain))
        for each, weight in zip(sentences, weights, strict=True)
    ]
    return sorted(reweighed, key=lambda sentence: -sentence.score)


@dataclass(frozen=True, slots=True)
class _Asking:
    """What a question asks queries for. `counted`: the labels of what it asks the number of;
    `places`: the properties that its noun names; `is_end`: whether it is the first or the last of
    nodes of some label."""

    form: QuestionForm
    counted: frozenset[str]
    places: frozenset[PropertyPlace]
    is_end: bool


def _read_asking(form: QuestionForm) -> _Asking:
    is_time = form.asked_kind.wh == "when"  # whatever it is called
    places = frozenset[PropertyPlace]() if is_time else find_asked_property(form)
    return _Asking(form, find_counted_labels(form), places, _asks_for_end(form))


def _asks_for_end(form: QuestionForm) -> bool:
    """Whether a question speaks of the first or the last of nodes of a label: of 250 questions over
    POLE that do, all gold queries put something in an order, and so do all 17 that end in such a
    word (`which crime happened last`, but not `how long did it last`)."""
    if _AT_THE_END.search(form.text) and not _DOES.search(form.text):
        return True
    find_labels = form.vocabulary.find_labels
    behind = (match[1].lower() for match in _END.finditer(form.text))
    return any(find_labels(said) or find_labels(said.split()[0]) for said in behind)


def _takes_end(graph: QueryGraph) -> bool:
    return (
        bool(graph.orders)
        or any(scope.kind == "first" for scope in graph.scopes)
        or any(item.form.function in ("min", "max") for item in graph.items)
    )


def _gives_what_is_missing(graph: QueryGraph) -> bool:
    """Whether nodes that lack a property are put in an order by it, or it is given or compared: the
    highest waterfall is none whose height is not known."""
    missing = {
        (number, each.property)
        for number, node in enumerate(graph.nodes)
        for each in node.filters
        if each.operator == "IS NULL" and not each.is_negated
    }
    compared = {
        (number, each.property)
        for number, node in enumerate(graph.nodes)
        for each in node.filters
        if each.operator != "IS NULL"
    }
    return bool(missing & compared) or any(
        item.edge is None and (item.node, item.key) in missing for item in graph.list_operands()
    )


def _describes_another(asking: _Asking, graph: QueryGraph) -> bool:
    """Whether what is said of the nodes that are given, or of their relationship, is said of others
    of their label, with which they share something: suppliers of what a supplier from Italy
    supplies, students of a course that a student took in 2018. Others that are named are meant
    (`films by the director of Alien`)."""
    given = {item.node for item in graph.items if _is_node(item)}
    ends = (
        (graph.nodes[there.source], there, back, graph.nodes[back.target])
        for there in graph.edges
        for back in graph.edges
        if there.source in given and back.source == there.target and _goes_back(there, back)
    )
    return any(
        own.label == other.label
        and not own.filters
        and (
            find_naming(other, asking.form.schema) not in {each.property for each in other.filters}
            if other.filters
            else bool(back.filters) and not there.filters
        )
        for own, there, back, other in ends
    )


def _goes_back(there: QueryEdge, back: QueryEdge) -> bool:
    """Whether a relationship leads back over another one's type, to where that may have begun."""
    turned = {"out": "in", "in": "out"}
    return there.type == back.type and there.direction == turned.get(back.direction, "any")


def _weigh_query(asking: _Asking, meaning: QueryMeaning) -> float:
    if _gives_what_is_missing(meaning.graph) or _describes_another(asking, meaning.graph):
        return _MISBUILT
    if not meaning.asks_whether and _gives_other(asking, meaning):
        return _OTHER_KIND
    return _NAME_ALONE if _gives_name_alone(asking, meaning.graph) else 1.0


def _gives_name_alone(asking: _Asking, graph: QueryGraph) -> bool:
    """Whether a query gives what nodes are called in place of them, where they are asked for."""
    form = asking.form
    asks_for_nodes = not form.asked_kind.is_open() or _EVERYONE.search(form.text)
    if not asks_for_nodes or asking.places or _SAYS_NAMES.search(form.text):
        return False
    return bool(graph.items) and all(
        not item.form.function
        and item.edge is None
        and item.key != ""
        and item.key == find_naming(graph.nodes[item.node], form.schema)
        for item in graph.items
    )


def _gives_other(asking: _Asking, meaning: QueryMeaning) -> bool:
    graph = meaning.graph
    if _gives_what_is_named(asking, graph):
        return True
    return (asking.is_end and not _takes_end(graph)) or not _gives_kind(asking, graph)


def _gives_kind(asking: _Asking, graph: QueryGraph) -> bool:
    """Whether any item of a query is of the kind that is asked for, whatever property it is."""
    form, kind, schema = asking.form, asking.form.asked_kind, asking.form.schema
    labels = find_possible_labels(graph, schema)
    if asking.counted:
        return any(_counts(item, asking, graph, labels) for item in graph.items)
    if form.asks_measure:
        return any(_is_measure(item, graph, schema) for item in graph.items)
    if form.asks_amount and any(_is_year(item, graph, schema) for item in graph.items):
        return False
    if form.asks_amount or form.count_words:
        return any(_is_amount(item, graph, schema) for item in graph.items)
    if kind.wh == "when":
        return any(_may_be_time(item, graph, kind, schema) for item in graph.items)
    return kind.is_open() or any(_fits(item, graph, kind, labels, schema) for item in graph.items)


def _gives_what_is_named(asking: _Asking, graph: QueryGraph) -> bool:
    """Whether all that is given is what the question names: westerns are no `Western`, and nobody
    asks for the outcome of crimes with some outcome. `People called Henry` are asked for."""
    return bool(graph.items) and all(_is_named(item, asking, graph) for item in graph.items)


def _is_named(item: ReturnItem, asking: _Asking, graph: QueryGraph) -> bool:
    node = graph.nodes[item.node]
    given = item.key
    if item.form.is_whole_node:
        if node.label in asking.form.asked_kind.labels or _CALLED.search(asking.form.text):
            return False
        given = find_naming(node, asking.form.schema)
    return (
        item.edge is None
        and not item.form.function
        and any(
            each.property == given
            and each.operator == "="
            and not each.is_negated
            and not each.part
            and len(each.list_choices()) == 1
            for each in node.filters
        )
    )


def _gives_property(graph: QueryGraph, places: Collection[PropertyPlace]) -> bool:
    """Whether a query gives one of some properties of labels, any of a relation, or a figure."""
    return any(
        item.form.function in _FIGURES
        or item.edge is not None
        or (graph.nodes[item.node].label, item.key) in places
        for item in graph.items
    )


def _is_node(item: ReturnItem) -> bool:
    """Whether an item is a node rather than a property of one or a figure."""
    return item.form.is_whole_node and not item.form.function


def _may_be_time(item: ReturnItem, graph: QueryGraph, asked: AskedKind, schema: Schema) -> bool:
    """Whether an item may be a day or a year; a node, where its label says nothing else."""
    if _is_node(item):
        label = graph.nodes[item.node].label
        return not asked.words.is_named((label,)) or is_time((label,))
    return _may_hold(_DIGIT, item, graph, schema)


def _fits(
    item: ReturnItem,
    graph: QueryGraph,
    asked: AskedKind,
    labels: Sequence[frozenset[str]],
    schema: Schema,
) -> bool:
    """Whether an item is of the asked kind, as far as its node's labels are known; a text of
    anything may say where it is."""
    may_be = labels[item.node]
    if item.edge is not None or not may_be:
        return True
    if asked.wh == "where" and not _is_node(item):
        kind = _find_item_property(item, graph, schema)
        return kind is None or kind.type not in ORDERED
    return any(asked.fits_labels((label,)) for label in may_be)


def _counts(
    item: ReturnItem, asking: _Asking, graph: QueryGraph, labels: Sequence[frozenset[str]]
) -> bool:
    """Whether an item may be the number of what is counted: of such nodes, as far as their labels
    are known, or stored."""
    may_be = labels[item.node]
    is_other = item.form.is_whole_node and may_be and may_be.isdisjoint(asking.counted)
    return not is_other and _is_count(item, graph, asking.form.schema)


def _is_amount(item: ReturnItem, graph: QueryGraph, schema: Schema) -> bool:
    """Whether an item may be a number or a length of time."""
    return not _is_node(item) and _may_hold(_AMOUNT, item, graph, schema)


def _may_hold(
    pattern: re.Pattern[str], item: ReturnItem, graph: QueryGraph, schema: Schema
) -> bool:
    """Whether an item is a figure, no text, or a text of which some, if any are known, are as a
    pattern says."""
    if item.form.function in _FIGURES or item.edge is not None:
        return True
    kind = _find_item_property(item, graph, schema)
    if kind is None or kind.type != "STRING":
        return True
    texts = [text for text in (*kind.values, *kind.examples) if isinstance(text, str)]
    return not texts or any(map(pattern.match, texts))


def _is_count(item: ReturnItem, graph: QueryGraph, schema: Schema) -> bool:
    """Whether an item may be a number of things: counted, or stored as a whole number."""
    if item.form.function == "count" or item.edge is not None:
        return True
    kind = _find_item_property(item, graph, schema)
    return kind is not None and kind.type == "INTEGER" and not is_year(kind)


def _is_year(item: ReturnItem, graph: QueryGraph, schema: Schema) -> bool:
    """Whether an item is a property that says when."""
    kind = None if item.edge is not None else _find_item_property(item, graph, schema)
    return item.form.function != "count" and kind is not None and is_year(kind)


def _is_measure(item: ReturnItem, graph: QueryGraph, schema: Schema) -> bool:
    """Whether an item may be so many of a unit: an amount that is not counted."""
    return item.form.function != "count" and _is_amount(item, graph, schema)


def _find_item_property(item: ReturnItem, graph: QueryGraph, schema: Schema) -> PropertyKind | None:
    """The property that an item returns, as the schema knows it."""
    return schema.find_property(graph.nodes[item.node].label, item.key)
