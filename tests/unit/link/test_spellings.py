"""Which spellings are one, and which are not."""

from __future__ import annotations

import pytest

from trellis.linking.names.closeness import measure_closeness
from trellis.linking.names.spellings import make_singular_keys, make_spelling_keys
from trellis.linking.text import put_article_first, put_article_last
from trellis.linking.values.literals import question_keys, stored_keys


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Schindler's List", "schindlers list"),
        ("Spider-Man", "Spiderman"),
        ("Spider-Man", "spider man"),
        ("AC/DC", "ACDC"),
        ("Mr. & Mrs. Smith", "Mr and Mrs Smith"),
        ("Côte d'Ivoire", "Cote dIvoire"),
        ("Łódź", "Lodz"),
        ("Æthelred", "Aethelred"),
        ("frank_lloyd_wright", "Frank Lloyd Wright"),
        ("ＮＨＫ", "nhk"),
        ("Ελλάδα", "ΕΛΛΑΔΑ"),
        ("Йошкар-Ола", "йошкар ола"),
        ("Rocky II", "rocky 2"),
        ("Henry VIII", "Henry 8"),
        ("nine to five", "9 to 5"),
        ("1,234", "1234"),
        ("1 234 567", "1,234,567"),
        ("4/08/2017", "4 August 2017"),
        ("4/08/2017", "August 4th, 2017"),
        ("04.08.2017", "4th of August 2017"),
        ("2017-08-04", "Aug 4 2017"),
        ("12/25/1999", "1999-12-25"),
    ],
)
def test_spellings_of_one_name_share_a_key(one: str, other: str) -> None:
    assert set(make_spelling_keys(one)) & set(make_spelling_keys(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.5", "15"),
        ("two", "2"),  # alone it is a word
        ("It", "IT's"),
        ("2017-08-04", "2017-08-05"),
        ("4/08/2017", "5 August 2017"),
        ("हिन्दी", "हिन्दू"),
        ("北京", "東京"),
    ],
)
def test_other_names_share_none(one: str, other: str) -> None:
    assert not set(make_spelling_keys(one)) & set(make_spelling_keys(other))


@pytest.mark.parametrize("text", ["", "?!", " - ", "..."])
def test_marks_alone_spell_nothing(text: str) -> None:
    assert make_spelling_keys(text) == ()


def test_what_is_no_date_has_no_day() -> None:
    assert make_spelling_keys("31/31/2017") == ("31312017",)
    assert make_spelling_keys("99 May 2017") == ("99may2017",)


def test_singulars() -> None:
    assert make_singular_keys("Two Countries") == ("2countrie", "2country")
    assert make_singular_keys("Kansas Cities") == ("kansascitie", "kansascity")
    assert make_singular_keys("Paris Match") == ()
    assert make_singular_keys("Is") == ()


@pytest.mark.parametrize(
    ("text", "nearer", "farther"),
    [
        ("Einstein", "Albert Einstein", "Einsteinium Falls of the North"),
        ("Grosman", "Ladislav Grosman", "Mark Rosman"),  # as it is said, not with a letter wrong
        ("Schindlers List", "Schindler's List", "Schindler List"),
        ("Frnace", "France", "Greece"),
        ("Rhein", "Rhine", "Rhine Falls"),
    ],
)
def test_closeness_puts_the_likelier_name_first(text: str, nearer: str, farther: str) -> None:
    assert measure_closeness(text, nearer) > measure_closeness(text, farther)


def test_closeness_of_the_same_and_of_nothing() -> None:
    assert measure_closeness("COTE D'IVOIRE", "Côte d’Ivoire") == 1.0
    assert measure_closeness("?", "What") == 0.0
    assert measure_closeness("abc", "xyz") == 0.0


@pytest.mark.parametrize(
    ("text", "name"), [("100000", "V-1000"), ("V-1009", "V-1010"), ("Euro 1996", "Euro 1992")]
)
def test_another_number_is_no_misspelling(text: str, name: str) -> None:
    assert measure_closeness(text, name) == 0.0


def test_a_number_may_be_left_out_and_have_a_zero_before_it() -> None:
    assert measure_closeness("Apolo", "Apollo 13") > 0.5
    assert measure_closeness("08/04/2017", "8/04/2017") > 0.9


@pytest.mark.parametrize(
    ("text", "name", "is_like"),
    [
        ("Mount Doom", "Mount Hood", False),
        ("Lake Como", "Lake Como", True),
        ("Mount Elbruz", "Mount Elbrus", True),
        ("Mt Everest", "Mount Everest", True),
        ("Saint Petersberg", "Saint Petersburg", True),
    ],
)
def test_another_word_is_no_spelling(text: str, name: str, is_like: bool) -> None:
    assert (measure_closeness(text, name) > 0.75) is is_like


@pytest.mark.parametrize(
    ("first", "last"),
    [("The Long Hedge", "Long Hedge, The"), ("An Owl", "Owl, An"), ("a day out", "day out, a")],
)
def test_an_article_may_stand_behind_its_name(first: str, last: str) -> None:
    assert put_article_last(first) == last
    assert put_article_first(last) == first
    assert set(question_keys(first)) & set(stored_keys(last))


@pytest.mark.parametrize("name", ["Theo", "Hedge", "Hedge, Ann", "the", "The"])
def test_other_names_have_no_article(name: str) -> None:
    assert not put_article_last(name)
    assert not put_article_first(name)
