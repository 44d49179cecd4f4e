"""Rows that occur several times are found without keeping all rows."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from trellis.graph.loading.repeats import RepeatedRows


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9)), max_size=60))
def test_they_are_those_that_a_counter_finds(rows: list[tuple[str, int]]) -> None:
    repeated, counts = RepeatedRows(), Counter(rows)
    for row in rows:
        repeated.add(row)
    assert repeated.count_distinct() == len(counts)
    assert {row for row in counts if repeated.is_repeated(row)} == {
        row for row, count in counts.items() if count > 1
    }
