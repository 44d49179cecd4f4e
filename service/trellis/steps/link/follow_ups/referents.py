"""Referents: what an earlier question leaves for a later one to refer to, and which is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.errors import FollowUpError
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Mention
from trellis.domain.replies.question import asks_for_number
from trellis.lexicon.label_kinds import is_person, is_place
from trellis.lexicon.names import strip_endings
from trellis.linking.questions.pronouns import Pronoun, Role
from trellis.linking.questions.question_phrases import describe_asked
from trellis.linking.text import name_key
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

_ASKS_FOR_PERSON = ("who", "whom", "whose")


class SeveralReferentsError(FollowUpError):
    """Several things may be meant; `options`: those that can be said in one question."""

    def __init__(self, problem: str, options: Sequence[Referent]) -> None:
        super().__init__(problem)
        self.options = tuple(option for option in options if option.text)


@dataclass(frozen=True, slots=True)
class Referent:
    """Something that may be meant: its name, or a noun phrase where it is several things.

    `labels`: of the nodes it may be; empty where they are not known. `text` is empty where several
    things cannot be described. `is_person`: whether the question took it for a person.
    `is_answers`: whether it is several answers.
    """

    text: str
    labels: frozenset[str]
    is_several: bool = False
    is_person: bool = False
    is_answers: bool = False


def list_topics(mentions: Sequence[Mention]) -> list[Referent]:
    """What a question names, in its order."""
    return [_build_topic(mention) for mention in mentions]


def list_referents(
    question: str,
    topics: Sequence[Referent],
    answers: Sequence[str] | None,
    nodes: Mapping[str, Sequence[Node]],
    kinds: SchemaVocabulary,
) -> list[Referent]:
    """What may be referred to after a question: its topics, and its answer or answers.

    `nodes`: the nodes of the answers, by the key of their names; a value is nothing to refer to.
    """
    alone = [
        topic
        for topic in topics
        if not any(other is not topic and other.labels & topic.labels for other in topics)
    ]
    found = [
        *alone,
        *([_join_topics(topics)] if len(topics) > 1 and not alone else []),
        *_list_answer_referents(question, answers, nodes, kinds),
    ]
    return list({it.text.lower() or "several": it for it in found}.values())


def choose_referent(
    pronoun: Pronoun, referents: Sequence[Referent], words: frozenset[str], kinds: SchemaVocabulary
) -> Referent:
    """The one that a pronoun means; FollowUpError where none or several may be meant.

    `words`: what the question says beside, without endings: where all of it is said of one
    referent's kind, and not of the others', that one is meant.
    """
    fitting = [it for it in referents if _fits(pronoun, it, kinds)]
    several = [it for it in fitting if it.is_several]
    if pronoun.sort == "several":
        fitting = several or _list_persons(fitting)
        _check_number(pronoun, fitting, referents)
    elif pronoun.sort in ("thing", "person"):
        fitting = [it for it in fitting if not it.is_several]
    if not fitting:
        raise FollowUpError(f"nothing that “{pronoun.text}” can mean was spoken of before")
    chosen = _choose_by_words(fitting, words, pronoun.role, kinds)
    if chosen is None:
        options = " or ".join(it.text or "the answers" for it in fitting)
        raise SeveralReferentsError(f"“{pronoun.text}” may mean {options}", fitting)
    has_others = len(fitting) < len(referents) and not pronoun.noun
    if has_others and not _covers(chosen, words, pronoun.role, kinds):
        raise FollowUpError(f"it is not clear whether “{pronoun.text}” means {chosen.text}")
    if not chosen.text:
        raise FollowUpError(f"what “{pronoun.text}” means cannot be said in one question")
    return chosen


def _list_persons(referents: Sequence[Referent]) -> list[Referent]:
    """Those that are persons, of whom one is spoken of as `they` too."""
    return [it for it in referents if it.is_person or is_person(it.labels)]


def _check_number(
    pronoun: Pronoun, fitting: Sequence[Referent], referents: Sequence[Referent]
) -> None:
    """Raise FollowUpError where `them` is said and only single things were spoken of."""
    if not fitting and referents:
        single = " or ".join(it.text for it in referents)
        raise FollowUpError(f"“{pronoun.text}” is said of several things, and {single} is one")


def _build_topic(mention: Mention) -> Referent:
    anchors = set(list_anchor_ids(mention))
    nodes = [link.node for link in mention.links if link.node.id in anchors]
    names = {node.name for node in nodes}
    text = nodes[0].name if len(names) == 1 else mention.text
    return Referent(text, frozenset(label for node in nodes for label in node.labels))


def _join_topics(topics: Sequence[Referent]) -> Referent:
    *others, last = (topic.text for topic in topics)
    labels = frozenset.union(*(topic.labels for topic in topics))
    return Referent(f"{', '.join(others)} and {last}", labels, is_several=True)


def _list_answer_referents(
    question: str,
    answers: Sequence[str] | None,
    nodes: Mapping[str, Sequence[Node]],
    kinds: SchemaVocabulary,
) -> list[Referent]:
    asks_person = question.lower().startswith(_ASKS_FOR_PERSON)
    known = [name for name in answers or () if nodes.get(name_key(name))]
    labels = frozenset(label for n in known for node in nodes[name_key(n)] for label in node.labels)
    if len(known) == 1 and len(answers or ()) == 1:
        return [Referent(known[0], labels, is_person=asks_person)]
    if known or answers is None or asks_for_number(question):
        phrase = describe_asked(question, kinds.plurals)
        if known or phrase:
            return [Referent(phrase, labels, True, asks_person, is_answers=True)]
    return []


def _fits(pronoun: Pronoun, referent: Referent, kinds: SchemaVocabulary) -> bool:
    """Whether a pronoun may mean such a thing."""
    is_known = bool(referent.labels) and kinds.is_named(referent.labels)
    if pronoun.noun:
        label = kinds.nouns.get(pronoun.noun)
        return label in referent.labels if is_known else not referent.labels
    if pronoun.sort == "person":
        return is_person(referent.labels) if is_known else referent.is_person
    if pronoun.sort == "place":
        return is_place(referent.labels) if is_known else not referent.is_person
    is_human = is_person(referent.labels) if is_known else referent.is_person
    return pronoun.sort == "several" or not is_human


def _choose_by_words(
    fitting: Sequence[Referent], words: frozenset[str], role: Role, kinds: SchemaVocabulary
) -> Referent | None:
    """The only one, or the only one of which all words are said, or any; None where several."""
    if len(fitting) == 1:
        return fitting[0]
    covered = [(it, _count_covered(it, words, role, kinds)) for it in fitting]
    for least in (len(words), 1):
        best = [it for it, count in covered if count >= least]
        if words and len(best) == 1:
            return best[0]
    return None


def _covers(referent: Referent, words: frozenset[str], role: Role, kinds: SchemaVocabulary) -> bool:
    """Whether any of the words is said of such a thing, where there are words and its kind is
    known."""
    is_known = bool(referent.labels) and kinds.is_named(referent.labels)
    return not words or not is_known or _count_covered(referent, words, role, kinds) > 0


def _count_covered(
    referent: Referent, words: frozenset[str], role: Role, kinds: SchemaVocabulary
) -> int:
    said = kinds.label_words.list_words(referent.labels, role)
    return sum(strip_endings(word) in said for word in words)
