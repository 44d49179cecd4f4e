"""Question form: a question, what it mentions and what is read from both, each read once.

A pipeline makes the form of a question when its names and values are linked; all steps behind that
take it in place of the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.graphs.schema import Schema
from trellis.domain.replies.question import asks_for_number
from trellis.lexicon.asking import ASKING
from trellis.lexicon.label_kinds import is_person_noun
from trellis.lexicon.names import strip_endings
from trellis.linking.names.ordinary_words import ORDINARY_WORDS
from trellis.linking.names.spans import Atom, ParsedQuestion, Span, parse_question
from trellis.linking.questions.operators import QuestionOperator, find_operators
from trellis.linking.text import bare_words
from trellis.linking.values.units import find_unit_behind
from trellis.linking.values.value_index import has_same_stem
from trellis.steps.link.asked_kind import AskedKind, find_asking_word, find_noun
from trellis.steps.link.asked_noun import find_asked_noun
from trellis.steps.link.mask_mentions import mask_mentions
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary, read_schema_vocabulary
from trellis.steps.link.vocabulary.schema_words import is_schema_word
from trellis.steps.link.vocabulary.unlinked_words import list_unlinked_words

_NAMED = ("exact", "exact-case", "spelling", "alias", "given")
"""How a mention says a name, rather than what is only like one."""

_ASKS_AMOUNT = re.compile(
    r"^\W*(?:and |by |for |at )?how (?:much|long|tall|high|old|far|big|large|deep|wide|heavy"
    r"|fast)\b",
    re.IGNORECASE,
)
_ASKS_COUNT = re.compile(
    r"\bhow (?:many|often)\b|\b(?:quantity|tally|total(?: number)?|count) of (?:the |all )?"
    r"(?!at\b)(?=[a-z])|^\W*(?:please )?count\b",
    re.IGNORECASE,
)
_ASKS_PEOPLE = re.compile(
    r"\bhow many (?:people|persons|inhabitants|residents|souls)\b", re.IGNORECASE
)
_HOW_MUCH = re.compile(r"^\W*how much ", re.IGNORECASE)  # many people say so of what they count
_ASKS_NOUN = re.compile(
    r"^\W*(?:(?:(?:please |can you |could you )?(?:tell|give|show) me |i (?:need|want) "
    r"|(?:and )?what(?:['’]s| is| are| was| were) )?)"
    r"(?:the )?(?:(?P<before>[a-z][a-z -]*?) (?:of|for|in)\b"
    r"|.+['’]s? (?P<behind>[a-z][a-z -]*?)\W*$)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class QuestionForm:
    """A question over a schema. `mentions`: of its names and values; `wording`: the words, in small
    letters, that the questions used which a model learnt from."""

    text: str
    mentions: Sequence[Mention]
    schema: Schema
    wording: Collection[str] = ()

    @cached_property
    def vocabulary(self) -> SchemaVocabulary:
        """What the labels, relations and properties of the schema are called."""
        return read_schema_vocabulary(self.schema)

    @cached_property
    def name_spans(self) -> Sequence[Span]:
        """The spans of names, which say no operator and no noun."""
        return [Span(m.start, m.end) for m in self.mentions if any(map(_is_name, m.links))]

    @cached_property
    def exact_mentions(self) -> Sequence[Mention]:
        """The mentions that say a name, rather than what is only like one."""
        return [m for m in self.mentions if m.links and m.best.how in _NAMED]

    @cached_property
    def masked(self) -> str:
        """The question in small letters with placeholders for its mentions."""
        return mask_mentions(self.text, self.mentions)

    @cached_property
    def word_stems(self) -> frozenset[str]:
        """The words beside the mentions, without their endings."""
        return frozenset(map(strip_endings, bare_words(self.masked)))

    def says_any(self, words: Iterable[str]) -> bool:
        """Whether a word beside the mentions has the stem of one of some words."""
        stems = self.word_stems
        return any(has_same_stem(strip_endings(word), stem) for word in words for stem in stems)

    @cached_property
    def parsed(self) -> ParsedQuestion:
        """The question's words and signs; common are those of `wording`."""
        return parse_question(self.text, self.wording)

    @cached_property
    def unlinked_words(self) -> Sequence[Atom]:
        """The words that are neither grammar nor part of a mention."""
        return list_unlinked_words(self.parsed, self.mentions)

    @cached_property
    def unnamed_words(self) -> Sequence[Atom]:
        """The words that are neither grammar nor part of a mention that says a name."""
        return list_unlinked_words(self.parsed, self.exact_mentions)

    @cached_property
    def describing_words(self) -> Sequence[str]:
        """The words that no grammar, no name of the graph in any spelling and no name of the schema
        explains; ordinary ones only where there are no others, and nothing is named."""
        names = self.vocabulary.list_name_words()
        known = {part for name in names for part in name.split()}
        left = [
            word
            for atom in self.unnamed_words
            for word in bare_words(self.parsed.text_of(atom.span))
            if not is_schema_word(word, known)
        ]
        telling = [word for word in left if word not in ORDINARY_WORDS]
        return telling or ([] if self.exact_mentions else left)

    @cached_property
    def operators(self) -> tuple[QuestionOperator, ...]:
        """What of `not`, `or`, `more than` and the like the question says outside of names."""
        return find_operators(self.text, self.name_spans)

    @cached_property
    def relation_nouns(self) -> Mapping[str, str]:
        """The nouns beside the mentions that say a single relationship type, and that type."""
        return self.vocabulary.relations.match_relation_nouns(self.masked)

    @cached_property
    def label_nouns(self) -> Mapping[str, frozenset[str]]:
        """The nouns of labels beside the mentions, and the names by which a query may mean each."""
        return self.vocabulary.find_said_nouns(self.masked)

    @cached_property
    def asked_labels(self) -> frozenset[str]:
        """The labels that the question's first noun names; empty where it names none."""
        find_labels = self.vocabulary.find_labels
        return find_labels(find_noun(self.text, self.name_spans, find_labels))

    @cached_property
    def asked_kind(self) -> AskedKind:
        """What sort of node the question's first words ask for."""
        words, wh = self.vocabulary, find_asking_word(self.text, self.vocabulary)
        if wh or self.asked_labels or not words.names_agents():
            return AskedKind(words, frozenset() if wh else self.asked_labels, wh)
        noun = find_noun(self.text, self.name_spans, _find_person_noun)
        return AskedKind(words, wh="who" if noun else "", noun=noun)

    @cached_property
    def count_words(self) -> re.Match[str] | None:
        """The words that ask how many there are; of what paths reach, the nodes are counted."""
        return _ASKS_COUNT.search(self.text)

    @cached_property
    def how_much(self) -> re.Match[str] | None:
        """The words `how much` at the beginning, which no year or day answers."""
        return _HOW_MUCH.match(self.text)

    @cached_property
    def asks_number(self) -> bool:
        """Whether the question asks how many there are, rather than which."""
        return asks_for_number(self.text)

    @cached_property
    def asks_amount(self) -> bool:
        """Whether a number or a length of time is asked for, as by `how much`."""
        return bool(_ASKS_AMOUNT.match(self.text))

    @cached_property
    def asks_measure(self) -> bool:
        """Whether as many of a unit are asked for, as by `how many seconds`: a value has so many,
        and nothing is counted."""
        asking = self.count_words
        return asking is not None and bool(find_unit_behind(self.text, asking.end())[0])

    @cached_property
    def asked_property_noun(self) -> str:
        """The question's first noun that calls a label or a property, where it calls a property;
        else empty."""
        asking = self.count_words or ASKING.match(self.text)
        noun = find_asked_noun(asking, self.name_spans, self.vocabulary.find_meanings)
        return "" if self.vocabulary.find_labels(noun) else noun

    @cached_property
    def asks_value(self) -> bool:
        """Whether an amount is asked for, so many of a unit, a property that no relation is called
        by, or how many people, where no node is a person: of these, paths say nothing."""
        asking = _ASKS_NOUN.match(self.text)
        noun = (asking["before"] or asking["behind"]) if asking else ""
        counts_people = _ASKS_PEOPLE.search(self.text) and self.vocabulary.names_things_alone()
        is_amount = self.asks_amount or self.asks_measure or bool(counts_people)
        nouns = (noun.lower(), self.asked_property_noun)
        return is_amount or any(map(self.vocabulary.calls_property, nouns))


def _find_person_noun(noun: str) -> Collection[str]:
    return (noun,) if is_person_noun(noun) else ()


def _is_name(link: Link) -> bool:
    """Whether a link is to a node or a text; a number or a day is none, wherever it is stored."""
    if isinstance(link.target, Node):
        return True
    return isinstance(link.target.value, str) and link.how not in ("date", "time")
