"""Finds answers inside the text of a node that a question names: the nearest sentence of it, and
the nodes of the graph that this sentence names."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.texts import Passage, TextMatch
from trellis.domain.ports import Embedder, Graph
from trellis.linking.names.ordinary_words import ORDINARY_WORDS
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.text import bare_words, name_key
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.described.sentences import split_sentences

_MOST_SENTENCES = 40
_MOST_WORDS = 4  # of a name
_WORD = re.compile(r"[\w+#][\w+#.-]*[\w+#]|\w")


@dataclass(frozen=True, slots=True)
class QuotedAnswer:
    """A sentence of a node's text that may answer.

    `closeness`: its cosine to the question. `names`: the nodes that it names and the question does
    not, in their order.
    """

    node: Node
    sentence: Passage
    closeness: float
    names: tuple[Node, ...]


async def find_quoted_answer(
    form: QuestionForm, topic: TextMatch, graph: Graph, embedder: Embedder
) -> QuotedAnswer | None:
    """The sentence of a node's nearest passages that is nearest to a question."""
    sentences = [each for passage in topic.passages for each in split_sentences(passage)]
    if not sentences:
        return None
    texts = [_leave_out(form, topic.node.name), *(each.text for each in sentences)]
    vectors = await asyncio.to_thread(embedder.embed, texts[: _MOST_SENTENCES + 1])
    closeness = vectors[1:] @ vectors[0]
    best = int(closeness.argmax())
    names = await _find_names(sentences[best].text, form, topic.node, graph)
    return QuotedAnswer(topic.node, sentences[best], float(closeness[best]), names)


def _leave_out(form: QuestionForm, name: str) -> str:
    """A question without the name of the node whose text is read: all of it is about that node."""
    return " ".join(re.sub(re.escape(name), " ", form.text, flags=re.IGNORECASE).split())


async def _find_names(
    sentence: str, form: QuestionForm, topic: Node, graph: Graph
) -> tuple[Node, ...]:
    """The nodes that a sentence names: longer names first, none that the question says, no ordinary
    words, and where some have the shape of names only these."""
    said = set(bare_words(form.text)) | set(bare_words(topic.name))
    keys: Mapping[str, None] = dict.fromkeys(
        name_key(text) for text in _list_spans(sentence) if not said.issuperset(bare_words(text))
    )
    found = await graph.find_by_key(tuple(keys))
    nodes = {key: nodes[0] for key in keys if (nodes := found.get(key))}
    whole = [key for key in nodes if not any(key != k and key in k.split() for k in nodes)]
    shaped = {name_key(text) for text in _list_spans(sentence) if _has_name_shape(text)}
    return tuple(nodes[key] for key in whole if key in shaped or shaped.isdisjoint(whole))


def _has_name_shape(text: str) -> bool:
    """Whether a text is written as names are; a first letter may be large for another reason."""
    return not text[1:].islower() or not text[0].islower() or "-" in text


def _list_spans(sentence: str) -> Iterator[str]:
    words: Sequence[re.Match[str]] = list(_WORD.finditer(sentence))
    for size in range(_MOST_WORDS, 0, -1):
        for first in range(len(words) - size + 1):
            text = sentence[words[first].start() : words[first + size - 1].end()]
            plain = text.lower()
            if size > 1 or not (plain in FUNCTION_WORDS or plain in ORDINARY_WORDS):
                yield text
