"""Texts in other languages are told from English ones, whatever the names in these."""

from __future__ import annotations

import pytest

from trellis.engines.embeddings import list_english_words
from trellis.linking.names.spans import Span
from trellis.linking.questions.other_languages import is_in_other_language


def is_other(text: str, *names: str) -> bool:
    spans = [Span(text.index(name), text.index(name) + len(name)) for name in names]
    return is_in_other_language(text, spans, list_english_words())


@pytest.mark.parametrize(
    "text",
    [
        "Quelle est la capitale de la France ?",
        "Qui a écrit Hamlet ?",
        "QUELLE EST LA CAPITALE DU KENYA ?",
        "la capitale du Kenya",
        "Was ist die Hauptstadt von Deutschland?",
        "Welche Flüsse fließen durch Wien?",
        "In welchem Land liegt Wien?",
        "Wer regiert Kenia?",
        "¿Qué ríos cruzan Alemania?",
        "quien dirigió Titanic",
        "Chi ha diretto Titanic?",
        "Come si chiama il fiume di Parigi?",
        "Qual é a capital da França?",
        "Wat is de hoofdstad van Frankrijk?",
        "Kto napisał Pana Tadeusza?",
        "Vilken är Frankrikes huvudstad?",
        "Hvilke land grenser til Norge?",
        "Almanya hangi ülkelere komşudur?",
        "日本の首都は?",
        "法国的首都是哪里？",
        "프랑스의 수도는 어디인가요?",
        "Какая столица Франции?",
        "ما هي عاصمة فرنسا؟",
        "Ποια είναι η πρωτεύουσα της Γαλλίας;",
    ],
)
def test_other_languages_are_told(text: str) -> None:
    assert is_other(text)


@pytest.mark.parametrize(
    "text",
    [
        "Who wrote 百年孤独?",
        "百年孤独 author",
        "Лев Толстой books",
        "Which films did Amélie Poulain star in?",
        "Who directed La vie est belle?",
        "actors in Das Leben der Anderen",
        "director La vie en rose",
        "Is El Salvador in the Americas?",
        "Was Rome the capital of Italy?",
        "Come to think of it, who wrote Dune?",
        "Does the Rio de la Plata flow through Argentina?",
        "capital France",
        "Die Hard cast",
        "Como population",
        "Wat Pho temple",
        "Los Angeles mayor",
        "La La Land cast",
        "What does α mean?",
        "Which mRNAs does miR-21 downregulate?",
        "hello",
        "?!",
    ],
)
def test_english_with_names_of_any_language_is_english(text: str) -> None:
    assert not is_other(text)


def test_known_names_say_nothing_of_the_language() -> None:
    assert is_other("Das Leben der Anderen director")
    assert not is_other("Das Leben der Anderen director", "Das Leben der Anderen")
    assert not is_other("百年孤独", "百年孤独")
    assert is_other("百年孤独の作者は誰ですか", "百年孤独")
