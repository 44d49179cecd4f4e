"""How texts are cut into passages and sentences."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from trellis.domain.graphs.texts import Passage
from trellis.graph.texts.indexing import split_passages
from trellis.steps.retrieve.described.sentences import find_telling_part, split_sentences

TEXTS = st.lists(st.sampled_from(["a", "long", "words,", "end.", "\n", "  ", "é"]), max_size=900)


@given(TEXTS)
def test_passages_hold_every_word_and_overlap(parts: list[str]) -> None:
    text = " ".join(parts)
    passages = list(split_passages(text))
    inside = [text[start:end] for start, end in passages]
    assert " ".join(" ".join(inside).split()) != "" or not text.split()
    assert set(text.split()) == {word for part in inside for word in part.split()}
    assert all(len(part.split()) <= 150 for part in inside)
    assert all(after[0] < before[1] for before, after in pairwise(passages))


def test_data_is_no_word_and_long_texts_are_cut() -> None:
    assert list(split_passages("x" * 1_000_000)) == []
    assert len(list(split_passages("word " * 1_000_000))) == 50


def test_sentences_stand_in_the_text() -> None:
    text = "It is a fork of an older player. See 4.2 for more of it! Yes."
    passage = Passage("description", 7, text, 900)
    found = list(split_sentences(passage))
    assert [each.text for each in found] == [
        "It is a fork of an older player.",
        "See 4.2 for more of it!",
    ]
    assert all(text[each.start - 7 :].startswith(each.text) for each in found)


def test_the_telling_part_of_a_passage_is_shown() -> None:
    before, after = "It plays music of all kinds. " * 20, " It has many themes, too." * 20
    said = "A fork of an older player, it reads radio streams."
    passage = Passage("description", 5, before + said + after, 2_000)
    part = find_telling_part(passage, "which player reads radio streams?")
    assert part.text.startswith(said)
    assert part.start == 5 + len(before)
    assert len(part.text) <= 300
    assert part.text.endswith("too.")
    short = Passage("description", 0, said, len(said))
    assert find_telling_part(short, "which one?") == short
    endless = Passage("description", 0, "word " * 200, 1_000)
    assert len(find_telling_part(endless, "which word?").text) <= 300
