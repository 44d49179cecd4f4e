"""Said values: which values of properties with few a question may speak of, though it names none.

A model that no graph taught may compare with any of them, as it may say `unsolved` for what is
still open. With those of which a question says nothing left to it, bands that played at a festival
were those of one of its days.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.cypher.words.bound_values import NamedValue
from trellis.domain.ports import Embedder
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.text import bare_words
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.near_words import measure_nearness

_NEAR = 0.35  # cosine of words that may speak of one thing, at least


async def drop_unsaid_values(
    form: QuestionForm, values: Sequence[NamedValue], embedder: Embedder | None
) -> tuple[NamedValue, ...]:
    """All values but texts that no mention is linked to, and of which no word has the stem of one
    of the question or comes near to one; without an embedder all."""
    if embedder is None:
        return tuple(values)
    linked = {link.stored for mention in form.mentions for link in mention.links}
    unsaid = {
        value: told
        for value in values
        if isinstance(value.stored.value, str)
        and value.stored not in linked
        and (told := _list_words(value.stored.value))
        and not form.says_any(told)
    }
    every = list(dict.fromkeys(word for told in unsaid.values() for word in told))
    asked = [word for word in _list_words(form.masked) if word.isalpha()]
    cosines = await measure_nearness(every, asked, embedder)
    near = {word for word, cosine in zip(every, cosines, strict=True) if cosine >= _NEAR}
    return tuple(v for v in values if v not in unsaid or not near.isdisjoint(unsaid[v]))


def _list_words(text: str) -> list[str]:
    """The distinct words of a text, but for function words."""
    return [word for word in dict.fromkeys(bare_words(text)) if word not in FUNCTION_WORDS]
