"""Wording files: written from a schema, kept from a former one, and added to by a hosted model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from small_schemas import build_schema
from trellis.domain.errors import DecoderError, FileFormatError
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import RelationshipKind, Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.wording_file import read_wording
from trellis.training.wording_files.asking import READING, WRITING, write_phrases
from trellis.training.wording_files.proposals import check_proposals, list_meanings, parse_proposals
from trellis.training.wording_files.skeleton import (
    build_skeleton,
    find_bare_names,
    format_wording,
    iterate_properties,
    keep_former,
    list_dropped,
)
from unit.automata.cypher.shop import SHOP

OWNED = build_schema("Quorl Person Entity", "Quorl OWNED_BY Quorl", "Quorl OWNED_BY Person")
MIXED = replace(
    OWNED, relationships=(*OWNED.relationships, RelationshipKind("ZORGS", "", "Entity", 1))
)


def written(file: Path, body: Any) -> Path:
    text = body if isinstance(body, str) else format_wording(body)
    file.write_text(text, "utf-8")
    return file


def test_every_name_of_the_schema_has_an_entry() -> None:
    body = json.loads(format_wording(build_skeleton(SHOP)))
    assert list(body) == ["properties", "relations", "types"]
    assert list(body["relations"]) == ["BOUGHT", "KNOWS", "SELLS"]
    assert list(body["types"]) == ["Customer", "Product", "Shop"]
    assert {"BOUGHT.quantity", "Customer.age", "Product.made"} <= body["properties"].keys()
    assert all("wh" in entry and "asks" in entry["back"] for entry in body["relations"].values())


def test_a_file_is_sorted_and_has_no_empty_lists() -> None:
    text = format_wording({"relations": {"B": {"nouns": []}, "A": {"nouns": ["ö"]}}})
    sorted_body = {"relations": {"A": {"nouns": ["ö"]}, "B": {}}}
    assert text == json.dumps(sorted_body, indent=1, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("schema", [SHOP, MIXED])
def test_the_file_gives_the_phrases_that_there_were_without_it(
    tmp_path: Path, schema: Schema
) -> None:
    before = Phrasebook.load(None, schema.synonyms)
    after = Phrasebook.load(written(tmp_path / "w.json", build_skeleton(schema)), schema.synonyms)
    steps = [(Step(kind.type), kind.end_label) for kind in schema.relationships]
    steps += [(Step(kind.type, True), kind.start_label) for kind in schema.relationships]
    for step, label in steps:
        were, now = (book.phrases_of(step, label or None) for book in (before, after))
        for field in ("nouns", "asks", "clauses", "types", "some", "none"):
            assert set(getattr(now, field)) == set(getattr(were, field)), (step, label, field)
        assert now.wh == were.wh
    for label in schema.labels:
        assert after.type_nouns(label.label) == before.type_nouns(label.label)
    for owner, each in iterate_properties(schema):
        assert after.property_phrases(owner, each) == before.property_phrases(owner, each)


def test_the_phrases_of_one_end_label_alone_are_not_said_of_all() -> None:
    entry = build_skeleton(MIXED)["relations"]["OWNED_BY"]
    assert "firms" not in entry["nouns"]
    assert entry["asks"]
    assert "Entity" not in build_skeleton(MIXED)["types"]


def test_names_with_nothing_but_their_own_words_are_told() -> None:
    skeleton = build_skeleton(MIXED)
    bare = find_bare_names(MIXED, skeleton, skeleton)
    assert {"ZORGS", "^ZORGS"} <= set(bare.relations)
    assert "Quorl" in bare.labels
    assert "Entity" not in bare.labels
    known = {**skeleton["relations"]["ZORGS"], "nouns": ["zorg"]}
    edited = {**skeleton, "relations": {**skeleton["relations"], "ZORGS": known}}
    bare = find_bare_names(MIXED, skeleton, edited)
    assert "ZORGS" not in bare.relations
    assert "^ZORGS" in bare.relations


def test_what_a_former_file_says_is_kept_and_what_is_gone_is_told() -> None:
    bought = {"nouns": ["purchase"], "back": {"asks": ["who paid for {}"]}}
    names = {"name": {"nouns": ["title"]}, "Shop.area": {}, "Shop.name": {"is": ["x {}"]}}
    former = {
        "relations": {"BOUGHT": bought, "LENT": {"nouns": ["loan"]}},
        "types": {"Shop": ["store"], "Bank": ["bank"]},
        "properties": names,
    }
    skeleton = build_skeleton(SHOP)
    kept = keep_former(skeleton, former, SHOP)
    was = skeleton["relations"]["BOUGHT"]
    back = {**was["back"], "asks": ["who paid for {}"]}
    assert kept["relations"]["BOUGHT"] == {**was, "nouns": ["purchase"], "back": back}
    assert kept["types"]["Shop"] == ["store"]
    assert kept["properties"]["Product.name"]["nouns"] == ["title"]
    assert kept["properties"]["Shop.name"]["is"] == ["x {}"]
    assert kept["properties"]["Shop.name"]["nouns"] != ["title"]
    assert set(kept["relations"]) == set(skeleton["relations"])
    assert list_dropped(former, SHOP) == ["properties.Shop.area", "relations.LENT", "types.Bank"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("nonsense", "cannot be read"),
        ("[]", "no JSON object"),
        ('{"relations": []}', "relations is no object"),
        ('{"relations": {"A": {"nouns": "country"}}}', r"relations\.A\.nouns is no list of texts"),
        ('{"relations": {"A": {"back": {"asks": [1]}}}}', r"relations\.A\.back\.asks"),
        ('{"relations": {"A": {"wh": ["who"]}}}', r"relations\.A\.wh is no text"),
        ('{"types": {"A": "a"}}', r"types\.A"),
        ('{"properties": {"A.b": {"is": "a"}}}', r"properties\.A\.b\.is"),
    ],
)
def test_a_bad_file_is_told_with_its_place(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(FileFormatError, match=said):
        read_wording(written(tmp_path / "w.json", body))


def lines(*rows: tuple[int, str, str]) -> str:
    return "\n".join(json.dumps({"of": n, "kind": k, "phrase": p}) for n, k, p in rows)


def meanings_of(*keys: str) -> list[Any]:
    return [next(each for each in list_meanings(SHOP) if each.key == key) for key in keys]


def test_meanings_show_what_is_asked_for() -> None:
    patterns = {each.key: each.pattern for each in list_meanings(SHOP)}
    assert patterns["SELLS"] == "(X:Shop)-[:SELLS]->(?:Product)"
    assert patterns["^SELLS"] == "(X:Product)<-[:SELLS]-(?:Shop)"
    assert patterns["Customer.age"] == "property age of (X:Customer)"
    assert patterns["BOUGHT.quantity"] == "property quantity of relationship [X:BOUGHT]"


@pytest.mark.parametrize(
    "line",
    [
        '{"of": 3, "kind": "asks", "phrase": "who {}"}',
        '{"of": true, "kind": "asks", "phrase": "who {}"}',
        '{"of": 1, "kind": "tops", "phrase": "who {}"}',
        '{"of": 1, "kind": "asks", "phrase": 7}',
        '{"of": 1, "kind": "asks"}',
        '{"of": 1, "kind": "asks',
    ],
)
def test_lines_that_are_no_proposal_are_counted(line: str) -> None:
    text = f"```json\nHere they are:\n{line}\n{lines((1, 'nouns', 'goods'))}\n```"
    proposals, wrong = parse_proposals(text, meanings_of("SELLS", "^SELLS"))
    assert ([each.phrase for each in proposals], wrong) == (["goods"], 1)


def test_phrases_are_checked_before_they_are_read_back() -> None:
    skeleton = build_skeleton(SHOP)
    known = skeleton["relations"]["KNOWS"]["back"]["asks"][0]
    text = lines(
        (1, "asks", "  What is on {}'s  shelves? "),  # tidied
        (1, "asks", "what is on {}'s shelves"),  # the same once more
        (1, "asks", "what is sold"),  # no thing
        (1, "asks", "does {} sell {}"),  # two
        (1, "asks", "what does {name} sell"),  # another slot
        (1, "nouns", "goods of {}"),  # a noun has no slot
        (1, "nouns", "{}"),
        (1, "clauses", "the " + "very " * 12 + "{}"),  # too long
        (1, "asks", known),  # of another relation
        (1, "clauses", "whatever {} trades"),  # of two directions
        (2, "clauses", "whatever {} trades"),
        (2, "nouns", "stockist"),
    )
    proposals, wrong = parse_proposals(text, meanings_of("SELLS", "^SELLS"))
    kept, refusals = check_proposals(proposals, skeleton)
    assert [(each.meaning.key, each.phrase) for each in kept] == [
        ("SELLS", "what is on {}'s shelves"),
        ("^SELLS", "stockist"),
    ]
    assert wrong == 0
    assert (refusals.malformed, refusals.taken) == (6, 3)


class FakeModel:
    """Writes one phrase for each direction of a relation, and reads all but some of them right."""

    def __init__(self, misreads: Callable[[str], bool] = lambda _: False) -> None:
        self.misreads = misreads
        self.calls: list[str] = []

    async def ask(self, instructions: str, request: str) -> str:
        self.calls.append(instructions)
        return self.write(request) if instructions == WRITING else self.read(request)

    def write(self, request: str) -> str:
        found = re.findall(r"^(\d+): \"(.*?)\"; kinds", request, re.MULTILINE)
        rows = [(int(n), "asks", f"tell of {pattern.lower()} by {{}}") for n, pattern in found]
        return lines(*rows)

    def read(self, request: str) -> str:
        items, phrases = request.split("\n\nPhrases:\n")
        numbers = {pattern: int(n) for n, pattern in re.findall(r"^(\d+): \"(.*)\"$", items, re.M)}
        said = re.findall(r"^(\d+): \"tell of (.*) by X\"$", phrases, re.M)
        lower = {pattern.lower(): n for pattern, n in numbers.items()}
        return "\n".join(
            json.dumps({"phrase": int(n), "item": 0 if self.misreads(which) else lower[which]})
            for n, which in said
        )


async def test_what_a_model_writes_and_tells_apart_is_added() -> None:
    model, skeleton = FakeModel(lambda which: "knows" in which), build_skeleton(SHOP)
    wrote = await write_phrases(model.ask, SHOP, skeleton)
    sells = wrote.wording["relations"]["SELLS"]
    assert sells["asks"][-1] == "tell of (x:shop)-[:sells]->(?:product) by {}"
    assert sells["back"]["asks"][-1] == "tell of (x:product)<-[:sells]-(?:shop) by {}"
    assert wrote.wording["properties"]["Customer.age"]["asks"][-1].startswith("tell of property")
    assert wrote.wording["relations"]["KNOWS"] == skeleton["relations"]["KNOWS"]
    assert (wrote.kept, wrote.refusals.misread) == (len(list_meanings(SHOP)) - 2, 2)
    assert wrote.problem == ""
    properties = len(list(iterate_properties(SHOP)))
    assert model.calls.count(WRITING) == 3 + properties


async def test_a_model_that_fails_leaves_the_skeleton_and_is_not_asked_for_ever() -> None:
    calls: list[str] = []

    async def fail(instructions: str, _: str) -> str:
        calls.append(instructions)
        raise DecoderError("the decoder failed", "check it")

    skeleton = build_skeleton(SHOP)
    wrote = await write_phrases(fail, SHOP, skeleton)
    assert (wrote.wording, wrote.kept) == (skeleton, 0)
    assert wrote.problem.endswith("and no more were made: the decoder failed; check it")
    assert len(calls) < len(list_meanings(SHOP))


async def test_phrases_that_nobody_read_are_not_kept() -> None:
    model, skeleton = FakeModel(), build_skeleton(SHOP)

    async def ask(instructions: str, request: str) -> str:
        if instructions == READING:
            raise DecoderError("gone", "")
        return await model.ask(instructions, request)

    wrote = await write_phrases(ask, SHOP, skeleton)
    assert wrote.wording == skeleton
    assert wrote.refusals.misread == len(list_meanings(SHOP))
    assert "gone" in wrote.problem
