"""Answers how two things are connected by the shortest paths between them.

No model is asked: two names and a word for a connection are all that such a question says. A method
of one task or another could say no path that is not in what it has learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trellis.domain.events import Event, Watch, ignore_event
from trellis.domain.facts import Fact
from trellis.domain.graph import Node
from trellis.domain.links import Mention
from trellis.domain.ports import Embedder, Graph
from trellis.domain.question import Question
from trellis.domain.reply import Answer, Judgement, NodeChoice, Reply, YesNo
from trellis.pipelines.record import Record
from trellis.steps.conclude.tell_apart import tell_apart
from trellis.steps.describe.describe_connection import (
    describe_connection,
    describe_hubs,
    describe_no_connection,
    describe_search,
    describe_walk_in_sentences,
)
from trellis.steps.describe.phrases import join_phrases
from trellis.steps.ground.connect_nodes import Connections, ConnectionSearch
from trellis.steps.link.connected_ends import SIMILAR, ConnectedEnds, find_connected_ends
from trellis.steps.link.nearest import find_nearest_names

_MOST_ALIKE = 3  # names like an unknown one that are told
_SURE = 0.9
"""Confidence in paths that were read: what may be wrong is which nodes are meant."""


@dataclass(frozen=True, slots=True)
class ConnectionReply:
    """Answers questions for the connection of two nodes."""

    graph: Graph
    search: ConnectionSearch
    embedder: Embedder | None = None
    name: str = "connection"

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply | None:
        """The reply; None where the question asks for anything else."""
        record = Record(question, self.name)
        with record.time_step("link"):
            ends = await find_connected_ends(question, self.graph, self.embedder)
        if ends is None:
            return None
        record.mentions = ends.mentions
        watch(Event("links", record.mentions))
        record.notes += [_describe_likeness(it) for it in ends.mentions if it.best.how in SIMILAR]
        if ends.request.unknown_names:
            return await self._explain_unknown_names(record, ends)
        for mention, nodes in zip(ends.mentions, ends.nodes, strict=True):
            if len(nodes) > 1:
                return await self._ask_back(record, mention, nodes)
        [first], [second] = ends.nodes
        if first.id == second.id:
            both = f"both names mean the same node, {first.name}: name two that differ"
            return record.build_silent_reply().hold_back(both)
        with record.time_step("connect"):
            found = await self.search.find_paths(first, second)
        reply = self._build_reply(record, ends, first, second, found)
        watch(Event("evidence", reply.evidence))
        return reply

    def _build_reply(
        self, record: Record, ends: ConnectedEnds, first: Node, second: Node, found: Connections
    ) -> Reply:
        steps = self.search.most_steps
        reading = describe_search(first.name, second.name, steps)
        if found.is_late:
            record.add_note("a search for paths was given up, as it took too long")
        if not found.paths and found.is_late:
            reply = record.build_silent_reply().hold_back("no path was found in the time there was")
            return replace(reply, reading=reading)
        if not found.paths:
            judgement = Judgement((), _SURE, claims_none=True)
            wording = describe_no_connection(first.name, second.name, steps)
        else:
            judgement = Judgement(_list_answers(found, ends.request.asks_whether), _SURE)
            wording = describe_connection([each.walk for each in found.paths])
            record.add_note(_tell_hubs(found))
        facts = [Fact.of_walk(each.walk) for each in found.paths]
        verdict: YesNo = "yes" if found.paths else "no"
        return replace(
            record.build_reply(judgement, facts),
            wording=wording,
            reading=reading,
            verdict=verdict if ends.request.asks_whether else None,
            cypher=found.query.text,
            params=found.query.params,
        )

    async def _explain_unknown_names(self, record: Record, ends: ConnectedEnds) -> Reply:
        names = ends.request.unknown_names
        quoted = join_phrases([f"“{name}”" for name in names], "or")
        alike = ends.alike or await find_nearest_names(" ".join(names), self.graph, (), _MOST_ALIKE)
        like = f"; names like it: {join_phrases([it.node.name for it in alike])}" if alike else ""
        reason = f"nothing in this graph is called {quoted}{like}"
        reply = record.build_silent_reply().hold_back(reason)
        return replace(reply, similar_nodes=tuple(alike))

    async def _ask_back(self, record: Record, mention: Mention, nodes: Sequence[Node]) -> Reply:
        told = await tell_apart(self.graph, nodes)
        choices = tuple(
            NodeChoice(node, told.get(node.id) or ", ".join(node.labels)) for node in nodes
        )
        reason = f"“{mention.text}” may mean any of {len(nodes):,} nodes: choose one"
        return replace(record.build_silent_reply().hold_back(reason), choices=choices)


def _describe_likeness(mention: Mention) -> str:
    return f"“{mention.text}” was taken for {mention.best.node.name}"


def _list_answers(found: Connections, asks_whether: bool) -> tuple[Answer, ...]:
    """One answer for each path, or one for all where a yes is asked for."""
    numbers = tuple(range(len(found.paths)))
    if asks_whether:
        return (Answer(Node("", "yes"), _SURE, numbers),)
    return tuple(
        Answer(Node("", describe_walk_in_sentences(found.paths[number].walk)), _SURE, (number,))
        for number in numbers
    )


def _tell_hubs(found: Connections) -> str:
    """What is to be told of hubs; empty where no path has any."""
    hubs = [*dict.fromkeys(hub for each in found.paths for hub in each.hubs)]
    return describe_hubs(hubs, are_in_all=bool(found.paths[0].hubs)) if hubs else ""
