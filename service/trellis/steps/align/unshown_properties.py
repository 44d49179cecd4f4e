"""Unshown properties and nouns: what a question asks of its answers that these do not show.

`List the mountains of Nepal with their height` names a property. An answer by paths gives the
mountains, and leaves the height out. `Each country with its capital and currency` names two more
kinds of nodes, of which a path that ends at one leaves out the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.domain.graphs.facts import Fact
from trellis.lexicon.plurals import make_plural
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

_LONGEST = 3  # words of a property's noun


def find_unshown_properties(form: QuestionForm) -> tuple[str, ...]:
    """The nouns of a question that call properties of nodes and nothing else, as it has them;
    those within names call none."""
    named = [(mention.start, mention.end) for mention in form.mentions]
    places = form.vocabulary.property_places
    nouns = {*places, *map(make_plural, places)}
    spans = [atom.span for atom in form.parsed.atoms]
    found: list[str] = []
    for count in range(_LONGEST, 0, -1):
        for first, last in zip(spans, spans[count - 1 :], strict=False):
            text = form.text[first.start : last.end]
            is_named = any(first.start < end and start < last.end for start, end in named)
            is_within = any(text in longer for longer in found)
            if text.lower() in nouns and not is_named and not is_within:
                found.append(text)
    return tuple(found)


def find_unread_properties(form: QuestionForm, graph: QueryGraph | None) -> tuple[str, ...]:
    """The nouns of a question that call properties of a query's nodes, or the one that asks for one
    of its relationships, of which it says nothing; none where the query cannot be read, or says
    something of a relationship, which may have been meant."""
    if graph is None or next(graph.list_operand_edges(), None) is not None:
        return ()
    used = {item.key for item in graph.list_operands()}
    used |= {item.term.key for item in graph.list_operands() if item.term}
    used |= {scope.order.item.key for scope in graph.scopes if scope.order}
    used |= {each.property for each in graph.iterate_filters()}
    labels, words = {node.label for node in graph.nodes}, form.vocabulary
    asked = form.asked_property_noun
    of_edges = {type_ for type_, _ in words.find_edge_properties(asked)}
    is_unread = any(edge.type in of_edges for edge in graph.edges)
    of_nodes = tuple(
        noun
        for noun in find_unshown_properties(form)
        if not labels.isdisjoint(_find_labels(noun, words))
        and not any(_is_called(name, noun, words) for name in used if name)
    )
    return (*of_nodes, asked) if is_unread else of_nodes


def _find_labels(noun: str, words: SchemaVocabulary) -> frozenset[str]:
    """The labels whose nodes have a property that a noun calls, in the singular or plural."""
    return frozenset(
        label
        for each, its in words.property_places.items()
        if noun.lower() in (each, make_plural(each))
        for label, _ in its
    )


def _is_called(name: str, noun: str, words: SchemaVocabulary) -> bool:
    """Whether a noun calls the properties of a name, or is a part of what does: `year`."""
    return any(
        f" {noun.lower()} " in f" {each} {make_plural(each)} "
        for each, its in words.property_places.items()
        if any(key == name for _, key in its)
    )


def find_unshown_nouns(form: QuestionForm, facts: Sequence[Fact]) -> tuple[str, ...]:
    """The nouns of a question that say a label or a relation of which no fact of the answers has
    anything; none where there are no facts."""
    triples = [triple for fact in facts for triple in fact.triples]
    shown = {triple.relation for triple in triples}
    shown |= {label for it in triples for node in (it.head, it.tail) for label in node.labels}
    said = {noun: frozenset((it,)) for noun, it in form.relation_nouns.items()}
    said.update(form.label_nouns)
    return tuple(noun for noun, names in said.items() if triples and shown.isdisjoint(names))


def note_unshown(texts: Sequence[str]) -> str:
    """What an answer leaves out of what is asked for, for a note; empty where that is nothing."""
    said = " and ".join(f"“{text}”" for text in texts)
    return f"the question asks for more, which is left out here: {said}" if texts else ""
