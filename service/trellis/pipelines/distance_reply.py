"""Answers how far places are apart, which are nearest to one, and which lie within a distance.

No model is asked: names, a kind of thing and a word for a distance are all that such a question
says. What else it says holds the answer back, since it would be left out.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.domain.errors import GraphTimeoutError
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.places import PlaceProperty
from trellis.domain.ports import Embedder, Graph
from trellis.domain.replies.events import Event, Watch, ignore_event
from trellis.domain.replies.question import Question, asks_for_number
from trellis.domain.replies.reply import Answer, Judgement, Reply, YesNo
from trellis.domain.structures.cypher import CypherQuery, Rows
from trellis.lexicon.plurals import is_plural
from trellis.linking.questions.distances import METRES, DistanceRequest
from trellis.pipelines.record import Record
from trellis.pipelines.unclear_names import ask_back, explain_unknown_names, note_likeness
from trellis.steps.conclude.judge_distance import asks_of_places, explain_unmeasured
from trellis.steps.describe.describe_distance import (
    describe_distance_between,
    describe_distance_search,
    describe_length,
    describe_missing,
    name_kinds,
)
from trellis.steps.describe.phrases import join_phrases, quote_text
from trellis.steps.ground.connect_nodes import ConnectionSearch
from trellis.steps.ground.measure_distances import (
    NearbyPlace,
    NearbySearch,
    NodePlace,
    find_nearby,
    measure_between,
    read_places,
)
from trellis.steps.link.distance_ends import DistanceEnds, choose_keys, find_distance_ends

_SEVERAL = 5  # nodes that are given where a plural asks for the nearest
_MOST_TIES = 20  # more nodes that are read, as they may be equally far
_MOST_TOLD = 10  # nodes that the sentence names
_MOST_FOUND = 1_000  # nodes that are read of those within a distance
_SURE = 0.9
"""Confidence in distances that were measured: what may be wrong is which nodes are meant."""

_HOLDS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_NO_UNIT = "the coordinates tell no unit, so that distances are numbers in whatever unit they have"


@dataclass(frozen=True, slots=True)
class DistanceReply:
    """Answers questions for distances between the places of nodes."""

    graph: Graph
    search: ConnectionSearch
    embedder: Embedder | None = None
    name: str = "distance"

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply | None:
        """The reply; None where the question asks for anything else."""
        record = Record(question, self.name)
        with record.time_step("link"):
            ends = await find_distance_ends(question, self.graph, self.embedder)
        if ends is None:
            return None
        located = await self._locate_names(ends)
        if not ends.request.unknown_names and not asks_of_places(ends, located):
            return None
        note_likeness(record, ends.named)
        watch(Event("links", record.mentions))
        if unknown := ends.request.unknown_names:
            return await explain_unknown_names(record, self.graph, unknown, ends.named.alike)
        if problem := explain_unmeasured(ends, located):
            return record.build_silent_reply().hold_back(problem)
        for mention, places in zip(ends.named.mentions, located, strict=True):
            if len(places) > 1:
                nodes = [next(iter(each.values())).node for each in places]
                return await ask_back(record, self.graph, mention, nodes)
        try:
            with record.time_step("measure"):
                reply = await self._measure(
                    record, ends, [each for [each] in filter(None, located)]
                )
        except GraphTimeoutError:
            late = "the distances were not measured in the time there was"
            return record.build_silent_reply().hold_back(late)
        watch(Event("evidence", reply.evidence))
        return reply

    async def _locate_names(self, ends: DistanceEnds) -> list[list[dict[PlaceProperty, NodePlace]]]:
        """For each mention the places of the nodes that it may mean and that have any."""
        located = []
        for nodes in ends.named.nodes:
            told_by = [ends.list_places_of(node) for node in nodes]
            places = await read_places(self.search, nodes, told_by)
            located.append([its for its in places if its])
        return located

    async def _measure(
        self,
        record: Record,
        ends: DistanceEnds,
        places: Sequence[Mapping[PlaceProperty, NodePlace]],
    ) -> Reply:
        request, origin = ends.request, places[-1]
        others = {"": tuple(places[0])} if request.names_both else ends.list_asked_places()
        keys = choose_keys(tuple(origin), others)
        if keys is None:
            told_by = {*origin, *(it for its in others.values() for it in its)}
            names = join_phrases(sorted(map(str, told_by)))
            several = f"several properties tell where these are, and not which is meant: {names}"
            return record.build_silent_reply().hold_back(several)
        start = origin[keys[0]]
        if request.comparison and start.is_on_earth != bool(request.unit):
            unit = "say in which unit: m, km or miles" if start.is_on_earth else _NO_UNIT
            return record.build_silent_reply().hold_back(unit)
        record.add_note("" if start.is_on_earth else _NO_UNIT)
        if request.names_both:
            return await self._answer_between(record, request, places[0][keys[1][""]], start)
        return await self._answer_nearby(record, request, start, keys[1])

    async def _answer_between(
        self, record: Record, request: DistanceRequest, first: NodePlace, second: NodePlace
    ) -> Reply:
        distance, query = await measure_between(self.search, first, second)
        names = first.node.name, second.node.name
        if first.node.id == second.node.id or distance is None:
            why = (
                f"the coordinates of {names[0]} and {names[1]} are of two kinds, between which "
                "there is no distance"
                if first.node.id != second.node.id
                else f"two names mean the same node, {names[0]}: name nodes that differ"
            )
            return record.build_silent_reply().hold_back(why)
        told = describe_length(distance, request.unit, is_on_earth=first.is_on_earth)
        answers = [Node("", told)]
        verdict: YesNo | None = None
        if request.comparison:
            amount = request.amount * METRES.get(request.unit, 1.0)
            verdict = "yes" if _HOLDS[request.comparison](distance, amount) else "no"
            answers = [Node("", "yes")] if verdict == "yes" else []
        facts = [Fact.of_statements((), (*first.facts, *second.facts))]
        judgement = Judgement(
            tuple(Answer(node, _SURE, (0,)) for node in answers), _SURE, claims_none=not answers
        )
        return replace(
            _add_query(record.build_reply(judgement, facts), query),
            wording=f"{names[0]} is {told} from {names[1]}.",
            reading=describe_distance_between(request, *names),
            verdict=verdict,
            count=None,
        )

    async def _answer_nearby(
        self,
        record: Record,
        request: DistanceRequest,
        start: NodePlace,
        places: Mapping[str, PlaceProperty],
    ) -> Reply:
        several = not request.nouns or all(map(is_plural, request.nouns))
        count = request.count or (_SEVERAL if several and not request.asks_far else 1)
        sought = NearbySearch(
            *(start, places, count + _MOST_TIES if request.order else _MOST_FOUND),
            comparison=request.comparison or "",
            amount=request.amount * METRES.get(request.unit, 1.0),
            farthest_first=request.order == "farthest",
        )
        nearby = await find_nearby(self.search, sought)
        name, plural = start.node.name, name_kinds(request, count=2)
        left_out = describe_missing(nearby.nodes, nearby.placed, nearby.measured, plural, name)
        reading = describe_distance_search(request, count, name_kinds(request, count), name)
        if nearby.nodes and not nearby.measured:
            return replace(record.build_silent_reply().hold_back(left_out), reading=reading)
        record.add_note(left_out)
        found = [*nearby.found]
        if request.order:
            found = [it for it in found if it.distance in {at.distance for at in found[:count]}]
            if len(found) > count:
                record.add_note(f"{len(found) - count + 1} of these are equally far")
        total = 0 if request.order else nearby.total
        reply = _build_reply(record, request, start, found, total)
        return replace(_add_query(reply, nearby.query), reading=reading)


def _build_reply(
    record: Record,
    request: DistanceRequest,
    start: NodePlace,
    found: Sequence[NearbyPlace],
    total: int,
) -> Reply:
    lengths = [
        describe_length(it.distance, request.unit, is_on_earth=start.is_on_earth) for it in found
    ]
    answers = [Answer(it.place.node, _SURE, (number,)) for number, it in enumerate(found)]
    if request.asks_whether and found:
        answers, total = [Answer(Node("", "yes"), _SURE, tuple(range(len(found))))], 0
    elif request.asks_far and found:
        answers = [Answer(Node("", lengths[0]), _SURE, (0,))]
    facts = [it.tell_fact(start) for it in found]
    judgement = Judgement(tuple(answers), _SURE, claims_none=not answers)
    reply = record.build_reply(judgement, facts, total)
    shown = zip(found[:_MOST_TOLD], lengths[:_MOST_TOLD], strict=True)
    told = [f"{it.place.node.name} ({far})" for it, far in shown]
    verdict: YesNo = "yes" if found else "no"
    return replace(
        reply,
        wording=f"{quote_text(start.node.name)}: {join_phrases(told)}." if found else None,
        rows=_make_table(request, start, found) if found else None,
        verdict=verdict if request.asks_whether else None,
        count=0 if asks_for_number(record.question.text) and not found else reply.count,
    )


def _make_table(request: DistanceRequest, start: NodePlace, found: Sequence[NearbyPlace]) -> Rows:
    """The nodes and their distances, in metres where the coordinates tell as much."""
    column = "distance in metres" if start.is_on_earth else "distance"
    rows = [(it.place.node, it.distance) for it in found]
    return Rows((name_kinds(request, count=1), column), rows)


def _add_query(reply: Reply, query: CypherQuery) -> Reply:
    return replace(reply, cypher=query.text, params=query.params)
