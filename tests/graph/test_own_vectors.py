"""Vector indexes of the user's own: which are used, and what is said of the others."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from memory_graph import CountingEmbedder, TrigramEmbedder
from question_forms import make_form
from trellis.domain.errors import ModelMissingError
from trellis.domain.graphs.graph_config import GraphConfig, VectorSource
from trellis.domain.graphs.texts import TextKind, TextMatch, TextSearch, VectorIndex
from trellis.domain.ports import NamedEmbedder
from trellis.domain.replies.events import ignore_event
from trellis.domain.replies.question import Question
from trellis.graph.database.connection import GraphConnection
from trellis.graph.indexes.indexing import IndexReport, index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.pipelines.described_reply import DescribedReply
from trellis.pipelines.record import Record
from trellis.settings import Settings
from trellis.steps.link.values.link_wide import link_wide_values
from trellis.wiring.assemble import share_embedder

PLOTS = {
    "Deep": "A diver finds a city of glass under the sea and its last keeper.",
    "Rails": "Two brothers drive a steam locomotive over the mountains in winter.",
    "Loaf": "A baker wins back her village with a loaf of rye nobody can copy.",
    "Orbit": "An engineer alone in a space station repairs a telescope by hand.",
}
CONFIG = GraphConfig(vectors={"plots": VectorSource("trigrams-at-the-hub", "plot")})
INDEX = VectorIndex("plots", TextKind("Film", "plot"), "embedding", "trigrams-at-the-hub")
EMBEDDER = TrigramEmbedder()

_CREATE = """
CREATE VECTOR INDEX plots FOR (f:Film) ON (f.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: $function}}
"""
_PASSAGES = "MATCH (p:_TrellisPassage) RETURN count(p) AS count"


class OtherEmbedder(TrigramEmbedder):
    """Another model: to it, `bread` means what a film is about."""

    name = "trigrams-at-the-hub"
    dimensions = 32

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return super().embed([PLOTS["Loaf"] if text == "bread" else text for text in texts])


def open_embedder(model: str) -> NamedEmbedder:
    if model != OtherEmbedder.name:
        raise ModelMissingError(f"embedder '{model}' cannot be loaded", "name another")
    return OtherEmbedder()


async def make_films(
    connection: GraphConnection, *, dimensions: int = 32, function: str = "cosine"
) -> None:
    """Films whose plots have vectors of the other embedder, in an index that is online."""
    vectors = OtherEmbedder().embed(list(PLOTS.values())) * 3  # of any length
    rows = [
        {"title": title, "plot": plot, "embedding": vector + [0.1] * (dimensions - 32)}
        for (title, plot), vector in zip(PLOTS.items(), vectors.tolist(), strict=True)
    ]
    await connection.run_write("UNWIND $rows AS row CREATE (f:Film) SET f = row", rows=rows)
    await connection.run_command(_CREATE, dimensions=dimensions, function=function)
    await connection.run_command("CALL db.awaitIndexes(60)")


@pytest.fixture
async def films(clean_graph: GraphConnection) -> AsyncIterator[GraphConnection]:
    """A graph whose own vector indexes go with it."""
    yield clean_graph
    for name in ("plots", "lines"):
        await clean_graph.run_command(f"DROP INDEX {name} IF EXISTS")


async def index(connection: GraphConnection, config: GraphConfig = CONFIG) -> IndexReport:
    return await index_graph(connection, EMBEDDER, config=config, open_embedder=open_embedder)


def open_graph(connection: GraphConnection, config: GraphConfig = CONFIG) -> Neo4jGraph:
    return Neo4jGraph(connection, config, embedder=EMBEDDER, open_embedder=open_embedder)


async def search(graph: Neo4jGraph, text: str) -> Sequence[TextMatch]:
    """The films whose texts are like a text, nearest first."""
    found = await graph.search_texts(TextSearch(text, EMBEDDER.embed([text])[0]))
    return sorted(found, key=lambda match: -match.closeness)


async def count_passages(connection: GraphConnection) -> int:
    return int((await connection.read_rows(_PASSAGES))[0]["count"])


@pytest.mark.parametrize("function", ["cosine", "euclidean"])
async def test_a_named_index_finds_what_words_do_not(films: GraphConnection, function: str) -> None:
    await make_films(films, function=function)
    report = await index(films)
    assert (report.vectors.used, report.vectors.left, report.passages) == ((INDEX,), (), 0)
    assert report.texts == (TextKind("Film", "plot"),)
    graph = open_graph(films)
    first, second = (await search(graph, "bread"))[:2]
    assert (first.node.name, first.words) == ("Loaf", 0)
    assert first.closeness == pytest.approx(1, abs=1e-5)  # the same text to that model
    assert second.closeness < 0.9
    [passage] = first.passages
    assert (passage.property, passage.start, passage.text) == ("plot", 0, PLOTS["Loaf"])
    assert await graph.list_notes() == ()


async def test_texts_of_a_named_index_are_not_embedded(films: GraphConnection) -> None:
    await make_films(films)
    await films.run_write(
        "CREATE (:Review {title: 'R-1', words: 'Loud, long and worth every minute of it.'})"
    )
    assert (await index(films, GraphConfig())).passages == 5
    counting = CountingEmbedder()
    report = await index_graph(films, counting, config=CONFIG, open_embedder=open_embedder)
    assert report.passages == await count_passages(films) == 1
    assert not set(PLOTS.values()) & set(counting.texts)
    names = {match.node.name for match in await search(open_graph(films), "loud and long bread")}
    assert {"R-1", "Loaf"} <= names
    assert (await index(films, GraphConfig())).passages == 5  # it is named no more


async def test_questions_are_answered_by_it(films: GraphConnection) -> None:
    await make_films(films)
    await index(films)
    graph, question = open_graph(films), "a film of a diver who finds a city of glass under the sea"
    mentions = await link_wide_values(question, graph, EMBEDDER)
    record = Record(Question(question), "graphraft", mentions)
    form = make_form(question, mentions, await graph.schema())
    reply = await DescribedReply(graph, EMBEDDER).answer(record, form, ignore_event)
    assert reply is not None
    assert reply.answers[0].node.name == "Deep"
    [fact] = reply.evidence[reply.answers[0].evidence[0]].properties
    assert (fact.key, fact.value) == ("plot", PLOTS["Deep"])


async def test_vectors_that_cannot_be_compared_are_passed_over(films: GraphConnection) -> None:
    await make_films(films)
    await index(films)
    odd = [[], [0.0] * 32, [1.0], ["x"] * 32, [float("nan")] * 32, [float("inf")] * 32, "x", 3]
    for value in odd:
        await films.run_write(
            "CREATE (f:Film {title: 'Odd', plot: 'Nobody knows what bread it is made of.'})"
            " SET f.embedding = $value",
            value=value,
        )
    await films.run_write("CREATE (:Film {title: 'No plot', embedding: $v})", v=[0.5] * 32)
    found = await search(open_graph(films), "bread")
    assert [match.node.name for match in found[:1]] == ["Loaf"]


async def test_hidden_texts_are_not_searched_by_it(films: GraphConnection) -> None:
    await make_films(films)
    await index(films)
    for hidden in (
        GraphConfig(hidden_properties=("Film.plot",), vectors=CONFIG.vectors),
        GraphConfig(hidden_labels=("Film",), vectors=CONFIG.vectors),
    ):
        assert not await search(open_graph(films, hidden), "bread")
        report = await index(films, hidden)
        assert not report.vectors.used
    without = GraphConfig(hidden_properties=("embedding",), vectors=CONFIG.vectors)
    await index(films, without)
    assert (await search(open_graph(films, without), "bread"))[0].node.name == "Loaf"


async def test_vectors_of_another_model_are_left_alone(films: GraphConnection) -> None:
    await make_films(films, dimensions=1536)
    report = await index(films)
    assert report.vectors.left == (
        "vector index plots is left alone: it is for vectors of 1,536 dimensions, those of "
        "trigrams-at-the-hub have 32",
    )
    assert (report.vectors.used, report.passages) == ((), 4)
    graph = open_graph(films)
    assert (await search(graph, "a loaf of rye"))[0].node.name == "Loaf"
    [note] = await graph.list_notes()
    assert note.startswith("vector index plots is not searched")


async def test_what_cannot_be_used_is_said(films: GraphConnection) -> None:
    await make_films(films)
    await films.run_command(
        "CREATE VECTOR INDEX lines FOR ()-[r:SAYS]-() ON (r.embedding)"
        " OPTIONS {indexConfig: {`vector.dimensions`: 32, `vector.similarity_function`: 'cosine'}}"
    )
    named = {
        "plots": VectorSource("text-embedding-3-small", "plot"),
        "nowhere": VectorSource("minilm", "plot"),
        "_trellis_vector": VectorSource("minilm", "plot"),
    }
    start = "vector index {} is left alone: {}".format
    assert (await index(films, GraphConfig(vectors=named))).vectors.left == (
        start("_trellis_vector", "there is none of this name"),
        start("nowhere", "there is none of this name"),
        start("lines", "it is over relationships"),
        start("plots", "embedder 'text-embedding-3-small' cannot be loaded"),
    )
    named = {"plots": VectorSource(OtherEmbedder.name, "title")}
    assert (await index(films, GraphConfig(vectors=named))).vectors.left[-1] == start(
        "plots", "Film.title holds no texts of several words"
    )
    unnamed = await index(films, GraphConfig())
    assert unnamed.vectors.left[-1] == start(
        "plots", "[vectors] of the graph's file does not say which model made it"
    )
    assert unnamed.passages == 4


async def test_an_index_that_is_not_online_is_waited_for_by_nobody(
    films: GraphConnection, caplog: pytest.LogCaptureFixture
) -> None:
    await make_films(films)
    await index(films)
    graph = open_graph(films)
    await films.run_command("DROP INDEX plots")
    for _ in range(2):
        assert [match.node.name for match in await search(graph, "loaf")] == ["Loaf"]  # by words
    assert caplog.text.count("vector index plots is not searched") == 1
    assert len(await graph.list_notes()) == 1
    await films.run_write(
        "UNWIND range(1, 20000) AS i CREATE (:Film {embedding: [x IN range(1, 32) | rand()]})"
    )
    await films.run_command(_CREATE, dimensions=32, function="cosine")
    assert len(await graph.list_notes()) == 1  # it is populating
    assert [match.node.name for match in await search(graph, "loaf")] == ["Loaf"]
    report = await index(films)
    assert report.vectors.used or "it is populating" in report.vectors.left[0]
    await films.run_command("CALL db.awaitIndexes(120)")
    assert (await index(films)).vectors.used == (INDEX,)
    assert (await search(graph, "bread"))[0].node.name == "Loaf"
    assert await graph.list_notes() == ()


def test_the_bundled_model_is_known_by_its_name_at_the_hub() -> None:
    settings = Settings(embedder="minilm")
    for name in ("minilm", "all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"):
        assert share_embedder(settings, name) is share_embedder(settings)
    assert share_embedder(settings, "another").name == "another"
