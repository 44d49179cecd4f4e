"""What relations and kinds are said in: names of the graph, spans of the question, any words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.errors import InputError
from trellis.domain.identifiers import put_last_first, split_identifier


@dataclass(frozen=True, slots=True)
class PatternWords:
    """What may be said in one place of a pattern; nothing at all where all are empty.

    `names`: of the graph, as they stand there. `spans`: texts of the question. `free_tokens`: the
    most tokens of any words; then names and spans are empty, as any words may be theirs.
    Raises InputError where they do not fit together.
    """

    names: tuple[str, ...] = ()
    spans: tuple[str, ...] = ()
    free_tokens: int = 0

    def __post_init__(self) -> None:
        if "" in (*self.names, *self.spans):
            raise InputError("a name or a span of a pattern is empty", "leave it out")
        if self.free_tokens < 0 or (self.free_tokens and (self.names or self.spans)):
            raise InputError(
                f"{self.free_tokens} tokens of any words beside {len(self.names)} names and "
                f"{len(self.spans)} spans",
                "give either names and spans, or a positive number of tokens",
            )

    @property
    def are_free(self) -> bool:
        return self.free_tokens > 0

    @property
    def is_empty(self) -> bool:
        return not (self.names or self.spans or self.free_tokens)


def say_relations(words: PatternWords) -> Mapping[str, str]:
    """By what is said, the relation: names from their last part on, then spans of other words."""
    return _add_spans({put_last_first(name): name for name in words.names}, words.spans)


def say_kinds(words: PatternWords) -> Mapping[str, str]:
    """By what is said, the kind: labels in words, or as they stand where several have the same
    words; then spans of other words."""
    said = [" ".join(split_identifier(label)) or label for label in words.names]
    counts = Counter(said)
    pairs = zip(said, words.names, strict=True)
    return _add_spans({text if counts[text] == 1 else n: n for text, n in pairs}, words.spans)


def _add_spans(said: dict[str, str], spans: Sequence[str]) -> dict[str, str]:
    return said | {span: span for span in spans if span not in said}
