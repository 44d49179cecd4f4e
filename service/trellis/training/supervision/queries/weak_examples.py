"""A question with answers, read: what its mentions may mean, what its answers may be, and its own
paths, if it has any, as the pattern that they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from trellis.automata.cypher.meaning.query import TURNED
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.domain.errors import UnknownTopicError
from trellis.domain.graphs.graph import Node, NodeId, Scalar, Step
from trellis.domain.graphs.links import Mention
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Graph
from trellis.domain.replies.question import Question
from trellis.linking.text import name_key
from trellis.questions.row import QuestionRow
from trellis.steps.link.values.link_values import link_values
from trellis.steps.link.values.value_mentions import (
    is_scattered,
    merge_mentions,
    name_mentioned_values,
)
from trellis.steps.retrieve.queries.retrieve_queries import link_question_values
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.training.supervision.queries.holders import Holders, Kind, parse_comparable
from trellis.training.supervision.queries.pattern_trees import (
    Branch,
    Candidate,
    Meaning,
    PatternTree,
    TreeReturn,
)
from trellis.training.wording import split_words

_LEAST_SHARE = 0.5  # of the answers that one property has to hold


@dataclass(frozen=True, slots=True)
class CandidateSet:
    """What may explain a question, and why nothing does where that is so."""

    mentions: tuple[Mention, ...]
    words: tuple[str, ...]
    needed: int
    candidates: tuple[Candidate, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class WeakQueryExample:
    """A question, the places in it that say values, and what these may mean.

    `needed`: the mentions that an explanation should say, as bits.
    """

    asked: QuestionRow
    mentions: tuple[Mention, ...]
    meanings: tuple[tuple[Meaning, Kind], ...]
    needed: int

    @property
    def words(self) -> tuple[str, ...]:
        """The question's own words."""
        text = self.asked.question
        for mention in reversed(self.mentions):
            end = mention.start if is_scattered(mention) else mention.end
            text = f"{text[: mention.start]} {text[end:]}"
        return tuple(split_words(text))

    def with_candidates(self, candidates: tuple[Candidate, ...], reason: str = "") -> CandidateSet:
        return CandidateSet(self.mentions, self.words, self.needed, candidates, reason)

    def list_values(self) -> list[tuple[Kind, Scalar]]:
        """What has to be known of who holds which values."""
        named = name_mentioned_values(self.mentions)
        return [
            (kind, named[value].stored.value)
            for meaning, kind in self.meanings
            for value in meaning.values
        ]


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """One way of being the answers: nodes (`key` is empty) of a label, or values of a property.

    `holders`: for each answer, by its place, the nodes that are it or hold it.
    """

    label: str
    key: str
    holders: Mapping[int, frozenset[NodeId]]


async def read_example(asked: QuestionRow, graph: Graph, known: IndexedSchema) -> WeakQueryExample:
    """Link a question's values, as answering does; a topic that is missed stands in."""
    linked_mentions = await link_values(asked.question, graph)
    mentions = merge_mentions(linked_mentions, known.schema)
    topics = {name_key(name) for name in asked.names}
    if topics.difference(*map(_list_names, mentions)):
        mentions = merge_mentions(
            (*await _link_topics(asked, graph), *linked_mentions), known.schema
        )
    active = [
        i for i, mention in enumerate(mentions) if not topics or topics & _list_names(mention)
    ]
    needed = sum(1 << i for i in active if not is_scattered(mentions[i]))
    return WeakQueryExample(asked, mentions, _list_meanings(mentions, active, known), needed)


async def _link_topics(asked: QuestionRow, graph: Graph) -> tuple[Mention, ...]:
    try:
        return await link_question_values(
            Question(asked.question, asked.names), graph, CypherSettings()
        )
    except UnknownTopicError:
        return ()


def _list_names(mention: Mention) -> set[str]:
    return {name_key(str(link.stored.value)) for link in mention.links}


def _list_meanings(
    mentions: Sequence[Mention], active: Sequence[int], known: IndexedSchema
) -> tuple[tuple[Meaning, Kind], ...]:
    """Equality first, and what a label's nodes are named by before its other properties."""
    lexicon = Lexicon(known, name_mentioned_values(mentions), is_wide=False)
    types = {
        (label.label, kind.name): kind.type
        for label in known.schema.labels
        for kind in label.properties
    }
    naming = {(label.label, label.naming) for label in known.schema.labels}
    meanings = [
        (
            Meaning(mention, label, each.property, values, each.operator),
            Kind(label, each.property, types[label, each.property], each.operator),
        )
        for label in (kind.label for kind in known.schema.labels)
        for each in lexicon.list_filters((label,))
        for name, values in each.values
        if (mention := int(name[1:])) in active and each.operator != "<>"
    ]
    meanings.sort(
        key=lambda pair: (pair[0].operator != "=", (pair[1].label, pair[1].property) not in naming)
    )
    return tuple(meanings)


def read_gold_paths(example: WeakQueryExample) -> Candidate | None:
    """The pattern of a question's paths; None where one begins at what no mention means."""
    meanings = [
        (_find_topic_meaning(example, path.topic), path.steps) for path in example.asked.paths
    ]
    chains = [_make_chain(meaning, steps) for meaning, steps in meanings if meaning]
    if not chains or len(chains) < len(meanings):
        return None
    return Candidate(reduce(PatternTree.join_tree, chains), TreeReturn(), 1.0, 1.0)


def _find_topic_meaning(example: WeakQueryExample, topic: str) -> Meaning | None:
    """The first property that has the topic as a value: what nodes are named by comes first."""
    named = name_mentioned_values(example.mentions)
    for meaning, _ in example.meanings:
        values = (named[value].stored.value for value in meaning.values)
        if any(name_key(str(value)) == name_key(topic) for value in values):
            return meaning
    return None


def _make_chain(meaning: Meaning, steps: Sequence[Step]) -> PatternTree:
    """From the answer back to the topic; labels are left to the schema."""
    tree = PatternTree((meaning.label,), (meaning,))
    for step in steps:
        back = TURNED["in" if step.reversed else "out"]
        tree = PatternTree((), (), (Branch(step.relation, back, tree),))
    return tree


class AnswerFinder:
    """What the answers of questions may be: looked up for all of them at once."""

    def __init__(self, graph: Graph, holders: Holders, schema: Schema) -> None:
        self._graph = graph
        self._holders = holders
        self._kinds = [
            Kind(label.label, kind.name, kind.type)
            for label in schema.labels
            for kind in label.properties
        ]
        self._named: dict[str, Sequence[Node]] = {}
        self._asked: set[str] = set()

    async def look_up(self, texts: Sequence[str]) -> None:
        """Find the nodes that are called so, that have such an id, and those that hold it."""
        new = [text for text in dict.fromkeys(texts) if text not in self._asked]
        self._asked.update(new)
        self._named |= await self._graph.find_by_key([name_key(text) for text in new])
        await self._holders.read_nodes(text for text in new if name_key(text) not in self._named)
        await self._holders.find_holders(
            (kind, value)
            for kind in self._kinds
            for text in new
            if (value := parse_comparable(kind.type, text)) is not None
        )

    def find_answers(self, answers: Sequence[str]) -> list[AnswerSet]:
        """The ways that hold enough of the answers: nodes first."""
        nodes = self._find_nodes(answers)
        held = [gold for kind in self._kinds if (gold := self._find_holders(kind, answers))]
        same = [(gold.label, gold.holders) for gold in nodes]
        answer_sets = [*nodes, *(gold for gold in held if (gold.label, gold.holders) not in same)]
        return [gold for gold in answer_sets if len(gold.holders) >= _LEAST_SHARE * len(answers)]

    def _find_nodes(self, answers: Sequence[str]) -> list[AnswerSet]:
        nodes_by_label: dict[str, dict[int, set[NodeId]]] = defaultdict(lambda: defaultdict(set))
        for place, text in enumerate(answers):
            for node in self._named.get(name_key(text), ()):
                for label in node.labels or ("",):
                    nodes_by_label[label][place].add(node.id)
            looked = self._holders.known_nodes(text)
            for label in (looked.labels or ("",)) if looked else ():
                nodes_by_label[label][place].add(text)
        return [
            AnswerSet(label, "", {place: frozenset(ids) for place, ids in those.items()})
            for label, those in sorted(nodes_by_label.items())
        ]

    def _find_holders(self, kind: Kind, answers: Sequence[str]) -> AnswerSet | None:
        ids_by_place = {}
        for place, text in enumerate(answers):
            value = parse_comparable(kind.type, text)
            ids = self._holders.of(kind, value) if value is not None else frozenset()
            if ids:
                ids_by_place[place] = ids
        return AnswerSet(kind.label, kind.property, ids_by_place) if ids_by_place else None
