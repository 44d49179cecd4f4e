"""The frames of `operators.json`: each has what its question must say, and no unknown slot."""

from __future__ import annotations

import random

import pytest

from trellis.training.synthesis.operators.parts.words import (
    Frames,
    fill_frame,
    list_slots,
    load_frames,
)

FRAMES = load_frames()

KINDS = {
    ("", "nad"): "edge_first edge_last",
    ("", "nqabd"): (
        "event_some_agents event_some_patients event_none_agents event_none_patients "
        "event_most_agents event_most_patients event_least_agents event_least_patients"
    ),
    ("n", ""): "everywhere",
    ("p", "xya"): "edge_value",
    ("s", ""): "list count",
    ("s", "pt"): "most least second third second_least",
    ("v", ""): (
        "edge_day_equal edge_day_above edge_day_below edge_year_equal edge_year_above "
        "edge_year_below edge_amount_above edge_amount_below edge_amount_at_least "
        "edge_amount_at_most edge_amount_equal"
    ),
    ("v", "p"): "edge_text",
    ("x", "abd"): "event_times_agents event_times_patients",
    ("x", "ad"): "whether_verb edge_year",
    ("x", "noa"): "shared_with",
    ("x", "yadp"): "edge_when",
    ("ap", "n"): "edge_most edge_least",
    ("no", ""): "count_each",
    ("no", "a"): "shared",
    ("nv", "p"): "edge_have edge_lack",
    ("nx", "ab"): "event_count_agents",
    ("nx", "abd"): "event_count_patients",
    ("op", ""): "count_each_value",
    ("ox", ""): "how_many_of",
    ("ps", ""): "property_each total average highest_value lowest_value",
    ("pv", ""): (
        "edge_other_day_equal edge_other_day_above edge_other_day_below "
        "edge_other_year_equal edge_other_year_above edge_other_year_below edge_above "
        "edge_below edge_at_least edge_at_most edge_equal"
    ),
    ("px", ""): "edge_own property",
    ("py", "n"): "edge_average edge_total edge_highest edge_lowest",
    ("rx", "n"): "edge_role",
    ("sa", ""): "except",
    ("sc", ""): "not",
    ("sk", "pt"): "most_k least_k",
    ("so", ""): "without with most_of least_of",
    ("sx", "pm"): "above_thing below_thing",
    ("xe", ""): "whether_is",
    ("xe", "p"): "edge_when_be",
    ("xo", ""): "whether_any",
    ("xv", "p"): "edge_whether",
    ("xy", ""): "but_not_name both_names",
    ("xy", "abd"): "event_times_between event_whether",
    ("xy", "nqabd"): (
        "event_both_agents event_both_patients event_but_not_agents event_but_not_patients"
    ),
    ("xy", "pm"): "greater_of_two lesser_of_two whether_more whether_less",
    ("xy", "z"): "or",
    ("apw", ""): "edge_own_by_verb",
    ("nab", ""): "neither or_verb both",
    ("nac", ""): "but_not",
    ("ngp", "o"): "aggregate_each",
    ("oab", "n"): "same_one",
    ("oxy", ""): "of_more whether_not_noun",
    ("sok", ""): "most_of_k",
    ("sov", ""): "number_above number_below number_at_least number_at_most number_exactly",
    ("spv", ""): "above below at_least at_most equal",
    ("xcp", "n"): "edge_got",
    ("xpv", ""): "whether_above whether_below",
    ("xyd", ""): "mutual_verb",
    ("xyo", ""): "mutual_noun",
    ("ycp", "n"): "edge_gave",
    ("nogp", ""): "most_total least_total",
    ("spvw", ""): "between",
    ("nogpk", ""): "most_total_k least_total_k",
}
"""The slots that all frames of some kinds have, those that only some have, and the kinds."""

SLOTS = {kind: slots for slots, kinds in KINDS.items() for kind in kinds.split()}


def test_there_are_frames_of_the_known_kinds_alone() -> None:
    assert set(FRAMES.phrases) == set(SLOTS)
    assert set(FRAMES.questions) <= set(SLOTS)


@pytest.mark.parametrize("kind", SLOTS)
def test_every_frame_has_the_slots_of_its_kind(kind: str) -> None:
    always, sometimes = SLOTS[kind]
    for frame in (*FRAMES.phrases[kind], *FRAMES.questions.get(kind, ())):
        slots = set(list_slots(frame))
        assert set(always) <= slots <= set(always + sometimes), frame
        if len(sometimes) == 2:  # a comparison says its property or an adjective
            assert not slots.isdisjoint(sometimes), frame


@pytest.mark.parametrize("kind", SLOTS)
def test_no_frame_comes_twice(kind: str) -> None:
    for frames in (FRAMES.phrases[kind], FRAMES.questions.get(kind, ())):
        assert len(set(frames)) == len(frames)


def test_only_frames_whose_slots_are_given_are_filled() -> None:
    either, choice = ["{x} or {y}", "{x} , {y} or {z}"], random.Random(0)
    assert {fill_frame(either, choice, {"x": "a", "y": "b"}) for _ in range(20)} == {"a or b"}
    three = {"x": "a", "y": "b", "z": "c"}
    assert {fill_frame(either, choice, three) for _ in range(20)} == {"a or b", "a , b or c"}
    assert fill_frame(["all {s}"], choice, {"s": None}) is None


def test_whole_questions_are_kept_apart_from_phrases() -> None:
    frames = Frames.parse({"not": {"phrases": ["{s} that {c}"], "questions": ["which {s} {c}"]}})
    assert frames.phrases == {"not": ["{s} that {c}"]}
    assert frames.questions == {"not": ["which {s} {c}"]}
