"""Unshown properties: what a question asks of its answers that no relation can say.

`List the mountains of Nepal with their height` names a property. An answer by paths gives the
mountains, and leaves the height out.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.links import Mention
from trellis.lexicon.plurals import make_plural
from trellis.linking.spans import parse_question
from trellis.steps.shared.label_words import LabelWords

_LONGEST = 3  # words of a property's noun


def find_unshown_properties(
    question: str, mentions: Sequence[Mention], words: LabelWords
) -> tuple[str, ...]:
    """The nouns of a question that call properties of nodes and nothing else, as it has them;
    those within names call none."""
    named = [(mention.start, mention.end) for mention in mentions]
    nouns = words.property_nouns | {make_plural(noun) for noun in words.property_nouns}
    spans = [atom.span for atom in parse_question(question).atoms]
    found: list[str] = []
    for count in range(_LONGEST, 0, -1):
        for first, last in zip(spans, spans[count - 1 :], strict=False):
            text = question[first.start : last.end]
            is_named = any(first.start < end and start < last.end for start, end in named)
            is_within = any(text in longer for longer in found)
            if text.lower() in nouns and not is_named and not is_within:
                found.append(text)
    return tuple(found)


def note_unshown(texts: Sequence[str]) -> str:
    """What an answer leaves out of what is asked for, for a note; empty where that is nothing."""
    said = " and ".join(f"“{text}”" for text in texts)
    return f"the question asks for more, which is left out here: {said}" if texts else ""
