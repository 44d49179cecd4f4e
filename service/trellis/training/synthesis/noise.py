"""Noise: what people put around and into a question, without meaning anything else by it.

They begin with why they ask, name what they ask about first and say `its` later, leave out articles
and words, and misspell. Questions that were made or given learn to be read in spite of that.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

_AROUND = (
    "could you tell me {}",
    "could you check {}",
    "can you look up {}",
    "can somebody tell me {}",
    "would you know {}",
    "do you happen to know {}",
    "i 'd like to know {}",
    "i need to know {}",
    "i was wondering {}",
    "i wonder {}",
    "i am curious , {}",
    "i am trying to find out {}",
    "i am looking for {}",
    "i keep forgetting {}",
    "i forgot {}",
    "i have no idea {}",
    "it slipped my mind {}",
    "just wondering , {}",
    "just curious : {}",
    "out of curiosity , {}",
    "somebody asked me {}",
    "my boss wants to know {}",
    "what i need is {}",
    "what i want to know is {}",
    "the question is {}",
    "my question : {}",
    "quick question : {}",
    "another question : {}",
    "one more thing , {}",
    "for my homework : {}",
    "for a report , {}",
    "for a quiz : {}",
    "for a friend : {}",
    "need {} asap",
    "need {}",
    "looking for {}",
    "look up {}",
    "get me {}",
    "fetch {}",
    "check {} for me",
    "let me know {}",
    "let me see {}",
    "tell us {}",
    "remind me {}",
    "any idea {}",
    "please , {}",
    "hi , {}",
    "hello , {}",
    "hey , {}",
    "ok , {}",
    "well , {}",
    "now , {}",
    "so {}",
    "and {}",
    "by the way , {}",
    "help me out : {}",
    "according to the data , {}",
    "as far as we know , {}",
    "in our records , {}",
    "{} please",
    "{} , thanks",
    "{} , thank you",
    "{} , please , thanks",
    "{} , do you know",
    "{} , if you know",
    "{} , if possible",
    "{} , i wonder",
    "{} , anyone",
    "{} , any idea",
    "{} , remind me",
    "{} , tell me",
    "{} , by the way",
    "{} , according to the data",
    "{} , asap",
    "{} - list them",
    "{} again",
    "{} exactly",
)
_IN_FRONT = (
    "{t} : {q}",
    "{t} - {q}",
    "{t} , {q}",
    "{t} ? {q}",
    "about {t} : {q}",
    "about {t} , {q}",
    "regarding {t} , {q}",
    "concerning {t} : {q}",
    "as for {t} , {q}",
    "speaking of {t} , {q}",
    "take {t} . {q}",
    "there is {t} . {q}",
    "i am thinking of {t} . {q}",
    "i like {t} . {q}",
    "i have {t} here . {q}",
    "i read about {t} . {q}",
    "we talked about {t} : {q}",
    "with {t} in mind : {q}",
)
_PRONOUNS = (("it", "its"), ("it", "its"), ("that", "its"), ("he", "his"), ("she", "her"))
_AROUND_SHARE, _IN_FRONT_SHARE = 0.2, 0.06
_NO_ARTICLES, _ONE_ARTICLE, _WORD_LEFT_OUT, _MISSPELT = 0.12, 0.06, 0.05, 0.04
_JOINED_POSSESSIVE = 0.35
_LONG_ENOUGH = 4  # words that a question has more of, where one may be left out
_ARTICLE = re.compile(r"\b(the|a|an) ")
_PLACEHOLDER = re.compile(r"\b(?:ent|t|v)\d+\b", re.IGNORECASE)
_ENDS = (" ?", "?", "", " ?", "?")


class QuestionNoise:
    """Adds noise to questions whose names are placeholders: `ENT1`, `t0`, `v0`.

    `choice`: where equal seeds give equal noise.
    """

    def __init__(self, choice: random.Random) -> None:
        self._choice = choice

    def add_noise(self, text: str, topic: str = "") -> str:
        """A question with some noise, and mostly a question mark. `topic`: a word to be kept."""
        if self._flip(_NO_ARTICLES):
            text = _ARTICLE.sub("", text)
        if topic and self._flip(_ONE_ARTICLE):
            text = text.replace(topic, f"the {topic}", 1)
        if self._flip(_WORD_LEFT_OUT):
            text = self._leave_word_out(text, topic)
        if self._flip(_MISSPELT):
            text = self._misspell_word(text, topic)
        text = self.wrap(text)
        if self._flip(_JOINED_POSSESSIVE):
            text = text.replace(" 's", "'s")
        return text + self._choice.choice(_ENDS)

    def wrap(self, text: str) -> str:
        """A question with words around it, or with its name in front, now and then."""
        if self._flip(_IN_FRONT_SHARE):
            text = self._put_in_front(text)
        if self._flip(_AROUND_SHARE):
            text = self._choice.choice(_AROUND).format(text)
        return text

    def _put_in_front(self, text: str) -> str:
        """`who directed ENT1` as `ENT1 : who directed it`; unchanged where no name, or one that is
        said again, comes first."""
        first = _PLACEHOLDER.search(text)
        if first is None or text.count(first[0]) > 1:
            return text
        pronoun, possessive = self._choice.choice(_PRONOUNS)
        rest = text.replace(f"{first[0]} 's", possessive).replace(f"{first[0]}'s", possessive)
        rest = rest.replace(f"the {first[0]}", pronoun).replace(first[0], pronoun)
        return self._choice.choice(_IN_FRONT).format(t=first[0], q=rest)

    def _leave_word_out(self, text: str, topic: str) -> str:
        words = text.split(" ")
        index = self._choice.randrange(len(words))
        if _is_kept(words[index], topic) or len(words) <= _LONG_ENOUGH:
            return text
        return " ".join(words[:index] + words[index + 1 :])

    def _misspell_word(self, text: str, topic: str) -> str:
        """A text with a letter of one longer word left out, doubled or exchanged."""
        words = text.split(" ")
        places = [
            at
            for at, word in enumerate(words)
            if len(word) > 4 and word.isalpha() and not _is_kept(word, topic)
        ]
        if not places:
            return text
        at = self._choice.choice(places)
        word, cut = words[at], self._choice.randrange(1, len(words[at]) - 1)
        exchanged = word[:cut] + word[cut + 1] + word[cut] + word[cut + 2 :]
        doubled = word[: cut + 1] + word[cut:]
        words[at] = self._choice.choice((word[:cut] + word[cut + 1 :], doubled, exchanged))
        return " ".join(words)

    def _flip(self, probability: float) -> bool:
        return self._choice.random() < probability


def wrap_copies(questions: Sequence[str], seed: int) -> list[str]:
    """Given questions as people would say them around: each as it is, or with words around it."""
    noise = QuestionNoise(random.Random(seed))
    return [noise.wrap(question) for question in questions]


def _is_kept(word: str, topic: str) -> bool:
    """Whether a word is a name or a number, in which no letter may be wrong."""
    return word in (topic, "'s") or any(map(str.isdigit, word))
