"""Answers about a node that a part of the question describes: what that part means is a value.

Source: GraphRAFT, whose queries join what texts say with structure. The part is found by its text,
and asked about by its name: `Which team maintains v0?`. The nearest node is meant; where a query
about it gives nothing, one that is as near. A plural means all nodes that are sure enough, and the
query is about each of them (`n IN $d0`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node, NodeId
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.models.calibration import logistic
from trellis.domain.ports import Embedder, Graph, Queries
from trellis.domain.replies.events import Event, Watch, ignore_event
from trellis.domain.replies.reply import Reply
from trellis.linking.names.spans import Span
from trellis.pipelines.record import Record
from trellis.steps.align.described_fit import find_described_labels, measure_described
from trellis.steps.align.described_part import (
    describes_several,
    find_described_part,
    shift_mentions,
)
from trellis.steps.conclude.judge_described import CONFIDENCE
from trellis.steps.describe.phrases import join_phrases
from trellis.steps.ground.queries.bound_queries import BoundQueries
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.unknown_words import ReadQuestion
from trellis.steps.retrieve.described.described_nodes import (
    DescribedNode,
    Description,
    drop_texts,
    retrieve_described,
)
from trellis.steps.retrieve.described.sentences import find_telling_part

_MOST_MEANT = 5  # nodes, one of which is meant
_MOST_DESCRIBED = 20  # nodes that a plural means
_ALIKE = 0.12  # score below the nearest node's to which a plural means others
_TIED = 0.05  # score below the nearest node's at which another may be meant as well


@dataclass(frozen=True, slots=True)
class MeantNode:
    """A node that a part may mean: how sure that is, and the values that name it."""

    described: DescribedNode
    sure: float
    values: tuple[StoredValue, ...]

    @property
    def node(self) -> Node:
        return self.described.match.node

    def list_facts(self, part: str) -> list[Fact]:
        """What the node's nearest passage says of a part of the question."""
        return [
            Fact.of_statements((), (find_telling_part(each, part).as_fact(self.node),))
            for each in self.described.match.passages[:1]
        ]


@dataclass(frozen=True, slots=True)
class DescribedPart:
    """A part of a question that describes a node, and those that it may mean, nearest first.
    `form`: the question with the mentions of the rest of it."""

    form: QuestionForm
    span: Span
    nodes: tuple[MeantNode, ...]

    @property
    def text(self) -> str:
        """The part as the question says it."""
        return self.form.text[self.span.start : self.span.end]

    @property
    def is_several(self) -> bool:
        """Whether it means all of its nodes."""
        return describes_several(self.text)

    def name_part(self) -> QuestionForm:
        """The question with a name in place of the part."""
        text, name = self.form.text, self.nodes[0].node.name
        named = f"{text[: self.span.start]}{name}{text[self.span.end :]}"
        shift = len(name) - (self.span.end - self.span.start)
        others = [
            mention
            if mention.start < self.span.start
            else replace(mention, start=mention.start + shift, end=mention.end + shift)
            for mention in self.form.mentions
        ]
        end = self.span.start + len(name)
        meant = Mention(self.span.start, end, name, self._list_links("given"))
        mentions = sorted((*others, meant), key=lambda mention: mention.start)
        return replace(self.form, text=named, mentions=tuple(mentions))

    def bind_queries(self, queries: Queries) -> BoundQueries:
        """Queries that are about all nodes of the part where they name the nearest."""
        nodes = [each.node for each in self.nodes]
        return BoundQueries(queries, described={nodes[0].name: nodes} if self.is_several else {})

    def complete_reply(self, reply: Reply) -> Reply:
        """A reply to the question with a name in place of the part, as one to the question: no
        surer than the part means that node, and shown by its text too; without answers where that
        is not sure enough."""
        meant = self._find_used(reply)
        here = Mention(self.span.start, self.span.end, self.text, self._list_links("text"))
        mentions = sorted((*self.form.mentions, here), key=lambda mention: mention.start)
        sure = reply.confidence * meant.sure
        reply = replace(reply, mentions=tuple(mentions), confidence=sure)
        is_absence = self.is_several and not reply.answers  # others may be described as well
        if sure < CONFIDENCE.abstain_below or is_absence:
            return reply if reply.abstained else reply.withdraw_answers()
        used = self.nodes if self.is_several else (meant,)
        names = [each.node.name for each in used]
        said = f"“{self.text}” was taken for {join_phrases(names)}, by "
        note = f"{said}{'their texts' if len(used) > 1 else 'its text'}"
        return replace(
            self._show_texts(reply, used),
            notes=(*reply.notes, note),
            reading=reply.reading.replace(names[0], self.text) if len(used) > 1 else reply.reading,
        )

    def _show_texts(self, reply: Reply, used: Sequence[MeantNode]) -> Reply:
        """The reply whose answers are shown by the texts of the described nodes that they rest on,
        too, and are no surer than these are meant."""
        shown = list(reply.evidence)
        rows = dict[NodeId, range]()
        for meant in used:
            facts = meant.list_facts(self.text)
            rows[meant.node.id] = range(len(shown), len(shown) + len(facts))
            shown += facts
        sure = {meant.node.id: meant.sure for meant in used}
        answers = []
        for answer in reply.answers:
            triples = (t for row in answer.evidence for t in reply.evidence[row].triples)
            ends = {end.id for triple in triples for end in (triple.head, triple.tail)}
            own = [id for id in rows if id in ends] or list(rows)[:1]
            evidence = (*answer.evidence, *(row for id in own for row in rows[id]))
            score = answer.score * max(sure[id] for id in own)
            answers.append(replace(answer, score=score, evidence=evidence))
        return replace(reply, answers=tuple(answers), evidence=tuple(shown))

    def _find_used(self, reply: Reply) -> MeantNode:
        """The node that the reply's query is about."""
        used = [*reply.params.values()]
        about = (each for each in self.nodes if each.node.name in used)
        return next(about, self.nodes[0])

    def _list_links(self, how: Literal["given", "text"]) -> tuple[Link, ...]:
        return tuple(Link(value, each.sure, how) for each in self.nodes for value in each.values)


@dataclass(frozen=True, slots=True)
class DescribedPartReply:
    """Answers questions of which a part describes a node. `ask`: answers one by queries that it is
    given, with what records it, how its words were read, and its form."""

    graph: Graph
    queries: Queries
    embedder: Embedder | None
    ask: Callable[[Queries, Record, ReadQuestion, QuestionForm, Watch], Awaitable[Reply]]

    async def answer(self, record: Record, form: QuestionForm, watch: Watch) -> Reply | None:
        """The reply, held back where it is not sure enough; None where no part describes a node."""
        with record.time_step("search texts"):
            given = record.question.topics
            part = None if given else await _read_part(form, self.graph, self.embedder)
        if part is None:
            return None
        named, bound = part.name_part(), part.bind_queries(self.queries)
        own = replace(record, mentions=named.mentions, notes=[])
        found = await self.ask(bound, own, ReadQuestion(named.text), named, ignore_event)
        reply = part.complete_reply(bound.show_query(found))
        if not reply.abstained:
            watch(Event("candidates", reply.candidates))
            watch(Event("evidence", reply.evidence))
        return reply


async def _read_part(
    form: QuestionForm, graph: Graph, embedder: Embedder | None
) -> DescribedPart | None:
    """What a part of the question describes; None where no part does, where it names the node that
    it is about, or where no node is sure enough."""
    texts = await graph.indexed_texts()
    if not texts.kinds:
        return None
    form = replace(form, mentions=drop_texts(form.mentions, texts.kinds))
    span = find_described_part(form, texts.labels)
    if span is None:
        return None
    text = form.text[span.start : span.end]
    part = replace(form, text=text, mentions=shift_mentions(form.mentions, span))
    if describes_several(text) and form.asks_number:
        return None  # how many nodes a text describes is not sure
    asked = find_described_labels(part, texts.labels)
    description = await retrieve_described(part, texts, graph, embedder, asked)
    if description.is_about_topic:
        return None
    nodes = _list_meant(part, description.keep_labels(asked))
    others = tuple(m for m in form.mentions if m.end <= span.start or span.end <= m.start)
    return DescribedPart(replace(form, mentions=others), span, nodes) if nodes else None


def _list_meant(part: QuestionForm, description: Description) -> tuple[MeantNode, ...]:
    """The nearest node and those as near, of them those that are sure enough."""
    naming = {kind.label: kind.naming for kind in part.schema.labels if kind.naming}
    is_several, meant = describes_several(part.text), []
    most, below = (_MOST_DESCRIBED, _ALIKE) if is_several else (_MOST_MEANT, _TIED)
    for each in description.nodes[:most]:
        node = each.match.node
        if each.score < description.nodes[0].score - below:
            break
        others = (other for other in description.nodes if other is not each)
        features = measure_described(part, replace(description, nodes=(each, *others)))
        values = tuple(
            StoredValue(label, naming[label], node.name)
            for label in sorted(naming.keys() & node.labels)
        )
        sure = logistic(features, CONFIDENCE.weights)
        if sure >= CONFIDENCE.abstain_below and values:
            meant.append(MeantNode(each, sure, values))
    return tuple(meant)
