"""Foreign kind: a question asks for a kind of thing that the graph has none of, or does not tell.

`Which animals live in the Kalahari?` is no question about countries and their deserts, however sure
a model is of the country that the Kalahari is in: inside the language of the graph it can write
nothing else. Nor are the organizations of Spain its football clubs.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Sequence

from trellis.domain.links import Mention
from trellis.domain.ports import Embedder
from trellis.lexicon.label_kinds import is_person
from trellis.lexicon.names import NAMELESS, strip_endings
from trellis.lexicon.plurals import is_plural
from trellis.linking.numbers import find_numbers
from trellis.linking.operators import has_superlative
from trellis.linking.ordinary_words import ORDINARY_WORDS
from trellis.linking.spans import FUNCTION_WORDS
from trellis.linking.value_index import has_same_stem
from trellis.steps.link.mask_mentions import mask_mentions
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

_ASKED = re.compile(
    r"\b(?:which|what|how many|how much|(?:name|list|show|give)(?: me)?(?: all)?(?: the)?) "
    r"([a-z]+)\b(?!-)(?: ([a-z]+))?"
)
"""A noun that is asked for, and the word behind it."""

_ASKED_PERSON = re.compile(
    r"\bwho(?:['’]s| is| was| are| were) (?:the |an? )?(?:[a-z]+ ){0,2}?([a-z]+)"
    r"(?: (?:at|for|in|of)\b|\W*$)"
)
"""The last word of who is asked for: `prime minister`."""

_FAR = 0.53  # cosine below which a word has nothing to do with any that the graph has


async def explain_foreign_kind(
    question: str,
    mentions: Sequence[Mention],
    words: SchemaVocabulary,
    wording: Collection[str],
    embedder: Embedder | None,
) -> str:
    """Why an answer is held back, for a note; empty where it is not. `wording`: the words of the
    questions that the model learnt from, which it can read; where they are not known, or some label
    does not say what a node is, nothing is foreign."""
    if not wording or embedder is None or not words.all_labels_are_meaningful():
        return ""
    text = mask_mentions(question, mentions)
    own = sorted(words.list_name_words())
    persons = [noun for noun in _ASKED_PERSON.findall(text) if is_person((strip_endings(noun),))]
    if nobody := [
        noun
        for noun in persons
        if _means_nothing(noun, own, words) and _is_foreign_kind(noun, words)
    ]:
        return _tell(nobody[0])
    told = dict[str, str]()
    for said, behind in _ASKED.findall(text):
        if said in wording or not _means_nothing(said, own, words):
            continue
        if words.find_labels(behind) and _narrows(said):
            told[said] = f"the graph does not say which {behind} are “{said}”"
        elif not _goes_on(behind, own, words) and _is_foreign_kind(said, words):
            told[said] = _tell(said)
    if not told:
        return ""
    vectors = await asyncio.to_thread(embedder.embed, [*told, *own])
    nearest = (vectors[: len(told)] @ vectors[len(told) :].T).max(axis=1)
    reasons = zip(told.values(), nearest, strict=True)
    return next((reason for reason, near in reasons if near < _FAR), "")


def _tell(noun: str) -> str:
    return f"the question asks for “{noun}”, and the graph has nothing of the kind"


def _goes_on(word: str, own: Sequence[str], words: SchemaVocabulary) -> bool:
    """Whether the word behind a noun is one, too, so that more is asked for than the first says."""
    return bool(word) and (word == "or" or word in own or words.names_kind(word))


def _narrows(said: str) -> bool:
    """Whether a word before a noun says which of its kind are meant: no number, no superlative, and
    nothing that is said of anything, as `further` is."""
    says_little = said in ORDINARY_WORDS or has_superlative(said) or said == "foreign"
    return not says_little and not is_plural(said) and not find_numbers(said)


def _means_nothing(said: str, own: Sequence[str], words: SchemaVocabulary) -> bool:
    """Whether a word means nothing in the graph."""
    return (
        said not in FUNCTION_WORDS
        and not any(has_same_stem(said, word) for word in own)
        and not words.find_meanings(said)
        and not words.find_steps(said)
    )


def _is_foreign_kind(noun: str, words: SchemaVocabulary) -> bool:
    """Whether a noun is a kind of thing by itself, and no label is called by the words that people
    use of it. Persons may be of any kind where there are any."""
    one = strip_endings(noun)
    return (
        one not in NAMELESS
        and (words.names_kind(noun) or is_person((one,)))
        and not (is_person((one,)) and words.names_agents())
        and not words.shares_nouns(noun)
    )
