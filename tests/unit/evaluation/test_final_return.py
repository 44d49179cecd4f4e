"""The last RETURN of a query: which rows it chooses from, by what, and how many it takes."""

from __future__ import annotations

import pytest

from trellis.domain.structures.cypher import CypherQuery, Rows
from trellis.evaluation.final_return import parse_final_return

PARAMS = {"k": 4}


@pytest.mark.parametrize(
    ("text", "ranking", "key_count", "skip", "limit"),
    [
        ("MATCH (n) RETURN n", "MATCH (n) RETURN n", 0, 0, None),
        ("match (n) return n limit 3;", "match (n) RETURN n", 0, 0, 3),
        ("MATCH (n) RETURN n SKIP 2 LIMIT $k", "MATCH (n) RETURN n", 0, 2, 4),
        ("MATCH (n) RETURN n OFFSET 2 LIMIT 1", "MATCH (n) RETURN n", 0, 2, 1),
        (
            "MATCH (n) RETURN n.a ORDER BY n.b DESC, n.a LIMIT 3",
            "MATCH (n) RETURN n.a , n.b AS _key0 , n.a AS _key1 ORDER BY n.b DESC, n.a",
            *(2, 0, 3),
        ),
        (
            "MATCH (n) RETURN DISTINCT n.a AS `the a` ORDER BY `the a` ASC",
            "MATCH (n) RETURN DISTINCT n.a AS `the a` , (n.a ) AS _key0 ORDER BY `the a` ASC",
            *(1, 0, None),
        ),
        (
            "MATCH (n)--(m) RETURN n.a AS a, collect(m.a) AS b ORDER BY size(b), m.b LIMIT 1",
            "MATCH (n)--(m) RETURN n.a AS a, collect(m.a) AS b , size((collect(m.a) )) AS _key0 "
            ", m.b AS _key1 ORDER BY size(b), m.b",
            *(2, 0, 1),
        ),
        (
            "MATCH (n) WITH n ORDER BY n.a LIMIT 2 RETURN n.limit, [n.a, n.b] AS order",
            "MATCH (n) WITH n ORDER BY n.a LIMIT 2 RETURN n.limit, [n.a, n.b] AS order",
            *(0, 0, None),
        ),
        (
            "MATCH (n) WHERE EXISTS { MATCH (n)--(m) RETURN m LIMIT 1 } RETURN n",
            "MATCH (n) WHERE EXISTS { MATCH (n)--(m) RETURN m LIMIT 1 } RETURN n",
            *(0, 0, None),
        ),
        (
            "MATCH (n) RETURN n.a // first\nORDER BY n.b // then\nLIMIT 1 // last",
            "MATCH (n) RETURN n.a // first , n.b // then AS _key0 ORDER BY n.b // then",
            *(1, 0, 1),
        ),
    ],
)
def test_the_ranking_has_all_rows_with_their_sort_keys(
    text: str, ranking: str, key_count: int, skip: int, limit: int | None
) -> None:
    final = parse_final_return(CypherQuery(text, PARAMS))
    assert final is not None
    assert " ".join(final.ranking.text.split()) == ranking
    assert final.ranking.params == PARAMS
    assert (final.key_count, final.skip, final.limit) == (key_count, skip, limit)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "MATCH (n)",
        "MATCH (n) RETURN n LIMIT toInteger(3)",
        "MATCH (n) RETURN n LIMIT $missing",
        "MATCH (n) RETURN n UNION MATCH (m) RETURN m AS n LIMIT 1",
        "MATCH (n) RETURN 'no end",
    ],
)
def test_what_has_no_single_return_or_no_plain_limit_has_none(text: str) -> None:
    assert parse_final_return(CypherQuery(text, PARAMS)) is None


def test_the_window_is_what_skip_and_limit_leave() -> None:
    rows = Rows(("a", "_key0"), [(index, 0) for index in range(5)])

    def find_window(end: str) -> range:
        final = parse_final_return(CypherQuery(f"MATCH (n) RETURN n.a ORDER BY n.b {end}"))
        assert final is not None
        assert final.split_row(rows.rows[3]) == ((3,), (0,))
        return final.find_window(rows)

    assert find_window("") == range(5)
    assert find_window("LIMIT 2") == range(2)
    assert find_window("SKIP 4 LIMIT 9") == range(4, 5)
    assert not find_window("SKIP 7")
