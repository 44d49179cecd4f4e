"""The reader answers over any schema: whatever it has learnt, it says sentences of the language."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from memory_graph import MemoryGraph
from small_reader import make_network, make_reader
from small_schemas import build_schema
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.errors import InputError, ModelDamagedError, ModelOutdatedError, WrongTaskError
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, Schema
from trellis.domain.models.decoding import Search, Sentence
from trellis.engines.reader import ReaderModel
from trellis.models.finding import find_model_folder
from trellis.models.folder import read_card
from trellis.models.reader import folder as folders
from trellis.models.reader.moves import SchemaMoves, read_move, read_walk_move
from trellis.models.reader.words import hash_word, split_words
from trellis.models.side_by_side import plan_serving
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt, build_path_prompt
from trellis.steps.retrieve.paths.retrieve_trie import build_trie, retrieve_trie
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.queries.query_prompt import build_masked_query_prompt
from trellis.training.reader.teach import build_card

SEARCH = Search(width=3)


def make_schema(labels: str, types: str, properties: str = "name") -> Schema:
    """A schema in which each type leads from the first label to the last."""
    first, *_, last = [*labels.split(), *labels.split()]
    relations = (f"{first} {name} {last}" for name in types.split())
    return build_schema(dict.fromkeys(labels.split(), properties), *relations)


@pytest.fixture(scope="module")
def shipped() -> ReaderModel:
    return ReaderModel.load(folders.SHIPPED_READER)


def ask(reader: ReaderModel, schema: Schema, question: str = "who is v0 ?") -> Sequence[Sentence]:
    """The sentences for a question with one value."""
    label = schema.labels[0] if schema.labels else None
    stored = [StoredValue(label.label, label.naming or "", "Ada")] if label else []
    language = CypherLanguage(schema, number_values(stored))
    prompt = build_masked_query_prompt(question)
    [sentences] = asyncio.run(reader.decode([prompt], [language], SEARCH))
    assert all(sentence.values for sentence in sentences)
    assert [s.score for s in sentences] == sorted((s.score for s in sentences), reverse=True)
    assert all(s.support and s.support.total <= 0 for s in sentences)
    return sentences


def tell_apart(sentences: Sequence[Sentence]) -> list[tuple[str, float]]:
    """What sentences say and how likely, up to what sums in another order differ by."""
    return [(sentence.text, round(sentence.score, 4)) for sentence in sentences]


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(make_schema("Person", ""), id="one label"),
        pytest.param(make_schema("Person", "KNOWS"), id="one type"),
        pytest.param(make_schema("A1 B2", "R1234 R1235", "P31"), id="codes"),
        pytest.param(make_schema("人物 電影", "出演", "名前"), id="another script"),
        pytest.param(make_schema("a A a_", "x X x_", "n N"), id="alike"),
        pytest.param(make_schema("NOT end", "count order", "limit"), id="operators"),
        pytest.param(make_schema("__ !", "-> _", "<"), id="marks"),
    ],
)
def test_any_schema_is_answered_over(schema: Schema) -> None:
    assert len(ask(make_reader(), schema)) == SEARCH.width


def test_over_an_empty_schema_nothing_is_said() -> None:
    assert ask(make_reader(), Schema((), (), 0, 0, "")) == []


@pytest.mark.slow
def test_a_schema_of_five_thousand_types_is_answered_over() -> None:
    types = " ".join(f"RELATION_{number}" for number in range(5_000))
    assert ask(make_reader(), make_schema("Person Thing", types))


@pytest.mark.parametrize("question", ["", "?", "v0", "who knows " + "somebody who knows " * 105])
def test_questions_of_any_length_are_read(question: str) -> None:
    assert ask(make_reader(), make_schema("Person", "KNOWS"), question)


def test_a_schema_that_changes_is_read_anew() -> None:
    reader = make_reader()
    before, after = (make_schema("Person Film", type) for type in ("ACTED_IN", "DIRECTED"))
    first = ask(reader, before)
    changed = ask(reader, after)
    assert "acted" not in " ".join(sentence.text for sentence in changed)
    assert tell_apart(changed) == tell_apart(ask(make_reader(), after))
    assert tell_apart(first) == tell_apart(ask(reader, before))


def test_a_language_that_it_has_not_learnt_is_refused() -> None:
    prompt = build_masked_path_prompt("who is ENT1 ?")
    with pytest.raises(WrongTaskError, match="does not do task 'path'"):
        asyncio.run(make_reader().decode([prompt], [object()], SEARCH))


async def test_paths_are_said_inside_the_graph() -> None:
    graph = MemoryGraph.of([("Ada", "spouse", "Bo"), ("Bo", "lives_in", "Oslo")])
    [node] = [node for node in graph.nodes if node.name == "Ada"]
    mentions = [Mention(8, 11, "Ada", (Link(node, 1.0, "exact"),))]
    reader = make_reader()
    language = await retrieve_trie(graph, mentions, reader.card.settings(PathSettings), 1_000)
    prompt = build_path_prompt("Who did Ada marry?", mentions)
    [sentences] = await reader.decode([prompt], [language], Search(width=20))
    assert {" ENT1 -> spouse", " ENT1 -> spouse -> lives_in"} <= {f" {s.text}" for s in sentences}
    assert sum(math.exp(sentence.score) for sentence in sentences) == pytest.approx(1.0, abs=1e-4)


def test_moves_say_their_words_and_their_direction() -> None:
    forwards, backwards = read_walk_move(" -> ACTED_IN"), read_walk_move(" <- actedIn")
    assert forwards.words == backwards.words == "acted in"
    assert (forwards.direction, backwards.direction) == (1, 2)
    assert read_walk_move(" & ENT2").words == "ent2"
    assert read_move("filter", " release year >=").words == "release year >="


@pytest.mark.parametrize(
    ("text", "words", "context"),
    [
        (" tags has", "tags", "string of Shoe"),
        (" tags not has", "tags <>", "string of Shoe"),
        (" size of tags >", "size of tags >", "string of Shoe"),
        (" decimal of price >", "price >", "float of Shoe"),
        (" integer of price >", "integer of price >", "string of Shoe"),
        (" price", "price", "string of Shoe"),
        (" waterproof", "waterproof", "boolean True, False of Shoe"),
        (" sole", "sole", "string crepe, felt of Shoe"),
    ],
)
def test_texts_that_stand_for_numbers_or_flags_are_read_as_these(
    text: str, words: str, context: str
) -> None:
    properties = (
        PropertyKind("tags", "LIST<STRING>"),
        PropertyKind("price", "STRING", examples=("95", "45.5")),
        PropertyKind("waterproof", "STRING", values=("No", "Yes")),
        PropertyKind("sole", "STRING", values=("crepe", "felt")),
    )
    schema = Schema((LabelKind("Shoe", 9, None, properties),), (), 9, 0, "shoes")
    move = SchemaMoves(schema).read_move("filter", text)
    assert (move.words, move.context.lower()) == (words, context.lower())


def test_words_are_alike_by_their_stems_and_beginnings() -> None:
    assert split_words("Who's in v0?") == ["who", "'", "s", "in", "v0", "?"]
    directed, director, direct = map(hash_word, ("directed", "director", "dire"))
    assert directed[1] == director[1]
    assert directed[2] == direct[2]
    assert directed[0] != director[0]
    assert all(hash_word("v0"))
    assert hash_word("v0")[2] != hash_word("v1")[2]


def test_what_was_learnt_is_kept_in_a_sealed_folder(tmp_path: Path) -> None:
    network, out = make_network(seed=1), tmp_path / "reader"
    for name, weight in network.named_parameters():
        weight.requires_grad_(not name.startswith("encoder.words"))
    folders.save_network(out, build_card(), network)
    assert folders.is_reader(out)
    assert set(read_card(out).tasks) == set(build_card().tasks)
    loaded = make_network(seed=2)
    folders.load_weights(loaded, out)
    wanted = network.question.weight.half().float()
    assert torch.equal(loaded.question.weight, wanted)
    assert not torch.equal(loaded.encoder.words.weight, network.encoder.words.weight)
    (out / "reader.safetensors").write_bytes(b"cut")
    with pytest.raises(ModelDamagedError):
        read_card(out)


def test_weights_of_another_version_are_refused(tmp_path: Path) -> None:
    save_file({"begin": torch.zeros(2, 24)}, tmp_path / "reader.safetensors", {"version": "0"})
    with pytest.raises(ModelOutdatedError, match="version 0, and this is version 1"):
        folders.load_weights(make_network(), tmp_path)


def test_the_shipped_reader_is_found_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = find_model_folder("reader", tmp_path)
    assert folders.is_reader(folder)
    assert sum(file.stat().st_size for file in folder.iterdir()) < 8_000_000
    assert read_card(folder).base == "reader"
    with pytest.raises(InputError, match="a reader writes none"):
        plan_serving([Path("reader")], tmp_path)
    (tmp_path / "reader").mkdir()
    assert find_model_folder("reader", tmp_path) == Path("reader")  # a folder of one's own


NOVELS = build_schema({"Novel": "title pages:INTEGER", "Novelist": "name"}, "Novelist WROTE Novel")
ANN, DUSK = StoredValue("Novelist", "name", "Ann"), StoredValue("Novel", "title", "Dusk")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "values", "best"),
    [
        ("which novels did v0 write ?", [ANN], "list distinct novel wrote novelist name v0"),
        ("how many pages does v0 have ?", [DUSK], "show distinct novel pages title v0"),
        ("how many novels are there ?", [], "count novel"),
    ],
)
async def test_the_shipped_reader_says_queries_over_a_schema_it_never_saw(
    shipped: ReaderModel, question: str, values: list[StoredValue], best: str
) -> None:
    language = CypherLanguage(NOVELS, number_values(values))
    [said] = await shipped.decode([build_masked_query_prompt(question)], [language], SEARCH)
    assert said[0].text.strip() == best


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("What depends on apt?", "<- DEPENDS_ON"),
        ("What does apt depend on?", "-> DEPENDS_ON"),
        ("Which packages recommend apt?", "<- RECOMMENDS"),
        ("Which packages are recommended by apt?", "-> RECOMMENDS"),
    ],
)
async def test_the_shipped_reader_tells_which_way_a_path_goes(
    shipped: ReaderModel, question: str, best: str
) -> None:
    types = ("DEPENDS_ON", "RECOMMENDS")
    triples = [(a, kind, b) for kind in types for a, b in (("dpkg", "apt"), ("apt", "gcc"))]
    graph = MemoryGraph.of(triples)
    [apt] = [node for node in graph.nodes if node.name == "apt"]
    at = question.index("apt")
    mentions = [Mention(at, at + 3, "apt", (Link(apt, 1.0, "exact"),))]
    around = await graph.neighbourhood([apt.id], 1, edge_budget=10, names=False)
    settings = shipped.card.settings(PathSettings)
    paths = build_trie(around, mentions, settings, like=types)
    [said] = await shipped.decode([build_path_prompt(question, mentions)], [paths], SEARCH)
    assert said[0].text.strip() == f"ENT1 {best}"


def test_relations_between_like_nodes_are_told_where_labels_are() -> None:
    people = build_schema("Person City", "Person KNOWS Person", "Person LIVES_IN City")
    assert people.list_like_relations() == {"KNOWS"}
    assert not build_schema("Person", "Person KNOWS Person").list_like_relations()
