"""Composes questions from the phrases of a path's steps, in many shapes and with light noise."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from trellis.lexicon.relations.phrases import Phrases
from trellis.training.synthesis.noise import QuestionNoise
from trellis.training.synthesis.predicates import list_predicates

_PERSON = ("who is {}", "who are {}", "who was {}", "tell me who {} is", "who 's {}", "whom is {}")
_PLACE = ("where is {}", "what is {}", "which is {}", "what place is {}", "where 's {}")
_TIME = ("when is {}", "what is {}", "when was {}")
_THING = ("what is {}", "what are {}", "what was {}", "which is {}", "what 's {}", "which are {}")
_ANY = (
    "{}",
    "{}",
    "name {}",
    "tell me {}",
    "what is the name of {}",
    "give me {}",
    "list {}",
    "find {}",
    "i want to know {}",
    "do you know {}",
    "can you tell me {}",
    "show me {}",
    "what do you know about {}",
    "please name {}",
    "what is called {}",
)
_HAVING = (
    "what {n} does {y} have",
    "which {n} does {y} have",
    "what {n} is {y}",
    "which {n} is {y}",
    "what {n} has {y}",
    "what {n} did {y} have",
    "which {n} did {y} have",
    "what is {y} {n}",
    "{y} has what {n}",
    "which {n} has {y}",
    "what type of {n} is {y}",
    "what type of {n} does {y} have",
    "what kind of {n} does {y} have",
    "what {n} was {y}",
    "what {n} does {y} belong to",
    "which {n} belongs to {y}",
    "what {n} do we find for {y}",
)
_BOTH = (
    "which {n} {a} and {b}",
    "what {n} {a} and {b}",
    "which {n} {a} and also {b}",
    "which {n} both {a} and {b}",
    "name the {n} that {a} and {b}",
    "find {n} that {a} and {b}",
    "list every {n} that {a} and {b}",
    "{n} that {a} and {b}",
    "{n} that {a} but also {b}",
    "of all {n} that {a} , which {b}",
    "among the {n} that {a} , which one {b}",
    "is there a {n} that {a} and {b}",
    "i 'm looking for a {n} that {a} and that {b}",
    "which {n} that {a} {b}",
    "what is the {n} that {a} and {b}",
    "give me the {n} which {a} and at the same time {b}",
)
_OF_NOUN = (
    "which of {x} {b}",
    "of {x} , which {b}",
    "which one of {x} {b}",
    "{x} that {b}",
    "name {x} that also {b}",
    "among {x} , what {b}",
)
_BY_WORD = {"who": _PERSON, "where": _PLACE, "when": _TIME}


class Asker:
    """Composes questions. Equal seeds give equal questions."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._noise = QuestionNoise(self._random)

    def ask_path(self, steps: Sequence[Phrases], topic: str) -> str:
        """A question for a path that starts from `topic`; `steps`: the phrases of each step."""
        return self.add_noise(self.ask_last_step(steps[-1], self._say_inner(steps, topic)), topic)

    def _say_inner(self, steps: Sequence[Phrases], topic: str) -> str:
        """The noun phrase for what the last of some steps starts from."""
        inner = topic
        for phrases in steps[:-1]:
            inner = self.make_noun_phrase(phrases, inner)
        return inner

    def ask_conjunction(
        self, first_path: Sequence[Phrases], second_path: Sequence[Phrases], topics: tuple[str, str]
    ) -> str | None:
        """A question for the answers that two paths share; None where a last step lacks phrases."""
        inners = self._say_inner(first_path, topics[0]), self._say_inner(second_path, topics[1])
        last, second_last = first_path[-1], second_path[-1]
        second = self._pick_predicate(second_last, inners[1])
        if second is None:
            return None
        first = self._pick_predicate(last, inners[0])
        if first is None or (last.nouns and self._random.random() < 0.25):
            if not last.nouns:
                return None
            noun = self._add_possessive(self._random.choice(last.nouns), inners[0])
            return self.add_noise(self._random.choice(_OF_NOUN).format(x=noun, b=second), topics[0])
        noun = self._random.choice(second_last.types or last.types or ("one", "place"))
        text = self._random.choice(_BOTH).format(n=noun, a=first, b=second)
        return self.add_noise(text, topics[0])

    def _pick_predicate(self, phrases: Phrases, inner: str) -> str | None:
        predicates = list_predicates(phrases)
        return self._random.choice(predicates).replace("{}", inner) if predicates else None

    def ask_last_step(self, phrases: Phrases, inner: str) -> str:
        ways: list[tuple[Callable[[Phrases, str], str], float]] = []
        if phrases.asks:
            ways.append((self._complete_question, 4.0))
        if phrases.nouns:
            ways += [(self._ask_for_noun, 4.0), (self._ask_having, 1.5)]
        if phrases.clauses:
            ways.append((self._ask_for_clause, 1.5))
        if phrases.types and phrases.asks:
            ways.append((self._ask_which, 2.0))
        if not ways:
            return f"what about {inner}"
        compose = self._random.choices([way for way, _ in ways], [share for _, share in ways])[0]
        return compose(phrases, inner)

    def _complete_question(self, phrases: Phrases, inner: str) -> str:
        return self._random.choice(phrases.asks).replace("{}", inner)

    def _ask_which(self, phrases: Phrases, inner: str) -> str:
        """A question that names the answer's type: `what flows` becomes `which river flows`."""
        question = self._complete_question(phrases, inner)
        noun = self._random.choice(phrases.types)
        return re.sub(
            r"^(what|who) (?=\w)", lambda match: f"{self._pick_wh_word(match[1])} {noun} ", question
        )

    def _pick_wh_word(self, word: str) -> str:
        return self._random.choice(("which", "what" if word == "what" else "which"))

    def _ask_for_noun(self, phrases: Phrases, inner: str) -> str:
        return self._add_frame(
            phrases.wh, self._add_possessive(self._random.choice(phrases.nouns), inner)
        )

    def _ask_for_clause(self, phrases: Phrases, inner: str) -> str:
        return self._add_frame(
            phrases.wh, self._random.choice(phrases.clauses).replace("{}", inner)
        )

    def _ask_having(self, phrases: Phrases, inner: str) -> str:
        return self._random.choice(_HAVING).format(n=self._random.choice(phrases.nouns), y=inner)

    def _add_frame(self, wh: str, noun_phrase: str) -> str:
        own = _BY_WORD.get(wh, _THING)
        frames = own if self._random.random() < 0.6 else _THING + _ANY
        return self._random.choice(frames).format(noun_phrase)

    def make_noun_phrase(self, phrases: Phrases, inner: str) -> str:
        if phrases.clauses and (not phrases.nouns or self._random.random() < 0.25):
            return self._random.choice(phrases.clauses).replace("{}", inner)
        return self._add_possessive(
            self._random.choice(phrases.nouns or phrases.types or ("one",)), inner
        )

    def _add_possessive(self, noun: str, inner: str) -> str:
        draw = self._random.random()
        if draw < 0.42:
            return f"{inner} 's {noun}"
        if draw < 0.72:
            return f"the {noun} of {inner}"
        if draw < 0.92:
            return f"{noun} of {inner}"
        if draw < 0.96:
            return f"{inner} {noun}"
        return f"the {noun} that {inner} has"

    def add_noise(self, text: str, topic: str = "") -> str:
        """A question with some noise. `topic`: a word to be kept, unless it is a placeholder."""
        return self._noise.add_noise(text, topic)
