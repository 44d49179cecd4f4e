"""What every `Graph` does: the same tests on Neo4j and on the graph in memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from memory_graph import MemoryGraph, TrigramEmbedder
from real_neo4j import GraphFiller
from trellis.domain.errors import PatternError
from trellis.domain.graphs.graph import (
    Neighbourhood,
    Node,
    NodeId,
    ReachedNode,
    RelationPath,
    Revisit,
    Step,
    Triple,
)
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.reachable import ReachablePaths
from trellis.domain.ports import Graph
from trellis.domain.structures.patterns import (
    LabelCandidates,
    NodeCandidates,
    PatternGraph,
    PatternMatches,
    PatternSearch,
    RelationCandidates,
)
from trellis.domain.structures.traces import AnchorScores, RelationScores, TraceSearch
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.neighbourhoods.trie_cache import TrieCache
from trellis.graph.neighbourhoods.trie_files import TrieFiles
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.linking.text import name_key

NODES = (
    ("Ada Lovelace", "Person"),
    ("Charles_Babbage", "Person"),
    ("London", "City"),
    ("Paris", "City"),
    ("Paris", "Person"),
    ("O'Brien AND (x) [y]~", "Person"),
    ("Zoë", "Person"),
)
TRIPLES = (
    (0, "KNOWS", 1),
    (0, "KNOWS", 1),  # a parallel relationship
    (1, "KNOWS", 0),
    (1, "KNOWS", 5),
    (5, "KNOWS", 5),  # to itself
    (6, "KNOWS", 1),
    (0, "BORN_IN", 2),
    (1, "BORN_IN", 2),
    (4, "BORN_IN", 3),
    (6, "odd `type` \\u0060]->() :x", 3),
)
ALIASES = {0: "AAL; Countess of Lovelace", 1: "Father of the Computer", 6: "August 4, 2017"}
EMBEDDER = TrigramEmbedder()


WORLD = """
UNWIND $nodes AS row CREATE (n:$(row.label) {name: row.name}) SET n.known_as = row.known_as
WITH collect(n) AS nodes
UNWIND $triples AS triple
WITH nodes[triple[0]] AS head, triple[1] AS relation, nodes[triple[2]] AS tail
CREATE (head)-[:$(relation)]->(tail)
"""


@pytest.fixture(scope="module", params=["memory", "neo4j", "cached", "plain"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def filler(request: pytest.FixtureRequest, kind: str) -> GraphFiller | None:
    """None: the graph in memory."""
    return None if kind == "memory" else request.getfixturevalue("fill")


@pytest.fixture(scope="module")
async def graph(
    kind: str, filler: GraphFiller | None, tmp_path_factory: pytest.TempPathFactory
) -> Graph:
    if filler is None:
        nodes = [Node(f"n{i}", name, (label,)) for i, (name, label) in enumerate(NODES)]
        aliases = {f"n{i}": text.split("; ") for i, text in ALIASES.items()}
        return MemoryGraph(nodes, TRIPLES, EMBEDDER, aliases)
    rows = [
        {"name": name, "label": label, "known_as": ALIASES.get(i)}
        for i, (name, label) in enumerate(NODES)
    ]
    connection = await filler(WORLD, EMBEDDER, nodes=rows, triples=TRIPLES)
    if kind == "cached":
        files = TrieFiles(tmp_path_factory.mktemp("world"))
        return CachedGraph(connection, TrieCache(2**20), files)
    return Neo4jGraph(connection, use_plugin=kind == "neo4j")


async def node(graph: Graph, name: str, label: str = "") -> Node:
    found = (await graph.find_by_key([name_key(name)]))[name_key(name)]
    return next(one for one in found if not label or label in one.labels)


async def find_ids(graph: Graph, *names: str) -> list[NodeId]:
    return [(await node(graph, name)).id for name in names]


async def test_exact_finds_by_key_all_nodes_of_a_name(graph: Graph) -> None:
    called = {
        "charles babbage": ["Charles_Babbage"],
        "paris": ["Paris", "Paris"],
        "o'brien and (x) [y]~": ["O'Brien AND (x) [y]~"],
    }
    found = await graph.find_by_key([*called, "nobody"])
    assert {key: [node.name for node in nodes] for key, nodes in found.items()} == called
    assert {n.labels for n in found["paris"]} == {("City",), ("Person",)}


@pytest.mark.parametrize(
    ("key", "called"),
    [
        ("charlesbabbage", [("Charles_Babbage", "Charles_Babbage")]),
        ("obrienandxy", [("O'Brien AND (x) [y]~", "O'Brien AND (x) [y]~")]),
        ("zoe", [("Zoë", "Zoë")]),
        ("paris", [("Paris", "Paris"), ("Paris", "Paris")]),
        ("aal", [("Ada Lovelace", "AAL")]),
        ("countessoflovelace", [("Ada Lovelace", "Countess of Lovelace")]),
        ("day20170804", [("Zoë", "August 4, 2017")]),
        ("lovelace", []),
    ],
)
async def test_also_finds_other_spellings_and_what_else_calls_a_node(
    graph: Graph, key: str, called: list[tuple[str, str]]
) -> None:
    found = await graph.find_by_spelling(["nobody", key, "or"])
    assert [(c.node.name, c.text) for c in found.get(key, ())] == called
    assert set(found) <= {key}


async def test_also_takes_more_keys_than_one_search(graph: Graph) -> None:
    found = await graph.find_by_spelling([*(f"nobody{i}" for i in range(2_000)), "aal"])
    assert set(found) == {"aal"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ada Lovelase", "Ada Lovelace"),
        ("charles babage", "Charles_Babbage"),
        ("Londn", "London"),
        ("O'Brien AND (x) [y]~", "O'Brien AND (x) [y]~"),
        ("Zoe", "Zoë"),
        ("Lovelace", "Ada Lovelace"),
        ("Chorles Babbega", "Charles_Babbage"),
        ("Countes of Lovelace", "Ada Lovelace"),
    ],
)
async def test_by_text_forgives_typos_and_reads_no_syntax(
    graph: Graph, text: str, name: str
) -> None:
    (links,) = await graph.search_by_text([text], 3)
    assert links[0].node.name == name
    assert 0 < links[-1].score <= links[0].score <= 1
    assert links[0].how == "text"


@pytest.mark.parametrize(
    ("start", "names"),
    [
        ("ada", ["Ada Lovelace"]),
        ("CHARLES b", ["Charles_Babbage"]),
        ("lovelace", []),
        ("_", []),
        ("%", []),
    ],
)
async def test_by_start_reads_the_beginning_alone(
    graph: Graph, start: str, names: list[str]
) -> None:
    assert [node.name for node in await graph.find_by_start(start, 5)] == names


async def test_by_start_gives_the_shortest_first_and_no_more_than_wanted(graph: Graph) -> None:
    every = [node.name for node in await graph.find_by_start("l", 50)]
    assert every == sorted(every, key=lambda name: (len(name), name.casefold()))
    assert [node.name for node in await graph.find_by_start("l", 1)] == every[:1]


async def test_by_text_answers_each_text_in_its_place(graph: Graph) -> None:
    found = await graph.search_by_text(["", "London", "qqqqqqqqq", '"*:^', "Paris"], 1)
    names = [[link.node.name for link in links] for links in found]
    assert names == [[], ["London"], [], [], ["Paris"]]


async def test_by_text_takes_codes_for_no_names(graph: Graph) -> None:
    code, name = await graph.search_by_text(["aal", "countess of lovelac"], 3)
    assert all(link.score < 0.6 for link in code)
    assert name[0].score > 0.9


async def test_by_text_ranks_by_each_text_what_it_found_for_all(graph: Graph) -> None:
    whole, part, other = await graph.search_by_text(
        ["Ada Lovelace Paris", "Paris", "Ada Lovelace"], 3
    )
    assert whole[0].node.name == "Ada Lovelace"
    assert (part[0].node.name, part[0].score) == ("Paris", 1.0)
    assert (other[0].node.name, other[0].score) == ("Ada Lovelace", 1.0)


async def test_by_vector_gives_the_nearest_first(graph: Graph) -> None:
    vectors = EMBEDDER.embed(["London", "Charles Babbage"])
    found = await graph.search_by_vector(vectors, 2)
    assert [links[0].node.name for links in found] == ["London", "Charles_Babbage"]
    assert found[0][0].score == pytest.approx(1.0, abs=1e-3)
    assert [len(links) for links in found] == [2, 2]
    assert await graph.search_by_vector(vectors[:0], 2) == []


def entries(around: Neighbourhood) -> set[tuple[str, str, int, str]]:
    """Every entry as (name, type, direction, other name)."""
    names, types = around.names, around.relation_types
    return {
        (names[i], types[around.types[e]], int(around.directions[e]), names[around.targets[e]])
        for i in range(len(around.nodes))
        for e in range(around.offsets[i], around.offsets[i + 1])
    }


async def test_neighbourhood_holds_every_relationship_of_the_nodes_within(graph: Graph) -> None:
    ada = await node(graph, "Ada Lovelace")
    around = await graph.neighbourhood([ada.id], 1, edge_budget=1000, names=True)
    assert entries(around) == {
        ("Ada Lovelace", "BORN_IN", 0, "London"),
        ("Ada Lovelace", "KNOWS", 0, "Charles_Babbage"),
        ("Ada Lovelace", "KNOWS", 1, "Charles_Babbage"),
    }
    assert around.edges == 4  # the parallel relationship is an entry of its own
    assert sorted(zip(around.names, around.levels.tolist(), strict=True)) == [
        ("Ada Lovelace", 0),
        ("Charles_Babbage", 1),
        ("London", 1),
    ]
    assert (around.anchors.tolist(), around.hops, around.cut) == ([0], 1, False)


async def test_neighbourhood_of_several_anchors_and_hops(graph: Graph) -> None:
    names = ("Ada Lovelace", "Zoë")
    anchors = await find_ids(graph, *names)
    around = await graph.neighbourhood([*anchors, anchors[0]], 2, edge_budget=1000, names=True)
    assert set(around.names[:2]) == set(names)
    assert sorted(around.anchors.tolist()) == [0, 1]
    levels = dict(zip(around.names, around.levels.tolist(), strict=True))
    assert levels["O'Brien AND (x) [y]~"] == 2
    assert ("Charles_Babbage", "KNOWS", 1, "Zoë") in entries(around)
    assert "odd `type` \\u0060]->() :x" in around.relation_types
    assert all(array.dtype == "int32" for array in (around.levels, around.targets, around.types))


async def test_neighbourhood_of_nothing_is_empty(graph: Graph) -> None:
    around = await graph.neighbourhood(["4:nowhere:99"], 2, edge_budget=10, names=False)
    assert (around.nodes, around.names, around.edges) == ((), (), 0)
    assert around.offsets.tolist() == [0]


def walked(found: ReachablePaths) -> list[tuple[str, tuple[str, ...], int, int]]:
    return sorted((" ".join(map(str, p.steps)), p.labels, p.walks, p.ends) for p in found.paths)


async def test_reachable_gives_the_relation_paths_with_labels_walks_and_ends(graph: Graph) -> None:
    zoe = await node(graph, "Zoë")
    found = await graph.reachable([zoe.id], 2, edge_budget=1000, path_budget=100)
    odd = "odd `type` \\u0060]->() :x"
    assert walked(found) == sorted(
        [
            ("KNOWS", ("Person",), 1, 1),
            (odd, ("City",), 1, 1),
            ("KNOWS KNOWS", ("Person",), 2, 2),
            ("KNOWS ^KNOWS", ("Person",), 3, 2),
            ("KNOWS BORN_IN", ("City",), 1, 1),
            (f"{odd} ^{odd}", ("Person",), 1, 1),
            (f"{odd} ^BORN_IN", ("Person",), 1, 1),
        ]
    )
    assert [len(path.steps) for path in found.paths] == [1, 1, 2, 2, 2, 2, 2]
    assert not found.cut


async def test_reachable_from_several_anchors_counts_them_together(graph: Graph) -> None:
    anchors = await find_ids(graph, "Ada Lovelace", "Charles_Babbage")
    found = await graph.reachable([*anchors, anchors[0]], 1, edge_budget=1000, path_budget=100)
    assert walked(found) == [
        ("BORN_IN", ("City",), 2, 1),
        ("KNOWS", ("Person",), 4, 3),
        ("^KNOWS", ("Person",), 4, 3),
    ]
    assert (await graph.reachable([], 2, edge_budget=10, path_budget=10)).paths == ()


async def test_reachable_says_which_paths_were_not_followed(graph: Graph) -> None:
    zoe = await node(graph, "Zoë")
    found = await graph.reachable([zoe.id], 2, edge_budget=1000, path_budget=4)
    assert found.cut
    assert [(len(p.steps), p.is_followed) for p in found.paths if not p.is_followed] == [(1, False)]


async def test_holders_are_the_nodes_that_have_a_value(graph: Graph) -> None:
    paris = await node(graph, "Paris", "City")
    names = ("Paris", "Zoë", "O'Brien AND (x) [y]~", "London", "Paris")
    values = [StoredValue("City", "name", name) for name in names]
    found = await graph.find_holders(values, 1)
    assert [len(those) for those in found if those is not None] == [1, 0, 0, 1, 1]
    assert list(found[0] or ()) == [paris.id]
    assert await graph.find_holders([], 1) == []
    assert await graph.find_holders(values[:1], 0) == [None]


def shown(reached: list[ReachedNode]) -> list[tuple[str, int]]:
    return [(r.node.name, r.walks) for r in reached]


KNOWS, KNOWN_BY, BORN = Step("KNOWS"), Step("KNOWS", True), Step("BORN_IN")


@pytest.mark.parametrize(
    ("steps", "revisit", "expected"),
    [
        ((), "simple", [("Ada Lovelace", 1)]),
        ((KNOWS,), "simple", [("Charles_Babbage", 2)]),
        ((KNOWS, KNOWS), "any", [("Ada Lovelace", 2), ("O'Brien AND (x) [y]~", 2)]),
        ((KNOWS, KNOWS), "not_topic", [("O'Brien AND (x) [y]~", 2)]),
        ((KNOWS, KNOWS), "simple", [("O'Brien AND (x) [y]~", 2)]),
        ((KNOWS, KNOWS, KNOWS), "simple", []),
        ((KNOWS, KNOWS, KNOWS), "not_topic", [("O'Brien AND (x) [y]~", 2)]),
        ((KNOWS, KNOWN_BY), "any", [("Ada Lovelace", 4), ("Zoë", 2)]),
        ((KNOWS, KNOWN_BY), "not_topic", [("Zoë", 2)]),
        ((BORN, Step("BORN_IN", True)), "any", [("Ada Lovelace", 1), ("Charles_Babbage", 1)]),
        ((KNOWS, Step("no such type")), "any", []),
    ],
)
async def test_reach_follows_relations_as_revisit_allows(
    graph: Graph, steps: tuple[Step, ...], revisit: Revisit, expected: list[tuple[str, int]]
) -> None:
    ada = await node(graph, "Ada Lovelace")
    reached = list(await graph.reach_nodes(RelationPath((ada.id,), steps), revisit, 10))
    assert shown(reached) == expected
    for one in reached:
        assert one.walk.anchor == ada
        assert one.walk.tail == one.node
        assert all(await graph.check_triples(one.walk.triples()))


async def test_reach_from_several_anchors_counts_them_together(graph: Graph) -> None:
    anchors = await find_ids(graph, "Ada Lovelace", "Charles_Babbage")
    reached = list(await graph.reach_nodes(RelationPath((*anchors,), (BORN,)), "simple", 10))
    assert shown(reached) == [("London", 2)]


async def test_reach_is_held_to_the_nodes_said_but_free_at_its_end(graph: Graph) -> None:
    zoe, ada, charles = await find_ids(graph, "Zoë", "Ada Lovelace", "Charles_Babbage")
    path = RelationPath((zoe,), (KNOWS, KNOWS, BORN), ((charles,), (ada,), ("x",)))
    assert shown(list(await graph.reach_nodes(path, "simple", 10))) == [("London", 1)]
    other = RelationPath((zoe,), (KNOWS, KNOWS, BORN), ((charles,), (charles,), ("x",)))
    assert list(await graph.reach_nodes(other, "any", 10)) == []
    last = RelationPath((charles,), (KNOWS,), ((ada,),))
    assert len(await graph.reach_nodes(last, "any", 10)) == 2


async def test_reach_keeps_the_limit_and_escapes_odd_types(graph: Graph) -> None:
    paris = await node(graph, "Paris", "City")
    path = RelationPath((paris.id,), (Step("odd `type` \\u0060]->() :x", True),))
    assert shown(list(await graph.reach_nodes(path, "simple", 1))) == [("Zoë", 1)]
    charles = await node(graph, "Charles_Babbage")
    assert len(await graph.reach_nodes(RelationPath((charles.id,), (KNOWS,)), "any", 1)) == 1


async def test_contain_minds_type_and_direction(graph: Graph) -> None:
    ada, london = await node(graph, "Ada Lovelace"), await node(graph, "London")
    asked = [
        Triple(ada, "BORN_IN", london),
        Triple(london, "BORN_IN", ada),
        Triple(ada, "KNOWS", london),
        Triple(ada, "BORN_IN", Node("4:nowhere:99", "x")),
    ]
    assert list(await graph.check_triples(asked)) == [True, False, False, False]
    assert list(await graph.check_triples(asked * 200)) == [True, False, False, False] * 200
    assert list(await graph.check_triples([])) == []


async def test_schema_is_the_graphs_own_and_nothing_of_ours(graph: Graph) -> None:
    schema = await graph.schema()
    assert [(kind.label, kind.count, kind.naming) for kind in schema.labels] == [
        ("City", 2, "name"),
        ("Person", 5, "name"),
    ]
    named = [kind.property("name") for kind in schema.labels]
    assert [found and found.type for found in named] == ["STRING", "STRING"]
    assert {p.name for kind in schema.labels for p in kind.properties} <= {"name", "known_as"}
    assert [(r.type, r.start_label, r.end_label, r.count) for r in schema.relationships] == [
        ("BORN_IN", "Person", "City", 3),
        ("KNOWS", "Person", "Person", 6),
        ("odd `type` \\u0060]->() :x", "Person", "City", 1),
    ]
    assert (schema.nodes, schema.edges) == (7, 10)
    assert schema.fingerprint == (await graph.schema()).fingerprint


async def test_patterns_match_one_row_a_mapping_nearest_first(graph: Graph) -> None:
    ada, charles = await node(graph, "Ada Lovelace"), await node(graph, "Charles_Babbage")
    listed = NodeCandidates((charles.id, ada.id), (0.25, 0.0))
    search = PatternSearch(
        PatternGraph(3, ((0, 1), (2, 0), (0, 2))),
        (listed, LabelCandidates(("City", "Country"), (0.5, 0.0)), None),
        (
            None,
            RelationCandidates(("KNOWS", "NOTHING"), (0.125, 0.0)),
            RelationCandidates(("KNOWS",), (0.0,)),
        ),
    )
    found = await graph.search_patterns(search, 10, 20)
    assert found.is_complete
    assert [(m.distance, [n.name for n in m.nodes]) for m in found.matches] == [
        (0.625, ["Ada Lovelace", "London", "Charles_Babbage"]),
        (0.875, ["Charles_Babbage", "London", "Ada Lovelace"]),
    ]
    for match in found.matches:
        assert len(set(match.relationships)) == 3
        assert all(await graph.check_triples(match.triples))
        assert [t.relation for t in match.triples] == ["BORN_IN", "KNOWS", "KNOWS"]
    assert await graph.search_patterns(search, 1, 20) == PatternMatches(found.matches[:1])


async def test_patterns_take_loops_only_for_loops(graph: Graph) -> None:
    search = PatternSearch(PatternGraph(1, ((0, 0),)), (None,), (None,), directed=True)
    found = await graph.search_patterns(search, 10, 20)
    assert [[n.name for n in m.nodes] for m in found.matches] == [["O'Brien AND (x) [y]~"]]
    assert [str(t.relation) for m in found.matches for t in m.triples] == ["KNOWS"]


async def test_patterns_keep_directions_if_they_are_told_to(graph: Graph) -> None:
    zoe = await node(graph, "Zoë")
    listed = NodeCandidates((zoe.id,), (0.0,))
    known_by = PatternSearch(PatternGraph(2, ((0, 1),)), (None, listed), (None,), directed=True)
    assert await graph.search_patterns(known_by, 10, 20) == PatternMatches(())
    either = await graph.search_patterns(replace(known_by, directed=False), 10, 20)
    assert sorted(m.nodes[0].name for m in either.matches) == ["Charles_Babbage", "Paris"]


async def test_patterns_without_candidates_match_nothing(graph: Graph) -> None:
    none = PatternSearch(PatternGraph(1, ()), (NodeCandidates((), ()),), ())
    assert await graph.search_patterns(none, 3, 20) == PatternMatches(())
    absent = PatternSearch(PatternGraph(1, ()), (NodeCandidates(("4:nowhere:9",), (0.0,)),), ())
    with pytest.raises(PatternError):
        await graph.search_patterns(absent, 3, 20)


async def test_relations_and_labels_are_found_by_their_words(graph: Graph) -> None:
    vectors = EMBEDDER.embed(["born in", "person people"])
    born, person = await graph.search_relations_by_vector(vectors, 2)
    assert (born[0].name, born[0].distance) == ("BORN_IN", pytest.approx(0, abs=1e-3))
    assert [len(born), len(person)] == [2, 2]
    assert born[0].distance <= born[1].distance <= 2
    [[city, _], [first, second]] = await graph.search_labels_by_vector(vectors, 5)
    assert [first.name, second.name] == ["Person", "City"]
    expected = np.linalg.norm(EMBEDDER.embed(["city"])[0] - vectors[1])
    assert second.distance == pytest.approx(expected, abs=1e-3)
    assert city.distance > 0.5
    assert list(await graph.search_relations_by_vector(vectors[:0], 5)) == []


async def test_traces_begin_at_the_best_anchor_and_leave_dead_ends(graph: Graph) -> None:
    ada, charles = await node(graph, "Ada Lovelace"), await node(graph, "Charles_Babbage")
    meeting = TraceSearch(
        PatternGraph(3, ((0, 2), (1, 2))),
        (AnchorScores((ada.id,), (1.0,)), AnchorScores((charles.id,), (0.5,)), None),
        (RelationScores(("BORN_IN",), (1.0,)), None),
    )
    [trace] = (await graph.search_traces(meeting, 20)).traces
    assert [n.name for n in trace.nodes] == ["Ada Lovelace", "Charles_Babbage", "London"]
    assert (trace.scores, trace.score) == ((1.0, 0.0), 2.5)
    guided = replace(meeting, guidance=(charles.id, trace.nodes[2].id))
    [trace] = (await graph.search_traces(guided, 20)).traces
    assert (trace.scores, trace.score) == ((1.0, 0.5), 3.25)
    absent = replace(meeting, guidance=("4:nowhere:9",))
    with pytest.raises(PatternError):
        await graph.search_traces(absent, 20)
