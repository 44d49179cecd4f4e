"""The words that made graphs are made of: kinds of things, relations, properties and their values.

They are those of the project's lexicon. `leave_out` keeps some of its concepts out, so that what a
reader does with words that it never saw can be measured.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from trellis.lexicon.label_kinds import is_agent, is_person, is_place, is_time

Entry = Mapping[str, Any]

_TIME_WORDS = frozenset(
    """date on at when start end due expires created updated modified hired joined departure arrival
    opened founded released built dob born died time deadline delivered shipped ordered
    since""".split()  # noqa: SIM905
)

TEXT_VALUES: Mapping[str, Sequence[str]] = {
    "status": ("open", "closed", "pending", "in progress", "on hold", "cancelled", "completed"),
    "gender": ("male", "female", "other"),
    "colour": ("red", "green", "blue", "black", "white", "yellow"),
    "level": ("beginner", "intermediate", "advanced", "expert"),
    "priority": ("low", "medium", "high", "urgent"),
    "size": ("small", "medium", "large", "extra large"),
    "type": ("internal", "external", "mixed", "temporary", "permanent"),
    "category": ("standard", "premium", "basic", "special", "luxury"),
    "material": ("wood", "steel", "glass", "plastic", "stone", "leather"),
    "season": ("spring", "summer", "autumn", "winter"),
    "condition": ("new", "used", "refurbished", "broken", "good"),
    "weather": ("sunny", "rainy", "cloudy", "windy", "snowy"),
    "payment method": ("cash", "credit card", "bank transfer", "cheque", "voucher"),
    "style": ("modern", "classical", "baroque", "gothic", "romantic", "abstract"),
    "blood group": ("A", "B", "AB", "O"),
    "marital status": ("single", "married", "divorced", "widowed"),
    "role": ("lead", "member", "advisor", "observer", "reserve", "deputy"),
    "shift": ("day", "night", "evening", "weekend"),
    "severity": ("mild", "moderate", "severe", "critical"),
    "region": ("north", "south", "east", "west", "central"),
    "kind": ("public", "private", "shared", "hybrid"),
    "format": ("digital", "printed", "audio", "video"),
    "fuel": ("petrol", "diesel", "electric", "hybrid", "hydrogen"),
    "language": ("English", "French", "German", "Spanish", "Arabic", "Chinese"),
    "currency": ("EUR", "USD", "GBP", "JPY"),
    "grade": ("A", "B", "C", "D", "F"),
    "diet": ("vegan", "vegetarian", "gluten free", "halal", "kosher"),
    "occupation": ("teacher", "engineer", "nurse", "farmer", "lawyer", "cook"),
    "country": ("France", "Italy", "Japan", "Brazil", "Kenya", "Canada"),
    "genre": ("comedy", "drama", "horror", "documentary", "adventure", "romance"),
    "position": ("left", "right", "centre", "front", "back"),
    "result": ("won", "lost", "drawn", "abandoned"),
}
"""Properties whose values are few texts."""

FLAGS: Sequence[str] = tuple(
    """active|is active|verified|is verified|hidden|archived|deleted|enabled|public|is public|
    private|retired|injured|suspended|married|employed|has parking|has wifi|has pool|has garden|
    has balcony|accepts cards|allows pets|offers delivery|open on sundays|wheelchair accessible|
    is captain|is manager|is primary|is default|mandatory|optional|paid|refunded|shipped|delivered|
    approved|rejected|cancelled|confirmed|completed|is urgent|recurring|vegetarian|vegan|organic|
    recyclable|fragile|heated|furnished|insured|certified|licensed|accredited|protected|endangered|
    extinct|toxic|contagious|chronic|hereditary|available|in stock|discontinued|on sale|featured|
    is remote|full time|part time|temporary|locked|encrypted|deprecated|stable|
    tested|signed|published|reviewed|is draft|favourite|premium|subscribed|blocked|
    vaccinated|allergic|smoker|is veteran|is student|tax exempt|is emergency|
    overdue|renewable|imported|exported|handmade|waterproof|electric|automatic|
    coastal|inhabited|navigable|historic|independent|bilingual""".replace("\n", "").split("|")
)
"""Properties that are true or false."""


@dataclass(frozen=True)
class MadeVocabulary:
    """What graphs are made of.

    `relations`: the lexicon's concepts of relations. `kinds`: names of kinds of things. `numbers`,
    `times`, `texts`: entries of the lexicon of properties, by what their values are.
    """

    relations: tuple[Entry, ...]
    kinds: tuple[str, ...]
    numbers: tuple[Entry, ...]
    times: tuple[Entry, ...]
    texts: tuple[Entry, ...]

    @classmethod
    def load(cls, leave_out: frozenset[str] = frozenset()) -> MadeVocabulary:
        """The vocabulary of the lexicon, without the concepts and kinds of some names."""
        lexicon, properties = _read_entries("lexicon.json"), _read_entries("properties.json")
        relations = tuple(each for id, each in lexicon["concepts"].items() if id not in leave_out)
        kinds = tuple(name.strip() for name in lexicon["types"] if name not in leave_out)
        kept = [each for each in properties if each["names"][0] not in leave_out]
        numbers = tuple(each for each in kept if each.get("units") or each.get("things"))
        others = [each for each in kept if not (each.get("units") or each.get("things"))]
        times = tuple(each for each in others if _is_time(each))
        texts = tuple(each for each in others if not _is_time(each))
        return cls(relations, kinds, numbers, times, texts)


def list_kinds_for(wh: str, nouns: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """Those of some kinds that a relation's nouns name; else those that a question word asks for:
    persons by `who`, places by `where`."""
    named = [kind for kind in kinds if kind in nouns]
    return named or [kind for kind in kinds if _asks_for(wh, kind)]


def _asks_for(wh: str, kind: str) -> bool:
    match wh:
        case "who":
            return is_person([kind]) or is_agent([kind])
        case "where":
            return is_place([kind])
        case "when":
            return is_time([kind])
        case _:
            return not (is_person([kind]) or is_time([kind]))


def _is_time(entry: Entry) -> bool:
    words = {word for name in entry["names"][:3] for word in name.split()}
    return bool(entry.get("above")) and not words.isdisjoint(_TIME_WORDS | {"year"})


def _read_entries(name: str) -> Any:
    return json.loads(resources.files("trellis.lexicon").joinpath(name).read_text("utf-8"))


def draw_some(options: Sequence[Any], most: int, choice: random.Random) -> list[Any]:
    """Up to `most` different options."""
    return choice.sample(options, min(most, len(options)))
