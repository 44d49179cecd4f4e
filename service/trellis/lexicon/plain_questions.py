"""One plain question for a step: what a relation leads to from a node that is named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trellis.domain.graphs.graph import Step
from trellis.lexicon.names import PREPOSITIONS, read_name
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.relations.preposition_phrases import read_present_verb

_OPENING = re.compile(r"(what|which|who|where|when) ")


def write_plain_question(book: Phrasebook, step: Step, topic: str, label: str | None) -> str:
    """A question whose answers are what a step reaches from `topic`, in the phrasebook's plainest
    words; `label`: that of the nodes that it reaches."""
    text = _choose_phrase(book, step, label).replace("{}", topic)
    return f"{text[:1].upper()}{text[1:]}?"


def _choose_phrase(book: Phrasebook, step: Step, label: str | None) -> str:
    """A question with `{}` for the topic; one that says the kind of its answers is preferred."""
    nouns = book.type_nouns(label)[:2]  # one, and several
    asks = list(_list_asks(book, step, label))
    for ask in asks:
        if any(re.search(rf"\b{re.escape(noun)}\b", ask) for noun in nouns):
            return ask
    if nouns and (verb := read_present_verb(read_name(step.relation))):
        return f"which {nouns[0]} does {{}} {verb}"
    if asks:
        return re.sub(r"^what (?=\w)", f"which {nouns[0]} ", asks[0]) if nouns else asks[0]
    return _read_name_as_phrase(step, nouns)


def _list_asks(book: Phrasebook, step: Step, label: str | None) -> Iterator[str]:
    """The phrasebook's own questions that begin with a question word and hold the topic once."""
    if book.knows_step(step):
        for ask in book.phrases_of(step, label).asks:
            if _OPENING.match(ask) and ask.count("{}") == 1 and "{} 's" not in ask:
                yield ask


def _read_name_as_phrase(step: Step, nouns: Sequence[str]) -> str:
    """A question made of the relation's name alone, such as `stands in` or `directed by`."""
    *before, last = read_name(step.relation).core.split()
    wh = f"which {nouns[0]}" if nouns else "what"
    if last == "by" and before:
        return f"who {' '.join(before)} {{}}" if not nouns else f"{wh} {' '.join(before)} {{}}"
    if verb := read_present_verb(read_name(step.relation)):
        return f"{wh} does {{}} {verb}"
    if last in PREPOSITIONS:
        return f"{wh} is {{}} {last}"
    return f"what is the {' '.join((*before, last))} of {{}}"
