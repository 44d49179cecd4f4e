"""What a question wants the texts of nodes to say, where the schema has no such relation.

`Which Qt packages mention subtitles` asks for packages, names Qt, and has nothing else before its
verb. A question that says more is left to whoever reads all of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.automata.cypher.words.wording import split_name
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import Schema
from trellis.domain.graphs.texts import TextKind
from trellis.linking.names.ordinary_words import ORDINARY_WORDS
from trellis.linking.names.spans import parse_question
from trellis.linking.questions.text_conditions import TextCondition, find_text_condition
from trellis.linking.text import bare_words
from trellis.linking.values.value_index import has_same_stem
from trellis.steps.align.described_fit import find_described_labels
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.schema_words import is_schema_word


@dataclass(frozen=True, slots=True)
class SaidTexts:
    """What a question wants texts to say: texts of nodes with some labels, of some kinds, which are
    related to all that is named."""

    condition: TextCondition
    labels: frozenset[str]
    kinds: frozenset[TextKind]
    names: tuple[Mention, ...] = ()


def read_said_texts(form: QuestionForm, texts: Sequence[TextKind]) -> SaidTexts | None:
    """What a question wants texts to say; None where it wants nothing, asks for no nodes with
    texts, where a relation or label of the schema is called like its verb, or where something
    before the verb is not understood."""
    condition = find_text_condition(form.text)
    if condition is None or _is_of_schema(condition.verb, form.schema):
        return None
    labels = find_described_labels(form, {kind.label for kind in texts})
    kinds = [kind for kind in texts if kind.label in labels]
    head, nouns = form.text[: condition.start], form.vocabulary.nouns
    names = tuple(_choose_names(form.mentions, head, nouns))
    known = labels.union(link.stored.label for name in names for link in name.links)
    own = {word for noun, label in nouns.items() if label in known for word in noun.split()}
    if not kinds or not _explains_all(head, names, own, kinds):
        return None
    named = _keep_named(kinds, f"{head} {condition.place}")
    if condition.place and not named:
        return None
    return SaidTexts(condition, labels, frozenset(named or kinds), names)


def _is_of_schema(verb: Sequence[str], schema: Schema) -> bool:
    types = (kind.type for kind in schema.relationships)
    names = (*types, *(kind.label for kind in schema.labels))
    own = {word for name in names for word in split_name(name).split()}
    return any(is_schema_word(word, own) for word in verb)


def _choose_names(
    mentions: Sequence[Mention], head: str, nouns: Mapping[str, str]
) -> Iterator[Mention]:
    """The surest mention of a name at each place of `head`, the longest of those that begin
    together, as its surest links mean it; `nouns`: what nodes are called, with their labels."""
    named = [
        replace(mention, links=links)
        for mention in mentions
        if mention.end <= len(head)
        and (links := tuple(x for x in mention.links if _is_sure(mention, x, head, nouns)))
    ]
    taken = 0
    for mention in sorted(named, key=lambda m: (m.start, -m.end, -m.score)):
        if mention.start >= taken:
            taken = mention.end
            links = tuple(link for link in mention.links if link.score >= mention.score)
            yield replace(mention, links=links)


def _is_sure(mention: Mention, link: Link, head: str, nouns: Mapping[str, str]) -> bool:
    """Whether a mention names what it is linked to: by its capitals, or as a word that is hardly
    anything but a name, or beside the noun for it, as in `section games`."""
    if not isinstance(link.target, StoredValue) or link.how not in ("exact", "exact-case"):
        return False
    beside = (*bare_words(head[: mention.start])[-1:], *bare_words(head[mention.end :])[:1])
    is_called = any(nouns.get(word) == link.stored.label for word in beside)
    return is_called or mention.text not in ORDINARY_WORDS


def _explains_all(
    head: str, names: Sequence[Mention], nouns: Collection[str], kinds: Sequence[TextKind]
) -> bool:
    """Whether all words before the verb are grammar, names, `nouns` for these or for the nodes, or
    words for their texts. One word behind a noun may say how the nodes are related to the name that
    follows it, as in `packages written in Perl`."""
    properties = {word for kind in kinds for word in split_name(kind.property).split()}
    waiting, is_behind = 0, False
    for atom in parse_question(head, ()).atoms:
        word = head[atom.span.start : atom.span.end].lower()
        if any(name.start <= atom.span.start < name.end for name in names):
            if waiting > is_behind:
                return False
            waiting = 0
        elif word in nouns:
            is_behind = not waiting
        elif atom.is_nameable and not atom.is_function_word:
            waiting += not is_schema_word(word, properties)
    return not waiting


def _keep_named(kinds: Sequence[TextKind], text: str) -> list[TextKind]:
    """The kinds of texts whose property a text names."""
    said = bare_words(text)
    return [
        kind
        for kind in kinds
        if all(
            any(has_same_stem(word, each) for each in said)
            for word in split_name(kind.property).split()
        )
    ]
