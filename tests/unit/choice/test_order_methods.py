"""Which methods are asked, and when another one is worth its time."""

from __future__ import annotations

from trellis.steps.choose.order_methods import (
    MethodTraits,
    choose_first,
    choose_next,
    compute_worth,
    order_methods,
)

QUERIES = MethodTraits("queries", 0.3, 0.98)
PATHS = MethodTraits("paths", 0.1, 0.975)
CHAINS = MethodTraits("chains", 0.2, 0.6)
TRACES = MethodTraits("traces", 0.4, 0.9)


def test_the_fastest_of_the_best_comes_first_then_what_brings_most() -> None:
    ordered = order_methods([QUERIES, CHAINS, PATHS, TRACES])
    assert [each.name for each in ordered] == ["paths", "queries", "traces", "chains"]


def test_where_an_accuracy_is_unknown_they_stay_as_they_are() -> None:
    unknown = MethodTraits("new", 0.1)
    assert order_methods([QUERIES, unknown, PATHS]) == [QUERIES, unknown, PATHS]


def test_nothing_more_is_asked_of_what_is_sure() -> None:
    assert choose_next([PATHS, TRACES], 0.9999, 60.0, 2) == []
    assert choose_next([PATHS, TRACES], 0.7, 60.0, 2) == [PATHS, TRACES]
    assert choose_next([PATHS, CHAINS, TRACES], 0.7, 60.0, 2) == [PATHS, CHAINS]


def test_dearer_methods_are_asked_only_of_less_sure_answers() -> None:
    dear = MethodTraits("dear", 2.0)
    assert compute_worth(dear, 0.9) < 0 < compute_worth(dear, 0.5)
    assert choose_next([dear], 0.9, 60.0, 2) == []


def test_what_does_not_end_in_time_is_not_asked() -> None:
    assert choose_next([TRACES, PATHS], 0.5, 0.2, 2) == [PATHS]
    assert choose_first([QUERIES, PATHS], 0.2) == PATHS
    assert choose_first([QUERIES, TRACES], 0.05) == QUERIES
    assert choose_first([QUERIES, PATHS], 60.0) == QUERIES


def test_while_others_wait_less_is_asked_but_never_nothing_for_who_has_no_answer() -> None:
    assert choose_next([QUERIES], 0.8, 60.0, 2) == [QUERIES]
    assert choose_next([QUERIES], 0.8, 60.0, 2, waiting=3) == []
    assert choose_next([PATHS, QUERIES], 0.0, 60.0, 2, waiting=1_000) == [PATHS, QUERIES]
