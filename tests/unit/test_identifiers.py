"""Names fall into words in one way, wherever they are read."""

from __future__ import annotations

import pytest

from trellis.domain.identifiers import split_identifier


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
