"""Names fall into words in one way, wherever they are read."""

from __future__ import annotations

from itertools import product

import pytest

from trellis.domain.identifiers import put_last_first, split_identifier, split_namespaces


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("PLACE_OF_BIRTH", "place of birth"),
        ("birthPlace", "birth place"),
        ("HTTPServer", "http server"),
        ("KNOWS_SN", "knows sn"),
        ("people/person/birth_place", "people person birth place"),
        ("phone2", "phone2"),
        ("größterFluss", "größter fluss"),
        ("属性 名", "属性 名"),
        ("_-_", ""),
    ],
)
def test_a_name_falls_into_its_words(name: str, words: str) -> None:
    assert " ".join(split_identifier(name)) == words


@pytest.mark.parametrize(
    ("name", "parts", "turned"),
    [
        ("people.person.gender", ("people", "person", "gender"), "gender.person.people"),
        ("__people__person__gender", ("people", "person", "gender"), "gender__person__people__"),
        ("/people/person/gender", ("people", "person", "gender"), "gender/person/people/"),
        (
            "fb:people.person.gender",
            ("fb", "people", "person", "gender"),
            "gender.person.people:fb",
        ),
        (
            "http://a.org/terms#knows",
            ("http", "a", "org", "terms", "knows"),
            "knows#terms/org.a//:http",
        ),
        ("PLACE_OF_BIRTH", ("PLACE_OF_BIRTH",), "PLACE_OF_BIRTH"),
        ("__", ("__",), "__"),
    ],
)
def test_the_last_part_of_a_name_is_said_first(
    name: str, parts: tuple[str, ...], turned: str
) -> None:
    assert split_namespaces(name) == parts
    assert put_last_first(name) == turned


def test_different_names_stay_different() -> None:
    names = ["".join(name) for size in range(7) for name in product("a_./", repeat=size)]
    assert len({put_last_first(name) for name in names}) == len(names)
