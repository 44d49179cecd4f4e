"""Answers how things are connected by the shortest paths between them, and what they have in common
by the nodes that all of them are related to.

No model is asked: names and a word for a connection are all that such a question says. A method of
one task or another could say no path that is not in what it has learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node, Walk
from trellis.domain.ports import Embedder, Graph
from trellis.domain.replies.events import Event, Watch, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Answer, Judgement, Reply, YesNo
from trellis.pipelines.record import Record
from trellis.pipelines.unclear_names import ask_back, explain_unknown_names, note_likeness
from trellis.steps.describe.describe_connection import (
    describe_connection,
    describe_hubs,
    describe_no_connection,
    describe_search,
    describe_walk_in_sentences,
)
from trellis.steps.describe.describe_shared import (
    describe_shared,
    describe_shared_hubs,
    describe_shared_search,
)
from trellis.steps.ground.connect_nodes import Connections, ConnectionSearch
from trellis.steps.ground.shared_nodes import SharedNodes, find_shared_nodes
from trellis.steps.link.connected_ends import ConnectedEnds, find_connected_ends

_MOST_NAMES = 4  # of which each two are connected
_LEAST_PATHS = 2  # of each two of several names: one without hubs beside a shorter one with them
_SURE = 0.9
"""Confidence in paths that were read: what may be wrong is which nodes are meant."""


@dataclass(frozen=True, slots=True)
class ConnectionReply:
    """Answers questions for the connection of nodes, or for what they have in common."""

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
        note_likeness(record, ends.named)
        watch(Event("links", record.mentions))
        if unknown := ends.request.unknown_names:
            return await explain_unknown_names(record, self.graph, unknown, ends.named.alike)
        for mention, meant in zip(ends.named.mentions, ends.named.nodes, strict=True):
            if len(meant) > 1:
                return await ask_back(record, self.graph, mention, meant)
        nodes = [node for [node] in ends.named.nodes]
        for first, second in combinations(nodes, 2):
            if first.id == second.id:
                same = f"two names mean the same node, {first.name}: name nodes that differ"
                return record.build_silent_reply().hold_back(same)
        if ends.request.asks_shared:
            reply = await self._answer_shared(record, ends, nodes)
        else:
            reply = await self._answer_connected(record, ends, nodes)
        watch(Event("evidence", reply.evidence))
        return reply

    async def _answer_shared(
        self, record: Record, ends: ConnectedEnds, nodes: Sequence[Node]
    ) -> Reply:
        names = [node.name for node in nodes]
        with record.time_step("connect"):
            shared = await find_shared_nodes(self.search, nodes)
        if shared.is_late:
            late = "what they have in common was not found in the time there was"
            return record.build_silent_reply().hold_back(late)
        hubs = [(it.node, it.relationships) for it in shared.nodes]
        record.add_note(describe_shared_hubs([it for it in hubs if it[1] > self.search.hub]))
        answers, facts = _list_shared(shared, ends.request.asks_whether)
        judgement = Judgement(answers, _SURE, claims_none=not answers)
        total = 0 if ends.request.asks_whether else shared.total
        verdict: YesNo = "yes" if answers else "no"
        return replace(
            record.build_reply(judgement, facts, total),
            wording=describe_shared(names, [it.node.name for it in shared.nodes], shared.total),
            reading=describe_shared_search(names),
            verdict=verdict if ends.request.asks_whether else None,
            cypher=shared.query.text,
            params=shared.query.params,
        )

    async def _answer_connected(
        self, record: Record, ends: ConnectedEnds, nodes: Sequence[Node]
    ) -> Reply:
        """Each two of the nodes are connected, of more than two by fewer paths."""
        if len(nodes) > _MOST_NAMES:
            many = f"{len(nodes)} names are given: name at most {_MOST_NAMES} to be connected"
            return record.build_silent_reply().hold_back(many)
        pairs = [*combinations(nodes, 2)]
        most = max(_LEAST_PATHS, self.search.most_paths // len(pairs))
        search = replace(self.search, most_paths=min(self.search.most_paths, most))
        with record.time_step("connect"):
            found = [await search.find_paths(*pair) for pair in pairs]
        if any(each.is_late for each in found):
            record.add_note("a search for paths was given up, as it took too long")
        reading = describe_search([node.name for node in nodes], search.most_steps)
        if any(each.is_late and not each.paths for each in found):
            reply = record.build_silent_reply().hold_back("no path was found in the time there was")
            return replace(reply, reading=reading)
        return replace(self._build_reply(record, ends, pairs, found), reading=reading)

    def _build_reply(
        self,
        record: Record,
        ends: ConnectedEnds,
        pairs: Sequence[tuple[Node, Node]],
        found: Sequence[Connections],
    ) -> Reply:
        """The reply of the paths found of each pair; no query of several is shown as the one."""
        walks = [path.walk for each in found for path in each.paths]
        verdict: YesNo = "yes" if all(each.paths for each in found) else "no"
        asks_whether = ends.request.asks_whether
        answers = _list_answers(walks, asks_whether) if verdict == "yes" or not asks_whether else ()
        wordings = []
        for (first, second), each in zip(pairs, found, strict=True):
            if each.paths:
                wordings.append(describe_connection([path.walk for path in each.paths]))
                about = f"{first.name} and {second.name}: " if len(pairs) > 1 else ""
                record.add_note(_tell_hubs(each, about))
            else:
                steps = self.search.most_steps
                wordings.append(describe_no_connection(first.name, second.name, steps))
        judgement = Judgement(answers, _SURE, claims_none=not answers)
        query = found[0].query if len(found) == 1 else None
        return replace(
            record.build_reply(judgement, [Fact.of_walk(walk) for walk in walks]),
            wording=" ".join(wordings),
            verdict=verdict if asks_whether else None,
            cypher=query.text if query else None,
            params=query.params if query else {},
        )


def _list_answers(walks: Sequence[Walk], asks_whether: bool) -> tuple[Answer, ...]:
    """One answer for each path, or one for all where a yes is asked for."""
    if asks_whether:
        return _list_yes(len(walks))
    return tuple(
        Answer(Node("", describe_walk_in_sentences(walk)), _SURE, (number,))
        for number, walk in enumerate(walks)
    )


def _list_shared(shared: SharedNodes, asks_whether: bool) -> tuple[tuple[Answer, ...], list[Fact]]:
    """One answer for each shared node, or one for all where a yes is asked for, and their facts:
    how each end is related to it."""
    facts: list[Fact] = []
    answers = []
    for each in shared.nodes:
        start = len(facts)
        facts += map(Fact.of_walk, each.walks)
        answers.append(Answer(each.node, _SURE, tuple(range(start, len(facts)))))
    return _list_yes(len(facts)) if asks_whether else tuple(answers), facts


def _list_yes(facts: int) -> tuple[Answer, ...]:
    """A yes that stands on all facts; none where there are no facts."""
    return (Answer(Node("", "yes"), _SURE, tuple(range(facts))),) if facts else ()


def _tell_hubs(found: Connections, about: str) -> str:
    """What is to be told of hubs; empty where no path has any. `about`: the words before it."""
    hubs = [*dict.fromkeys(hub for each in found.paths for hub in each.hubs)]
    are_in_all = bool(found.paths[0].hubs)
    return about + describe_hubs(hubs, are_in_all=are_in_all) if hubs else ""
