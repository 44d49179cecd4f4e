"""Resolve a follow-up: make a question that refers to earlier ones into a whole question.

Pronouns give way to what they mean; `And of Uganda?` puts another name into the last question; `How
many?` and `the largest?` ask more of its answers. A question that names its own topics and has no
unbound pronoun is left as it is. Where it cannot be told what is meant, the problem says so, and
nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trellis.domain.errors import FollowUpError, UnknownTopicError
from trellis.domain.graphs.links import Mention
from trellis.domain.ports import Embedder, Graph
from trellis.domain.replies.conversation import Turn, WholeQuestion
from trellis.lexicon.names import strip_endings
from trellis.linking.names.spans import ParsedQuestion, Span, parse_question
from trellis.linking.questions.elliptic import Ellipsis, find_ellipsis
from trellis.linking.questions.pronouns import Pronoun, find_unbound_pronouns
from trellis.linking.questions.question_phrases import add_predicate, ask_how_many, describe_asked
from trellis.linking.text import name_key
from trellis.steps.link.follow_ups.referents import (
    Referent,
    SeveralReferentsError,
    choose_referent,
    list_referents,
    list_topics,
)
from trellis.steps.link.given_nodes import is_name, narrow_mentions, read_known_topics
from trellis.steps.link.link import link_mentions, link_topics
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary, read_schema_vocabulary

_MOST_RESOLVED = 8
"""The last turns that are read; what was said before them is not referred to."""

_MOST_ANSWERS = 100
"""The answers of a turn whose nodes are looked up."""

_FOR_EACH = re.compile(r" (?:all|both|each)\b", re.IGNORECASE)
_OF_THEM = re.compile(r"(?:and |but |so )?(which|how many) (?:of )?", re.IGNORECASE)
_REMEDY = "name what you mean"
_PLAIN_WORDS = frozenset(("name", "named", "called", "kind", "other", "same", "different"))


@dataclass(frozen=True, slots=True)
class _Context:
    """The last question, in words that need no earlier ones, and what it leaves to refer to."""

    question: str
    mentions: Sequence[Mention]
    topics: Sequence[Referent]
    referents: Sequence[Referent]


async def resolve_follow_up(
    question: str, turns: Sequence[Turn], graph: Graph, embedder: Embedder | None
) -> WholeQuestion:
    """The whole question; a problem where it cannot be told what it refers to."""
    resolver = _Resolver(graph, embedder, read_schema_vocabulary(await graph.schema()))
    context: _Context | None = None
    for turn in turns[-_MOST_RESOLVED:]:
        whole = await resolver.make_whole(
            turn.question, await resolver.read_topics(turn) or context
        )
        following = await resolver.read_context(turn, whole.text)
        if following.referents or context is None:
            context = following
    return await resolver.make_whole(question, context)


class _Resolver:
    """Makes questions whole over one graph."""

    def __init__(self, graph: Graph, embedder: Embedder | None, kinds: SchemaVocabulary) -> None:
        self._graph = graph
        self._embedder = embedder
        self._kinds = kinds

    async def read_topics(self, turn: Turn) -> _Context | None:
        """What the given topics of a turn leave to refer to in its own question."""
        if not any(map(is_name, turn.topics)):
            return None
        mentions = await self._link_turn(turn, turn.question)
        topics = list_topics(mentions)
        return _Context(turn.question, mentions, topics, topics)

    async def read_context(self, turn: Turn, question: str) -> _Context:
        """What a turn leaves to refer to; `question`: the turn's, made whole."""
        mentions = await self._link_turn(turn, question)
        topics = list_topics(mentions)
        answers = None if turn.answers is None else turn.answers[:_MOST_ANSWERS]
        keys = sorted({name_key(name) for name in answers or ()})
        nodes = await self._graph.find_by_key(keys) if keys else {}
        referents = list_referents(question, topics, turn.answers, nodes, self._kinds)
        return _Context(question, mentions, topics, referents)

    async def _link_turn(self, turn: Turn, question: str) -> Sequence[Mention]:
        """The mentions of a turn: its given topics, else what is linked, else what its reading
        names."""
        given = await read_known_topics(turn.topics, self._graph)
        if given.names:
            try:
                return await link_topics(question, given.names, self._graph)
            except UnknownTopicError:
                pass
        mentions = await self._link_text(question)
        if given.nodes:
            mentions = narrow_mentions(question, mentions, given.nodes)
        if mentions or not turn.reading:
            return mentions
        named = await self._link_text(turn.reading)
        return [Mention(len(question), len(question), it.text, it.links) for it in named]

    async def _link_text(self, text: str) -> Sequence[Mention]:
        return await link_mentions(text, self._graph, self._embedder, self._kinds.wording)

    async def make_whole(self, question: str, context: _Context | None) -> WholeQuestion:
        """The question after that context."""
        if context is None:
            return WholeQuestion(question)
        parsed = parse_question(question)
        mentions = await self._link_text(question)
        names = [Span(mention.start, mention.end) for mention in mentions]
        try:
            ellipsis = find_ellipsis(parsed, names)
            if ellipsis:
                return WholeQuestion(self._complete(ellipsis, parsed, mentions, context))
            pronouns = find_unbound_pronouns(parsed, names, self._kinds.nouns)
            return WholeQuestion(self._replace_pronouns(parsed, names, pronouns, context))
        except SeveralReferentsError as error:
            options = await self._list_options(question, context, error.options)
            return WholeQuestion(question, f"{error.problem}; {_REMEDY}", options)
        except FollowUpError as error:
            return WholeQuestion(question, f"{error.problem}; {_REMEDY}")

    async def _list_options(
        self, question: str, context: _Context, options: Sequence[Referent]
    ) -> tuple[str, ...]:
        """The whole questions that are meant if one of the options is."""
        wholes = [
            await self.make_whole(question, replace(context, referents=(option,)))
            for option in options
        ]
        return tuple(whole.text for whole in wholes if not whole.problem)

    def _complete(
        self,
        ellipsis: Ellipsis,
        parsed: ParsedQuestion,
        mentions: Sequence[Mention],
        context: _Context,
    ) -> str:
        """The whole question of one that leaves something out."""
        if ellipsis.kind == "instead":
            return self._put_instead(mentions, context)
        if ellipsis.kind == "aspect":
            return self._ask_aspect(ellipsis, parsed, context)
        if ellipsis.kind == "most":
            phrase = self._describe_answers(context)
            return f"Which of {phrase} is {ellipsis.noun}?"
        counted = ask_how_many(context.question, self._kinds.plurals)
        if ellipsis.kind == "count" and counted:
            return counted
        raise FollowUpError(f"“{parsed.text}” does not say what it asks about")

    def _describe_answers(self, context: _Context) -> str:
        if phrase := describe_asked(context.question, self._kinds.plurals):
            return phrase
        raise FollowUpError("the last question does not ask for several things")

    def _put_instead(self, mentions: Sequence[Mention], context: _Context) -> str:
        """The last question with another name in place of the one of the same kind."""
        (new,) = list_topics(mentions)
        alike = [
            (mention, topic)
            for mention, topic in zip(context.mentions, context.topics, strict=True)
            if topic.labels & new.labels or not (topic.labels and new.labels)
        ]
        if not alike:
            raise FollowUpError(f"the last question names nothing of the kind of {new.text}")
        if len(alike) > 1:
            options = " or ".join(topic.text for _, topic in alike)
            raise FollowUpError(f"{new.text} may stand in place of {options}")
        place = alike[0][0]
        if place.start == place.end:
            raise FollowUpError("the last question does not say its topic")
        before, after = context.question[: place.start], context.question[place.end :]
        return f"{before}{mentions[0].text}{after}"

    def _ask_aspect(self, ellipsis: Ellipsis, parsed: ParsedQuestion, context: _Context) -> str:
        """`What is the currency of Kenya?` of `And its currency?`."""
        verb = "are" if ellipsis.noun.split(" of ")[0].endswith("s") else "is"
        if ellipsis.is_whole:
            start = parsed.text.lower().index(f"the {ellipsis.noun}")
            return f"What {verb} {parsed.text[start:].rstrip(' ?.!')}?"
        words = frozenset(ellipsis.noun.lower().split())
        pronoun = _find_aspect_pronoun(parsed)
        meant = choose_referent(pronoun, context.referents, words, self._kinds)
        return f"What {verb} the {ellipsis.noun} of {meant.text}?"

    def _replace_pronouns(
        self,
        parsed: ParsedQuestion,
        names: Sequence[Span],
        pronouns: Sequence[Pronoun],
        context: _Context,
    ) -> str:
        words = _list_content_words(parsed, [*names, *(pronoun.span for pronoun in pronouns)])
        text = parsed.text
        for pronoun in reversed(pronouns):
            if pronoun.sort == "several" and _FOR_EACH.match(text, pronoun.span.end):
                raise FollowUpError(f"“{pronoun.text}” is asked about one by one")
            meant = choose_referent(pronoun, context.referents, words, self._kinds)
            said_of_answers = meant.is_answers and self._add_predicate(text, pronoun, context)
            text = said_of_answers or _put_in(text, pronoun, meant)
        return text

    def _add_predicate(self, text: str, pronoun: Pronoun, context: _Context) -> str:
        """`Which countries border Kenya and border Rwanda?` of `Which of them border Rwanda?`.

        Empty where the question does not ask for some of the answers.
        """
        opening = _OF_THEM.fullmatch(text[: pronoun.span.start])
        if not opening:
            return ""
        word, predicate = opening[1].capitalize(), text[pronoun.span.end :]
        return add_predicate(context.question, predicate, self._kinds.plurals, word)


def _find_aspect_pronoun(parsed: ParsedQuestion) -> Pronoun:
    """The pronoun of `And its currency?`; `the` speaks of a thing."""
    found = find_unbound_pronouns(parsed, (), ())
    return found[0] if found else Pronoun(Span(0, 0), "the", "thing", "owner")


def _list_content_words(parsed: ParsedQuestion, spans: Sequence[Span]) -> frozenset[str]:
    """The words that say what is asked: neither grammar nor in any of the spans."""
    return frozenset(
        strip_endings(word)
        for atom in parsed.atoms
        if atom.is_nameable and not atom.is_function_word
        if not any(map(atom.span.overlaps, spans))
        if (word := parsed.text_of(atom.span).lower()) not in _PLAIN_WORDS
    )


def _put_in(text: str, pronoun: Pronoun, meant: Referent) -> str:
    """The text with what is meant in place of the pronoun."""
    before, after = text[: pronoun.span.start], text[pronoun.span.end :]
    if pronoun.role == "owner":
        return _put_owner_in(before, after, pronoun, meant)
    if pronoun.preposition == "which":  # `Which ones border Uganda?`
        return f"{before}of {meant.text}{after}"
    needs_in = pronoun.sort == "place" and not pronoun.preposition
    return f"{before}{'in ' if needs_in else ''}{meant.text}{after}"


def _put_owner_in(before: str, after: str, pronoun: Pronoun, meant: Referent) -> str:
    """`the currency of Kenya`, where the noun ends the question; else `Kenya's currency`."""
    noun = after.strip().rstrip(" ?.!")
    starts = before.lower().split()[-2:]
    if len(starts) == 2 and starts[0] in ("what", "who", "which"):
        return f"{before}the {noun} of {meant.text}?"
    if meant.is_several:
        raise FollowUpError(f"what “{pronoun.text}” means cannot be said in one question")
    return f"{before}{meant.text}'s{after}"
