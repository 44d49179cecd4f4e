"""All methods by the shipped reader, over a graph that it never saw: each answers inside the graph,
and the service says that it can."""

from __future__ import annotations

from pathlib import Path

import httpx

from trellis.api.app import create_app
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import index_graph
from trellis.methods import METHODS
from trellis.settings import Settings

PRESS = """
CREATE (ann:Novelist {name: 'Ann Sorel'}), (bo:Novelist {name: 'Bo Lind'}),
       (dusk:Novel {name: 'Dusk Harbour'}), (dawn:Novel {name: 'Dawn Ferry'}),
       (oslo:Town {name: 'Oslo'}), (turku:Town {name: 'Turku'}),
       (ann)-[:WROTE]->(dusk), (bo)-[:WROTE]->(dawn),
       (ann)-[:BORN_IN]->(oslo), (bo)-[:BORN_IN]->(turku), (ann)-[:MARRIED_TO]->(bo)
"""
CLAIM = "Ann Sorel was born in Oslo."


async def test_all_five_methods_answer_and_are_listed(
    clean_graph: GraphConnection, graph_settings: Settings, tmp_path: Path
) -> None:
    await clean_graph.run_write(PRESS)
    await index_graph(clean_graph)
    store = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    more = {"store_url": store, "model": "reader", "cache": tmp_path, "question_timeout": 600}
    app = create_app(graph_settings.model_copy(update=more))
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://trellis", timeout=600) as client,
    ):
        listed = {each["name"]: each for each in (await client.get("/v1/methods")).json()}
        replies = {}
        for method in METHODS:
            asked = {"question": "Who wrote Dusk Harbour?", "method": method}
            replies[method] = (await client.post("/v1/questions", json=asked)).json()
        chosen = await client.post("/v1/questions", json={"question": "Who wrote Dusk Harbour?"})
        verdict = (await client.post("/v1/claims", json={"claim": CLAIM})).json()
    assert {name: listed[name]["ready"] for name in METHODS} == dict.fromkeys(METHODS, True)
    assert listed["stem"]["models"].keys() >= {"assertion", "schema_graph"}
    found = {
        method: [answer["name"] for answer in reply["answers"]] for method, reply in replies.items()
    }
    assert found == {method: ["Ann Sorel"] for method in METHODS}
    told = chosen.json()["chosen"]
    asked = {*(each["method"] for each in told["methods"]), *told["skipped"]}
    assert asked == {"graphraft", "gcr"}  # the others say the same walks
    assert verdict["verdict"] == "supported"
