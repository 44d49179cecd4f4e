"""The chat of task `pattern`: a hosted model writes what a question means as a small graph.

It is shown a few questions with their patterns. Relations and kinds are in its own words, or among
those that it is shown. Source: SimGRAG, section 4.1 and table 16; text and examples are ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trellis.automata.nearest import find_sharing_texts
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.reader import Reader
from trellis.domain.printable import quote_as_data
from trellis.domain.prompt import Prompt
from trellis.engines.chat import Conversation, Message

INSTRUCTIONS = (
    "You write what a {text} says as a pattern: a small graph of what it mentions (ENT1, ENT2, …), "
    "of things it speaks of without their name (UNKNOWN 1, UNKNOWN 2, … in the order in which they "
    "appear){asked}. `a -> r -> b` says that a has r as a relation to b; `b <- r <- a` says the "
    "same from the other end. A pattern goes on from the node before: `a -> r -> b -> s -> c`; "
    "` ; ` goes on from another node: `a -> r -> b ; a -> s -> c`. It has at most {triples} "
    "relations, all joined, none twice, none from a node to itself. {words}{kinds}Use the {text}'s "
    "own words with enough context, never only `in`, `of` or `for`. Write patterns only, each "
    "whole on one line, the likeliest first, without numbers or comments."
)
_ASKED = ", and of the one thing that is asked for (ASKED)"
_FREE = "Relations are a few words of your own, without the signs < > ; ( ). "
_LISTED = "Relations are those that you are shown, letter by letter. "
_FREE_KINDS = (
    "What kind of thing an unknown one is may stand in brackets where it first appears: "
    "UNKNOWN 1 (film). "
)
_LISTED_KINDS = _FREE_KINDS + "Kinds are those that you are shown. "

QUESTIONS = (
    (
        "who wrote the films that ENT1 directed?",
        "ENT1 <- directed by <- UNKNOWN 1 (film) -> written by -> ASKED (person)",
    ),
    (
        "which mountains lie in both ENT1 and ENT2?",
        "ENT1 <- lies in <- ASKED (mountain) -> lies in -> ENT2",
    ),
    (
        "when was the club founded for which ENT1 and the brother of ENT2 play?",
        "ENT1 -> plays for -> UNKNOWN 1 (club) <- plays for <- UNKNOWN 2 (person) -> brother of -> "
        "ENT2 ; UNKNOWN 1 -> founded in -> ASKED (year)",
    ),
    ("where was ENT1 born?", "ENT1 -> born in -> ASKED (place)"),
)
"""Questions with mentions masked, and their patterns."""

CLAIMS = (
    (
        "ENT1 was born in the capital of ENT2.",
        "ENT1 -> born in -> UNKNOWN 1 (city) <- has capital <- ENT2",
    ),
    ("ENT1 flows through ENT2.", "ENT1 -> flows through -> ENT2"),
    (
        "a film by the director of ENT1 won ENT2.",
        "ENT1 -> directed by -> UNKNOWN 1 (person) <- directed by <- UNKNOWN 2 (film) -> "
        "won award -> ENT2",
    ),
)
"""Claims with mentions masked, and their patterns."""

_KIND = re.compile(r" \(([^)]*)\)")
_RELATION = re.compile(r"(?:->|<-) ([^<>]*?) (?:->|<-)")


@dataclass(frozen=True, slots=True)
class ChatPatterns:
    """The `ChatFormat` of task `pattern`."""

    line_tokens: int = 96

    def open_conversation(
        self, prompt: Prompt, language: PatternLanguage, width: int, shown_limit: int
    ) -> Conversation | None:
        if language.is_empty():
            return None
        messages = build_messages(prompt.question, language, width, shown_limit)
        return Conversation(messages, Reader(language))


def build_messages(
    question: str, language: PatternLanguage, width: int, shown_limit: int
) -> list[Message]:
    """The messages that ask for patterns: instructions, examples, and the question."""
    messages: list[Message] = [{"role": "system", "content": write_instructions(language)}]
    for asked, pattern in QUESTIONS if language.is_asking else CLAIMS:
        said = pattern if not language.kinds.is_empty else _KIND.sub("", pattern)
        relations, kinds = _RELATION.findall(pattern), _KIND.findall(said)
        messages += [
            {"role": "user", "content": _write_request(asked, language, relations, kinds, 1)},
            {"role": "assistant", "content": said},
        ]
    relations = _pick_nearest(list(language.relation_of), question, shown_limit)
    kinds = _pick_nearest(list(language.kind_of), question, shown_limit)
    request = _write_request(question, language, relations, kinds, width)
    return [*messages, {"role": "user", "content": request}]


def write_instructions(language: PatternLanguage) -> str:
    """What a model may write in a language."""
    kinds = _FREE_KINDS if language.kinds.are_free else _LISTED_KINDS
    return INSTRUCTIONS.format(
        text="question" if language.is_asking else "statement",
        asked=_ASKED if language.is_asking else "",
        triples=language.most_triples,
        words=_FREE if language.relations.are_free else _LISTED,
        kinds="" if language.kinds.is_empty else kinds,
    )


def _write_request(
    question: str,
    language: PatternLanguage,
    relations: Iterable[str],
    kinds: Iterable[str],
    width: int,
) -> str:
    """The request for one question: the relations and kinds that are not free, and the question."""
    lines = []
    if not language.relations.are_free:
        lines.append(f"Relations: {', '.join(map(quote_as_data, dict.fromkeys(relations)))}")
    if not language.kinds.are_free and not language.kinds.is_empty:
        lines.append(f"Kinds: {', '.join(map(quote_as_data, dict.fromkeys(kinds)))}")
    name = "Question" if language.is_asking else "Statement"
    lines += [f"{name}: {quote_as_data(question)}", f"Write at most {width} patterns."]
    return "\n".join(lines)


def _pick_nearest(texts: Sequence[str], question: str, limit: int) -> list[str]:
    """The texts, or where there are more than `limit` those most like the question."""
    if len(texts) <= limit:
        return list(texts)
    return [texts[i] for i in sorted(find_sharing_texts(texts, question.lower(), limit))]
