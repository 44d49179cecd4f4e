"""Asked property: the property that a question asks for by its noun, wherever it stands.

`Burglaries in OL3, on which dates` asks for dates, and `the dates of those crimes` does: a query
that gives the crimes themselves was hardly meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from trellis.domain.grammar_words import AUXILIARIES, match_words
from trellis.lexicon.plurals import is_plural
from trellis.steps.link.asked_noun import find_asked_noun
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.property_nouns import PropertyPlace
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

_ASKS_NOUN = re.compile(r"\b(?:what|which)(?: exactly)? (?:(?:is|are|was|were) (?:the )?)?", re.I)
_ASKS_OTHER = re.compile(
    rf"^\W*(?:who|whom|whose|where|when|why|how|(?!do you know\b)(?:{match_words(AUXILIARIES)})"
    r"|can(?! you))\b",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(r"[a-z]{2,}est|first|last|initial|final|most|recent|least")
_SAYS_NOUN = re.compile(
    r"^\W*(?P<first>[a-z-]+(?: [a-z-]+){0,2}) (?:of|for) "
    r"|\b(?:display|find|get|give|identify|know|list|name|need|provide|retrieve|see|share|show"
    r"|specify|state|tell|want)\b(?: [a-z]+)?? the "
    r"(?P<told>[a-z][a-z -]*?) (?:at|for|of|on|that|which|who|whose) "
    r"|(?: [-\u2013\u2014]|[,:]) (?:the )?(?P<last>[a-z][a-z -]*?)(?:, please)?\W*$",
    re.IGNORECASE,
)


def find_asked_property(form: QuestionForm) -> frozenset[PropertyPlace]:
    """The properties, of labels, that the noun which is asked for may name; none where it names no
    property, or where the question asks by another word. `Cadillac models` are Cadillacs."""
    words = form.vocabulary
    if asking := _find_asking(form.text, words):
        if any(mention.start == asking.end() for mention in form.mentions):
            return frozenset()
        noun = find_asked_noun(asking, form.name_spans, words.find_meanings)
        return words.find_properties(noun)
    if _ASKS_OTHER.match(form.text):
        return frozenset()
    said = _SAYS_NOUN.search(form.text)
    noun = said[said.lastgroup] if said and said.lastgroup else ""
    return _find_properties(noun.lower().split(), words)


def _find_asking(text: str, words: SchemaVocabulary) -> re.Match[str] | None:
    """Where a text asks by `what` or `which`, and does not say more of a noun before that."""
    for asking in _ASKS_NOUN.finditer(text):
        before = text[: asking.start()].rstrip(" ,").rpartition(" ")[2].lower()
        if not is_plural(before) and not words.find_meanings(before):
            return asking
    return None


def _find_properties(noun: Sequence[str], words: SchemaVocabulary) -> frozenset[PropertyPlace]:
    """The properties that a noun of several words names, with superlatives, labels and what says a
    relation before it: `oldest crime date`, `residential address`."""
    labels = frozenset[str]()
    for first, word in enumerate(noun):
        rest = " ".join(noun[first:])
        if places := words.find_properties(rest):
            own = frozenset(place for place in places if place[0] in labels)
            return own or places
        if words.find_labels(rest):
            break
        of = words.find_labels(word)
        if (
            not of
            and not _SUPERLATIVE.fullmatch(word)
            and not words.relations.match_relations_by_words([word])
        ):
            break
        labels |= of
    return frozenset()
