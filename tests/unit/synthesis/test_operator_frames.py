"""The frames of `operators.json`: each has what its question must say, and no unknown slot."""

from __future__ import annotations

import random

import pytest

from trellis.training.synthesis.operators.words import (
    Frames,
    fill_frame,
    list_slots,
    load_frames,
)

FRAMES = load_frames()

# each kind: the slots that all its frames have, and those that only some have
SLOTS = {
    "list": ("s", ""),
    "edge_own": ("px", ""),
    "edge_other_day_equal": ("pv", ""),
    "edge_other_day_above": ("pv", ""),
    "edge_other_day_below": ("pv", ""),
    "edge_other_year_equal": ("pv", ""),
    "edge_other_year_above": ("pv", ""),
    "edge_other_year_below": ("pv", ""),
    "count_each_value": ("op", ""),
    "shared": ("no", "a"),
    "shared_with": ("x", "noa"),
    "edge_text": ("v", "p"),
    "edge_role": ("rx", "n"),
    "edge_have": ("nv", "p"),
    "edge_lack": ("nv", "p"),
    "edge_whether": ("xv", "p"),
    "everywhere": ("n", ""),
    "count": ("s", ""),
    "not": ("sc", ""),
    "except": ("sa", ""),
    "but_not": ("nac", ""),
    "but_not_name": ("xy", ""),
    "neither": ("nab", ""),
    "without": ("so", ""),
    "with": ("so", ""),
    "or": ("xy", "z"),
    "or_verb": ("nab", ""),
    "both": ("nab", ""),
    "both_names": ("xy", ""),
    "above": ("spv", ""),
    "below": ("spv", ""),
    "at_least": ("spv", ""),
    "at_most": ("spv", ""),
    "between": ("spvw", ""),
    "equal": ("spv", ""),
    "above_thing": ("sx", "pm"),
    "below_thing": ("sx", "pm"),
    "greater_of_two": ("xy", "pm"),
    "lesser_of_two": ("xy", "pm"),
    "most": ("s", "pt"),
    "least": ("s", "pt"),
    "most_k": ("sk", "pt"),
    "least_k": ("sk", "pt"),
    "second": ("s", "pt"),
    "third": ("s", "pt"),
    "second_least": ("s", "pt"),
    "most_of": ("so", ""),
    "least_of": ("so", ""),
    "most_of_k": ("sok", ""),
    "of_more": ("oxy", ""),
    "number_above": ("sov", ""),
    "number_below": ("sov", ""),
    "number_at_least": ("sov", ""),
    "number_at_most": ("sov", ""),
    "number_exactly": ("sov", ""),
    "how_many_of": ("ox", ""),
    "whether_verb": ("x", "ad"),
    "whether_is": ("xe", ""),
    "whether_not_noun": ("oxy", ""),
    "whether_more": ("xy", "pm"),
    "whether_less": ("xy", "pm"),
    "whether_above": ("xpv", ""),
    "whether_below": ("xpv", ""),
    "whether_any": ("xo", ""),
    "mutual_verb": ("xyd", ""),
    "mutual_noun": ("xyo", ""),
    "property": ("px", ""),
    "property_each": ("ps", ""),
    "total": ("ps", ""),
    "average": ("ps", ""),
    "highest_value": ("ps", ""),
    "lowest_value": ("ps", ""),
    "event_count_patients": ("nx", "abd"),
    "event_count_agents": ("nx", "ab"),
    "event_some_agents": ("", "nqabd"),
    "event_some_patients": ("", "nqabd"),
    "event_none_agents": ("", "nqabd"),
    "event_none_patients": ("", "nqabd"),
    "event_most_agents": ("", "nqabd"),
    "event_most_patients": ("", "nqabd"),
    "event_least_agents": ("", "nqabd"),
    "event_least_patients": ("", "nqabd"),
    "event_both_agents": ("xy", "nqabd"),
    "event_both_patients": ("xy", "nqabd"),
    "event_but_not_agents": ("xy", "nqabd"),
    "event_but_not_patients": ("xy", "nqabd"),
    "event_times_agents": ("x", "abd"),
    "event_times_patients": ("x", "abd"),
    "event_times_between": ("xy", "abd"),
    "event_whether": ("xy", "abd"),
    "count_each": ("no", ""),
    "aggregate_each": ("ngp", "o"),
    "most_total": ("nogp", ""),
    "least_total": ("nogp", ""),
    "most_total_k": ("nogpk", ""),
    "least_total_k": ("nogpk", ""),
    "same_one": ("oab", "n"),
    "edge_when": ("x", "yadp"),
    "edge_when_be": ("xe", "p"),
    "edge_year": ("x", "ad"),
    "edge_value": ("p", "xya"),
    "edge_average": ("py", "n"),
    "edge_total": ("py", "n"),
    "edge_highest": ("py", "n"),
    "edge_lowest": ("py", "n"),
    "edge_first": ("", "nad"),
    "edge_last": ("", "nad"),
    "edge_most": ("ap", "n"),
    "edge_least": ("ap", "n"),
    "edge_above": ("pv", ""),
    "edge_below": ("pv", ""),
    "edge_at_least": ("pv", ""),
    "edge_at_most": ("pv", ""),
    "edge_equal": ("pv", ""),
    "edge_day_equal": ("v", ""),
    "edge_day_above": ("v", ""),
    "edge_day_below": ("v", ""),
    "edge_year_equal": ("v", ""),
    "edge_year_above": ("v", ""),
    "edge_year_below": ("v", ""),
    "edge_amount_above": ("v", ""),
    "edge_amount_below": ("v", ""),
    "edge_amount_at_least": ("v", ""),
    "edge_amount_at_most": ("v", ""),
    "edge_amount_equal": ("v", ""),
    "edge_gave": ("ycp", "n"),
    "edge_got": ("xcp", "n"),
}

# each kind with slots of which a frame needs one: a comparison says its property or an adjective
ALTERNATIVES = {kind: other for kind, (_, other) in SLOTS.items() if len(other) == 2}


def test_there_are_frames_of_the_known_kinds_alone() -> None:
    assert set(FRAMES.phrases) == set(SLOTS)
    assert set(FRAMES.questions) <= set(SLOTS)


@pytest.mark.parametrize("kind", SLOTS)
def test_every_frame_has_the_slots_of_its_kind(kind: str) -> None:
    always, sometimes = SLOTS[kind]
    for frame in (*FRAMES.phrases[kind], *FRAMES.questions.get(kind, ())):
        assert set(always) <= set(list_slots(frame)) <= set(always + sometimes), frame


@pytest.mark.parametrize("kind", ALTERNATIVES)
def test_every_comparison_says_what_is_compared(kind: str) -> None:
    for frame in (*FRAMES.phrases[kind], *FRAMES.questions.get(kind, ())):
        assert not set(ALTERNATIVES[kind]).isdisjoint(list_slots(frame)), frame


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
