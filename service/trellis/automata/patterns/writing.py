"""The sentence of a pattern, in segments: what a model learns to write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from trellis.automata.patterns.language import ARROWS, CLOSE, OPEN, RESUME, STOP, PatternLanguage
from trellis.automata.patterns.order import put_in_order
from trellis.automata.patterns.state import say_node_text
from trellis.automata.patterns.words import PatternWords
from trellis.domain.errors import InputError
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternNode,
    QuestionPattern,
    UnknownNode,
)

_ANY_WORDS = re.compile(r"[^\s\x00-\x1f\x7f-\x9f\ud800-\udfff]+( [^\s\x00-\x1f\x7f-\x9f]+)*")


def write_pattern(language: PatternLanguage, pattern: QuestionPattern) -> tuple[str, ...]:
    """The segments of a pattern's one sentence; joined they are its text.

    Patterns of one meaning have one sentence. Raises InputError where the language cannot say it.
    """
    ordered = put_in_order(pattern)
    _check_sayable(language, ordered)
    return tuple(_iterate_segments(language, ordered))


def _iterate_segments(language: PatternLanguage, pattern: QuestionPattern) -> Iterator[str]:
    nodes, at, said = pattern.nodes, 0, {0}
    yield say_node_text(nodes[0])
    yield from _write_kind(language, nodes[0])
    for triple in pattern.triples:
        if at not in (triple.head, triple.tail):
            at = min(triple.head, triple.tail)
            yield RESUME
            yield say_node_text(nodes[at])
        arrow = ARROWS[triple.tail == at]
        yield from _write_relation(language, arrow, triple.relation)
        yield arrow
        at = triple.tail if triple.head == at else triple.head
        yield say_node_text(nodes[at])
        if at not in said:
            yield from _write_kind(language, nodes[at])
        said.add(at)


def _write_kind(language: PatternLanguage, node: PatternNode) -> tuple[str, ...]:
    if not isinstance(node, UnknownNode) or not node.kind:
        return ()
    text = _find_text(language.kinds, language.kind_of, node.kind, "kind")
    return (OPEN, text, CLOSE) if language.kinds.are_free else (f"{OPEN}{text}{CLOSE}",)


def _write_relation(language: PatternLanguage, arrow: str, relation: str) -> tuple[str, ...]:
    text = _find_text(language.relations, language.relation_of, relation, "relation")
    return (arrow, f" {text}") if language.relations.are_free else (f"{arrow} {text}",)


def _find_text(words: PatternWords, meanings: Mapping[str, str], meant: str, what: str) -> str:
    """How a relation or kind is said; InputError where it cannot be."""
    if words.are_free:
        if _ANY_WORDS.fullmatch(meant) and STOP.isdisjoint(meant):
            return meant
        remedy = f"give words with single spaces and without {' '.join(sorted(STOP))}"
        raise InputError(f"the {what} {meant!r} cannot be said in words", remedy)
    text = next((text for text, meaning in meanings.items() if meaning == meant), None)
    if text is None:
        remedy = "give one of its names or spans, or let any words be said"
        raise InputError(f"the language has no {what} {meant!r}", remedy)
    return text


def _check_sayable(language: PatternLanguage, pattern: QuestionPattern) -> None:
    mentions = [node.index for node in pattern.nodes if isinstance(node, MentionNode)]
    for holds, problem in (
        (len(pattern.triples) <= language.most_triples, f"has {len(pattern.triples)} triples"),
        (
            max(mentions, default=-1) < len(language.mentions),
            f"has a mention beyond {len(language.mentions)}",
        ),
        (pattern.asked is not None, "asks for nothing"),
    ):
        if not holds:
            raise InputError(f"the pattern {problem}", "give a pattern that the language can say")
