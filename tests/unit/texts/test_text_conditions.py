"""What questions want texts to say, and where a text says it."""

from __future__ import annotations

import pytest

from trellis.linking.questions.text_conditions import SaidPhrase, find_text_condition


@pytest.mark.parametrize(
    ("question", "head", "phrases"),
    [
        ("Which plans mention emergency assistance?", "Which plans ", ["emergency assistance"]),
        ("films whose plot mentions a lighthouse", "films whose plot ", ["lighthouse"]),
        ("packages whose description contains MIDI", "packages whose description ", ["MIDI"]),
        ("How many plans talk about the dental care?", "How many plans ", ["dental care"]),
        ("List plans mentioning both jpeg and exif.", "List plans ", ["jpeg", "exif"]),
        (
            "Which films describe wars, storms and floods?",
            "Which films ",
            ["wars", "storms", "floods"],
        ),
        ('Which plans say "search and rescue"?', "Which plans ", ["search and rescue"]),
        ("Which tools mention the word “C++”", "Which tools ", ["C++"]),
        ("Which films mention the University of Oslo?", "Which films ", ["University of Oslo"]),
    ],
)
def test_what_texts_should_say_is_read(question: str, head: str, phrases: list[str]) -> None:
    condition = find_text_condition(question)
    assert condition is not None
    assert question[: condition.start] == head
    assert [phrase.text for phrase in condition.phrases] == phrases
    assert not condition.is_choice
    assert not condition.is_negated


def test_one_of_several_phrases_may_be_enough() -> None:
    condition = find_text_condition("Which plans mention either dental care or glasses?")
    assert condition is not None
    assert condition.is_choice
    assert [phrase.text for phrase in condition.phrases] == ["dental care", "glasses"]


def test_the_text_may_be_named_behind_the_phrase() -> None:
    condition = find_text_condition("Which packages mention MIDI in their short summary?")
    assert condition is not None
    assert (condition.phrases[0].text, condition.place) == ("MIDI", "short summary")


@pytest.mark.parametrize(
    "question", ["Which plans do not mention wine?", "plans that never mention wine"]
)
def test_a_denial_is_read(question: str) -> None:
    condition = find_text_condition(question)
    assert condition is not None
    assert condition.is_negated


@pytest.mark.parametrize(
    "question",
    [
        "Which plan covers dental care?",
        "Which packages are mentioned by kate?",
        "Which package describes itself as a fast editor?",
        "Which packages mention how to print?",
        "Which packages that mention Qt are written in Perl?",
        "Which packages mention Qt and are written in Perl?",
        "Which packages mention subtitles and not karaoke?",
        "Which packages mention it?",
        "Which packages mention jpeg and exif or png?",
        "Which packages mention?",
        "What is the description of kate?",
        "Which packages describe a small program that plays music?",
        "Which tools describe correcting the tags of many songs at once?",
    ],
)
def test_other_questions_want_nothing_said(question: str) -> None:
    assert find_text_condition(question) is None


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("dental care", "It pays for DENTAL\ncare."),
        ("subtitles", "a subtitle-editor"),
        ("emergency", "In emergencies, call."),
        ("plan", "Planning ahead"),
        ("game", "for gaming"),
        ("class", "of two classes"),
        ("news", "reads news"),
        ("café", "in the Café"),
        ("cafe", "in the Café"),
        ("C++", "written in C++."),
        ("drop-in replacement", "a drop-in replacement for"),
    ],
)
def test_a_text_says_a_phrase_in_other_forms(phrase: str, text: str) -> None:
    place = read_phrase(phrase).find(text)
    assert place is not None
    assert text[place[0] : place[1]].strip() != ""


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("dental care", "Dental. Care of teeth."),
        ("dental care", "care that is dental"),
        ("MIDI", "in the middle"),
        ("planet", "planes and plans"),
        ("police", "a policy"),
        ("general", "generates"),
        ("music", "musical"),
        ("plan", "two planes"),
        ("news", "new things"),
        ("C++", "written in C"),
        ("bird", "blackbird"),
    ],
)
def test_what_is_only_like_it_is_not_said(phrase: str, text: str) -> None:
    assert read_phrase(phrase).find(text) is None


def test_what_is_quoted_is_said_letter_by_letter() -> None:
    quoted = read_phrase('"subtitle"')
    assert quoted.find("many subtitles") is None
    assert quoted.find("One Subtitle, two") == (4, 12)


def read_phrase(text: str) -> SaidPhrase:
    condition = find_text_condition(f"Which plans mention {text}?")
    assert condition is not None
    [phrase] = condition.phrases
    return phrase
