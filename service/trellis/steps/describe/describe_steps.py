"""Walks as English noun phrases: `the capital of Kenya`, `what flows through Switzerland`."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.grammar_words import PREPOSITIONS
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.sentences import relation_words
from trellis.steps.describe.phrases import RelationPhrase, join_phrases, make_plural_verb


def describe_walk(
    start: str, steps: Sequence[Step], ends: Sequence[str] = (), *, is_plural: bool = False
) -> str:
    """What a walk leads to: `the capital of the country that Mombasa is in`.

    `start`: the name of the first node, or the names of several where it `is_plural`. `ends`: the
    names of the nodes that the first steps must end in, one text each; empty where any will do.
    """
    text = start
    for number, step in enumerate(steps):
        if number == 0:
            text = _describe_first(step, start, is_plural)
        else:
            text = _describe_next(step, text)
        if number < len(ends) and ends[number]:
            text = f"{text} ({ends[number]})"
    return text


def describe_meeting(starts: Sequence[str], walks: Sequence[Sequence[Step]]) -> str:
    """What several walks lead to together: `what borders both France and Italy`.

    `starts`: the name of each walk's first node.
    """
    if all(walk == walks[0] for walk in walks):
        several = "both" if len(starts) == 2 else "all of"
        return describe_walk(f"{several} {join_phrases(starts)}", walks[0], is_plural=True)
    pairs = zip(starts, walks, strict=True)
    return join_meeting([describe_walk(start, walk) for start, walk in pairs])


def join_meeting(texts: Sequence[str]) -> str:
    """What several phrases describe at once."""
    if len(texts) == 2:
        return f"what is both {texts[0]} and {texts[1]}"
    return f"what is all of these: {'; '.join(texts)}"


def _describe_first(step: Step, name: str, is_plural: bool) -> str:
    """What a step from a named node leads to."""
    phrase = _read_phrase(step)
    predicate, noun = _split_noun(phrase)
    if step.reversed:
        if predicate.rpartition(" ")[2].lower() in PREPOSITIONS:
            return f"what {' '.join((predicate, *noun.split(), name))}"
        return _describe_backward(step, name)
    if not predicate:
        return f"the {noun} of {name}"
    if is_plural:
        verb, *rest = predicate.split()
        predicate = " ".join((make_plural_verb(verb), *rest))
    return f"the {noun} that {name} {predicate}" if noun else f"what {name} {predicate}"


def _describe_next(step: Step, before: str) -> str:
    """What a step leads to from all that a phrase describes."""
    if step.reversed:
        return _describe_backward(step, before)
    predicate, noun = _split_noun(_read_phrase(step))
    if not predicate:
        return f"the {noun} of {before}"
    asked = f"the {noun} that each" if noun else "what each"
    return f"{before}, and {asked} {predicate}"


def _describe_backward(step: Step, end: str) -> str:
    """What a step against its relationship leads to."""
    phrase = _read_phrase(step)
    predicate, noun = _split_noun(phrase)
    if predicate:
        is_said = not noun or end.startswith(f"the {noun} ")
        return f"what {predicate} {end}" if is_said else f"what {predicate} {end} as {noun}"
    if phrase.words == tuple(relation_words(step.relation)):
        return f"what {end} is the {noun} of"
    return f"what has {end} as {noun}"


def _read_phrase(step: Step) -> RelationPhrase:
    return RelationPhrase.of(" ".join(relation_words(step.relation)) or step.relation)


def _split_noun(phrase: RelationPhrase) -> tuple[str, str]:
    """What links the ends of a relation, and the noun for its end, either of which may be empty:
    `is in` and `country`, `flows through` and nothing, nothing and `capital`."""
    words = phrase.words
    last = max((at for at, word in enumerate(words) if word.lower() in PREPOSITIONS), default=-1)
    if phrase.kind == "has":
        return (f"has {' '.join(words)}", "") if last == len(words) - 1 else ("", " ".join(words))
    cut = last + 1 or 1  # a verb without a preposition is one word
    predicate = " ".join(words[:cut])
    return f"is {predicate}" if phrase.kind == "is" else predicate, " ".join(words[cut:])
