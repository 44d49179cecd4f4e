"""Said values: which values of properties with few a question may speak of, though it names none.

A model that no graph taught may compare with any of them, as it may say `unsolved` for what is
still open. With those of which a question says nothing left to it, bands that played at a festival
were those of one of its days.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

from trellis.automata.cypher.words.bound_values import NamedValue
from trellis.domain.ports import Embedder
from trellis.lexicon.names import strip_endings
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.text import bare_words
from trellis.linking.values.value_index import has_same_stem
from trellis.steps.link.question_form import QuestionForm

_NEAR = 0.35  # cosine of words that may speak of one thing, at least


async def drop_unsaid_values(
    form: QuestionForm, values: Sequence[NamedValue], embedder: Embedder | None
) -> tuple[NamedValue, ...]:
    """All values but texts that no mention is linked to, and of which no word has the stem of one
    of the question or comes near to one; without an embedder all."""
    linked = {link.stored for mention in form.mentions for link in mention.links}
    words = {
        value: told
        for value in values
        if isinstance(value.stored.value, str)
        and value.stored not in linked
        and (told := _list_words(value.stored.value))
    }
    unsaid = {value: told for value, told in words.items() if not _has_said(told, form.word_stems)}
    if embedder is None or not unsaid:
        return tuple(values)
    every = list(dict.fromkeys(word for told in unsaid.values() for word in told))
    near = await _find_near(every, _list_words(form.masked), embedder)
    return tuple(v for v in values if v not in unsaid or not near.isdisjoint(unsaid[v]))


def _list_words(text: str) -> list[str]:
    """The distinct words of a text, but for function words."""
    return [word for word in dict.fromkeys(bare_words(text)) if word not in FUNCTION_WORDS]


def _has_said(words: Sequence[str], stems: Collection[str]) -> bool:
    return any(has_same_stem(strip_endings(word), stem) for word in words for stem in stems)


async def _find_near(
    words: Sequence[str], asked: Sequence[str], embedder: Embedder
) -> frozenset[str]:
    """The words that come near to one of `asked` by what they mean."""
    asked = [word for word in asked if word.isalpha()]
    if not asked:
        return frozenset()
    vectors = await asyncio.to_thread(embedder.embed, [*asked, *words])
    cosines = (vectors[len(asked) :] @ vectors[: len(asked)].T).max(axis=1)
    return frozenset(word for word, best in zip(words, cosines, strict=True) if best >= _NEAR)
