"""Training on schemas and questions that no one would wish for: it learns what it can, and tells
what it could not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from memory_graph import MemoryGraph
from small_schemas import build_schema
from trellis.domain.graphs.graph import Node, Revisit
from trellis.domain.models.decoding import Search
from trellis.engines.local import LocalModel
from trellis.models.folder import read_card
from trellis.steps.link.link import link_topics
from trellis.steps.retrieve.paths.path_prompt import build_path_prompt
from trellis.steps.retrieve.paths.retrieve_trie import retrieve_trie
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.training.options import TrainingOptions
from trellis.training.tasks import path_examples
from unit.training.family import PEOPLE, rows, write
from unit.training.small_training import train

_PEOPLE = tuple(f"person {number}" for number in range(12))


def make_ring(*relations: str) -> MemoryGraph:
    """People in a ring, each joined to the next by every relation."""
    pairs = zip(_PEOPLE, (*_PEOPLE[1:], _PEOPLE[0]), strict=True)
    return MemoryGraph.of([(one, name, other) for one, other in pairs for name in relations])


SCHEMAS: Mapping[str, MemoryGraph] = {
    "codes": make_ring("R0231", "R0232", "P-7"),
    "other scripts": make_ring("родился_в", "出生地", "مسقط_رأس"),
    "signs alone": make_ring("->", "<-", "&", "__", "()"),
    "all alike": make_ring(*(f"value{number}" for number in range(400))),
    "one relation": make_ring("knows"),
    "one name": MemoryGraph(
        [Node(str(number), "Smith", ("Person",)) for number in range(6)],
        [(number, "knows", (number + 1) % 6) for number in range(6)],
    ),
}


@pytest.mark.parametrize(
    ("labels", "rule"), [("Person Film", "not_topic"), ("Entity", "any"), ("Thing Film", "any")]
)
def test_paths_come_back_where_no_label_says_what_a_node_is(labels: str, rule: Revisit) -> None:
    assert path_examples.find_usual_revisit(build_schema(labels)) == rule


@pytest.mark.slow
@pytest.mark.parametrize("name", SCHEMAS)
async def test_the_graph_alone_teaches_whatever_its_names_are(name: str, tmp_path: Path) -> None:
    memory, folder = SCHEMAS[name], tmp_path / "model"
    options = TrainingOptions(folder, base="mini", steps=2, limit=40)
    assert (await train(options, graph=memory)).examples == 40
    model = LocalModel.load(folder, "cpu", tmp_path)
    settings = read_card(folder).settings(PathSettings)
    topic = memory.nodes[0].name
    mentions = await link_topics(f"who does {topic} know?", [topic], memory)
    trie = await retrieve_trie(memory, mentions, settings, 10_000)
    prompt = build_path_prompt(f"who does {topic} know?", mentions)
    [said] = await model.decode([prompt], [trie], Search(width=2))
    assert said


async def test_what_contradicts_the_graph_is_counted_as_unused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_examples, "_MADE", 1)
    wrong = [
        {"question": f"who taught {person} ?", "topics": [person], "answers": ["nobody at all"]}
        for person in PEOPLE
    ]
    file = write(tmp_path / "q.jsonl", [*rows(paths=False), *wrong])
    options = TrainingOptions(tmp_path / "model", (file,), base="mini", steps=2)
    taught = (await train(options)).card.training["path"]
    assert taught["unused"] == len(wrong)
