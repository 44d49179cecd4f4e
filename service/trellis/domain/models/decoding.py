"""Values of decoding: how to search, and the sentences that are found."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, Literal, get_args

from trellis.domain.errors import InputError

Mode = Literal["greedy", "sample", "beam", "stochastic_beam"]

_MOST_REFUSED = 10.0


@dataclass(frozen=True, slots=True)
class Search:
    """How to decode. Scores are log-probabilities renormalised over the language.

    `temperature` T: the model's logits are divided by it before scores are computed.
    `length_penalty` a: sentences are ranked by score / choices**a (0: by probability).
    `diversity` λ: beams of mode `beam` search in `groups` groups, and a token costs a group λ for
    each beam of an earlier group that takes it at the same choice (0: one plain beam search).
    `groups`: how many there are, each of width / groups beams (0: one for each beam).
    `margin`: of mode `beam`, sentences are not looked for whose score is so far below that of the
    best one found (0: all of the best `width` are looked for).
    Raises InputError where a value is out of range, or does not fit the others.
    """

    mode: Mode = "beam"
    width: int = 10
    max_tokens: int = 1_024
    temperature: float = 1.0
    length_penalty: float = 0.0
    seed: int = 0
    diversity: float = 0.0
    groups: int = 0
    margin: float = 0.0

    def __post_init__(self) -> None:
        for name, value, fits, wanted in (
            ("mode", self.mode, self.mode in get_args(Mode), f"one of {get_args(Mode)}"),
            ("width", self.width, self.width >= 1, "1 or more"),
            ("max_tokens", self.max_tokens, self.max_tokens >= 1, "1 or more"),
            ("temperature", self.temperature, 0 < self.temperature < inf, "above 0"),
            ("length_penalty", self.length_penalty, 0 <= self.length_penalty < inf, "0 or more"),
            ("seed", self.seed, self.seed >= 0, "0 or more"),
            ("diversity", self.diversity, self._can_be_diverse(), "0 or more, in mode beam only"),
            ("margin", self.margin, self._can_have_margin(), "0 or more, in one plain beam search"),
            ("groups", self.groups, self._has_groups(), "a divisor of width, with diversity only"),
        ):
            if not fits:
                raise InputError(f"search: {name} is {value!r}", f"it has to be {wanted}")

    def _can_be_diverse(self) -> bool:
        return self.diversity == 0 or (0 < self.diversity < inf and self.mode == "beam")

    def _can_have_margin(self) -> bool:
        is_plain = self.mode == "beam" and not (self.diversity or self.length_penalty)
        return self.margin == 0 or (0 < self.margin < inf and is_plain)

    def _has_groups(self) -> bool:
        if self.groups in (0, 1):
            return True
        return self.diversity > 0 and self.groups > 1 and self.width % self.groups == 0


@dataclass(frozen=True, slots=True)
class Support:
    """How much of a model's probability a language left along a sentence, in natural logarithms.

    Scores are renormalised over what a language allows, so that in a small language even the last
    choice is certain. Support tells what that hides. `total`: the share of probability that was
    allowed, summed over all choices; 0 where nothing was refused, and never above. `least`: the
    smallest share of one choice. `at`: the tokens of the sentence before that choice. `turned`: the
    share of the directions that were said, of those relationships that the graph's schema has in
    the other direction too and the language has not; 0 where the model tells no directions.
    """

    total: float = 0.0
    least: float = 0.0
    at: int = 0
    turned: float = 0.0

    def add_choice(self, share: float, at: int, turned: float = 0.0) -> Support:
        """The support with one more choice, of whose probability the log share was allowed;
        `turned`: that of its direction."""
        share, turned = min(share, 0.0), self.turned + turned
        if share < self.least:
            return Support(self.total + share, share, at, turned)
        return Support(self.total + share, self.least, self.at, turned)


def bound_support(total: float) -> float:
    """A support as a feature of a confidence, from -10 nats to 0: what refuses more than that is a
    question about something else altogether."""
    return max(total, -_MOST_REFUSED)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A whole sentence of a language.

    `values`: all its meanings. `score`: its log-probability, renormalised over the language.
    `choices`: at how many tokens the language left more than one option. `support`: how much of
    the model's probability the language left; None where whoever wrote it does not tell.
    """

    text: str
    tokens: tuple[int, ...]
    values: tuple[Any, ...]
    score: float
    choices: int
    support: Support | None = None
