"""What training reads of a graph: queries that explain answers, what names are linked to, and which
relationships run back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from graph.trained import training_means
from real_neo4j import GraphFiller
from trellis.domain.graphs.graph import Step
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.graph.indexes.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.questions.row import GoldPath, QuestionRow
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.training.options import TrainingOptions
from trellis.training.supervision.queries.coverage import QueryExplanation, count_coverage
from trellis.training.supervision.queries.explain_queries import explain_queries
from trellis.training.tasks.name_kinds import find_name_kinds, find_symmetric_types

EXPLAINED = {
    "which officer had the crime of 3/08/2017?": (
        ("Roy",),
        "MATCH (x0:Officer)<-[:INVESTIGATED_BY]-(x1:Crime WHERE x1.date = '3/08/2017') RETURN x0",
    ),
    "which officer had crimes of Ada?": (
        ("Kim",),
        "MATCH (x0:Officer)<-[:INVESTIGATED_BY]-(x1:Crime)<-[:PARTY_TO]-"
        "(x2:Person WHERE x2.name = 'Ada') RETURN x0",
    ),
    "who had part in a Robbery that Kim investigated?": (
        ("Ada", "Bob"),
        "MATCH (x0:Person)-[:PARTY_TO]->(x1:Crime WHERE x1.type = 'Robbery')"
        "-[:INVESTIGATED_BY]->(x2:Officer WHERE x2.name = 'Kim') RETURN x0",
    ),
    "of what type were the crimes that Kim investigated?": (
        ("Robbery", "Arson"),
        "MATCH (x0:Crime)-[:INVESTIGATED_BY]->(x1:Officer WHERE x1.name = 'Kim') RETURN x0.type",
    ),
    "how many crimes were investigated by Kim?": (
        ("2",),
        "MATCH (x0:Crime)-[:INVESTIGATED_BY]->(x1:Officer WHERE x1.name = 'Kim') "
        "RETURN count(DISTINCT x0)",
    ),
    "who of least age is party to a Robbery?": (
        ("Ada",),
        "MATCH (x0:Person)-[:PARTY_TO]->(x1:Crime WHERE x1.type = 'Robbery') "
        "RETURN x0 ORDER BY x0.age ASC LIMIT 1",
    ),
}


def asked_for(text: str, *answers: str, **more: object) -> QuestionRow:
    return replace(QuestionRow(text, text, answers=answers), **more)


async def explained(
    connection: GraphConnection,
    asked: list[QuestionRow],
    out: Path,
    report: Progress = ignore_progress,
) -> list[QueryExplanation]:
    means = training_means(connection, out, report)
    found, _ = await explain_queries(asked, means, TrainingOptions(out, hops=2))
    return found


def plain(cypher: str) -> str:
    return " ".join(cypher.replace("`", "").replace('"', "'").split())


async def test_answers_of_all_kinds_are_explained(police: GraphConnection, tmp_path: Path) -> None:
    asked = [asked_for(text, *answers) for text, (answers, _) in EXPLAINED.items()]
    found = await explained(police, asked, tmp_path)
    assert [plain(each.asked.cypher) for each in found] == [say for _, say in EXPLAINED.values()]
    assert all(each.run and (each.run.hits, each.run.precision) == (1.0, 1.0) for each in found)


async def test_what_is_not_explained_has_its_reason(
    police: GraphConnection, tmp_path: Path
) -> None:
    asked = [
        asked_for("who are they?", "Ada"),
        asked_for("who knows Kim?", "Zorro"),
        asked_for("what is Roy?", "Dan"),
        asked_for("who is Roy?"),
    ]
    told = count_coverage(await explained(police, asked, tmp_path))
    assert (told["without_query"], told["explained"], told["covered"]) == (4, 0, 0.0)
    assert {key: count for key, count in told.items() if key.startswith("unexplained")} == {
        "unexplained, no value linked": 1,
        "unexplained, answers not in the graph": 1,
        "unexplained, nothing reaches the answers": 1,
        "unexplained, no answers given": 1,
    }


async def test_a_path_that_is_given_is_said_as_it_is(
    police: GraphConnection, tmp_path: Path
) -> None:
    path = GoldPath("Kim", (Step("INVESTIGATED_BY", True), Step("PARTY_TO", True)))
    [found] = await explained(
        police, [asked_for("whose crimes did Kim have?", paths=(path,))], tmp_path
    )
    assert plain(found.asked.cypher) == (
        "MATCH (x0:Person)-[:PARTY_TO]->(x1:Crime)-[:INVESTIGATED_BY]->"
        "(x2:Officer WHERE x2.name = 'Kim') RETURN x0"
    )


FILMS = """
UNWIND range(0, 9) AS i
CREATE (one:Person {name: 'Ann ' + i}), (one)-[:DIRECTED]->(:Film {title: 'The First ' + i}),
       (one)-[:DIRECTED]->(:Film {title: 'The Second ' + i}),
       (:Film {title: 'Beginning ' + i})-[:SEQUEL]->(:Film {title: 'Middle ' + i})
       -[:SEQUEL]->(:Film {title: 'End ' + i})
"""
DIRECTED = "which films did the director of The First {} direct?"
WALKS = {
    "others are meant": (
        DIRECTED,
        ("The Second {}",),
        "MATCH (x0:Film)<-[:DIRECTED]-(x1:Person)-[:DIRECTED]->"
        "(x2:Film WHERE x2.title = 'The First 3') RETURN x0",
    ),
    "all are meant": (
        DIRECTED,
        ("The First {}", "The Second {}"),
        "MATCH (x0:Film)<-[:DIRECTED]-(x1:Person) MATCH (x1)-[:DIRECTED]->"
        "(x2:Film WHERE x2.title = 'The First 3') RETURN x0",
    ),
    "nothing tells": (
        "what is the sequel of the sequel of Beginning {}?",
        ("End {}",),
        "MATCH (x0:Film)<-[:SEQUEL]-(x1:Film) MATCH (x1)<-[:SEQUEL]-"
        "(x2:Film WHERE x2.title = 'Beginning 3') RETURN x0",
    ),
}


@pytest.mark.parametrize("told", WALKS)
async def test_answers_tell_whether_a_relationship_is_taken_again(
    told: str, clean_graph: GraphConnection, tmp_path: Path
) -> None:
    """Of the films by a film's director, that film itself may be one."""
    await clean_graph.run_write(FILMS)
    await index_graph(clean_graph)
    text, answers, query = WALKS[told]
    asked = [asked_for(text.format(i), *(each.format(i) for each in answers)) for i in range(6)]
    found = await explained(clean_graph, asked, tmp_path)
    assert plain(found[3].asked.cypher) == query


class BrokenOffError(Exception):
    """What ends a run in its middle."""


async def test_a_run_that_breaks_off_goes_on(police: GraphConnection, tmp_path: Path) -> None:
    asked = [asked_for(f"which officer had crime {i} of Ada?", "Kim") for i in range(36)]

    def breaking(_stage: str, _done: int, _total: int | None) -> None:
        raise BrokenOffError

    with pytest.raises(BrokenOffError):
        await explained(police, asked, tmp_path / "broken", breaking)
    [file] = TrainingOptions(tmp_path / "broken").run_folder.iterdir()
    file.write_bytes(file.read_bytes()[:-5])  # its last line is torn
    left: list[int | None] = []

    def watching(_stage: str, _done: int, total: int | None) -> None:
        left.append(total)

    again = await explained(police, asked, tmp_path / "broken", watching)
    whole = await explained(police, asked, tmp_path / "whole")
    assert [each.asked.cypher for each in again] == [each.asked.cypher for each in whole]
    assert left[0] == 5  # of 36, 32 were found out before it broke off, and one line is torn


ATLAS = """
CREATE (chad:Country {name: 'Chad'}), (congo:Country {name: 'Congo'}),
       (mali:Country {name: 'Mali'}), (river:River {name: 'Congo'}), (niger:River {name: 'Niger'}),
       (chad)-[:BORDERS]->(congo), (congo)-[:BORDERS]->(chad),
       (chad)-[:`LIES``BY`]->(mali), (mali)-[:`LIES``BY`]->(chad),
       (chad)-[:HELPS]->(mali), (mali)-[:HELPS]->(chad), (mali)-[:HELPS]->(congo),
       (chad)-[:LEFT]->(congo),
       (niger)-[:CROSSES]->(mali), (mali)-[:CROSSES]->(niger)
"""


@pytest.fixture
async def atlas(fill: GraphFiller) -> GraphConnection:
    return await fill(ATLAS)


async def test_a_type_is_symmetric_where_each_relationship_has_one_that_runs_back(
    atlas: GraphConnection, tmp_path: Path
) -> None:
    means = training_means(atlas, tmp_path / "model")
    schema = await Neo4jGraph(atlas).schema()
    assert await find_symmetric_types(means, schema) == {"BORDERS", "LIES`BY"}


async def test_a_name_that_two_labels_share_is_linked_to_both(
    atlas: GraphConnection, tmp_path: Path
) -> None:
    means = training_means(atlas, tmp_path / "model")
    schema, settings = await Neo4jGraph(atlas).schema(), CypherSettings(is_wide=True)
    kinds = await find_name_kinds(means, schema, settings)
    country, river = ("Country", "name"), ("River", "name")
    assert sorted(map(sorted, kinds[river])) == [[country, river], [river]]
    assert sorted(map(sorted, kinds[country])) == [[country], [country], [country, river]]
