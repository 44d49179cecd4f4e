"""What gold queries compare with is read off them."""

from __future__ import annotations

from bench.database.values import find_gold_values


def test_values_are_read_with_their_labels() -> None:
    cypher = 'MATCH (x0:Call WHERE x0.day = "4/08")-[:BY]-(x1:Phone)\nRETURN COUNT(DISTINCT x0)'
    assert find_gold_values(cypher) == {("Call", "day", "4/08")}
    assert find_gold_values("MATCH (x0:Call) RETURN x0") == set()
