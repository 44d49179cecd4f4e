"""Whether a text is in another language than English, by its script and its function words.

Names may be of any language: `Who directed La vie en rose?` and `Who wrote 百年孤独?` are English.
So English words speak against another language, and what begins as English does is English.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from trellis.linking.names.ordinary_words import ORDINARY_WORDS
from trellis.linking.names.spans import FUNCTION_WORDS, Span

_ENGLISH = FUNCTION_WORDS | ORDINARY_WORDS
_LEAST_LETTERS = 2  # of another script: a single one is a symbol (`α`) in English, too
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Language:
    """Words of a language that it cannot do without; `openings`: those that begin a question. Words
    that English has too tell nothing."""

    openings: frozenset[str]
    words: frozenset[str]

    @classmethod
    def of(cls, openings: str, words: str) -> _Language:
        return cls(frozenset(openings.split()), frozenset(f"{openings} {words}".split()))


_LANGUAGES = (
    _Language.of(  # Danish and Norwegian
        "hvem hva hvad hvor hvilke hvilken hvilket hvornår hvordan hvorfor vis nævn nevn",
        "og at det den de en et er var på av af til fra med for i om ikke som har mellem mellom",
    ),
    _Language.of(  # Dutch
        "wie wat welk welke waar wanneer waarom hoe hoeveel wiens geef noem toon",
        "het een is in was zijn werd heeft hebben van voor met door naar bij tussen uit niet"
        " ook dat deze dit zich kan er aan op te om of en de ligt stromen ik wij hij zij",
    ),
    _Language.of(  # French
        "qui que quel quelle quels quelles quand où comment pourquoi combien lequel laquelle"
        " quoi donne donnez liste cite citez montre trouve",
        "le la les un une des du de l d qu au aux ce cette ces est sont était a ont et ou par"
        " pour dans sur avec sans entre se sa ses leur leurs il elle ils elles on y en ne pas"
        " plus moi été",
    ),
    _Language.of(  # German
        "wer was wen wem wessen welche welcher welches welchen welchem wo wann wie warum"
        " wieviel wieviele woher wohin nenne nenn zeige zeig liste gib",
        "in so der die das den dem des ein eine einen einem einer eines ist sind war waren"
        " wird wurde wurden hat haben von vom zu zum zur mit für durch bei im am an auf aus"
        " über unter und oder nicht es er sie ihr sein seine als auch nach zwischen viele gibt"
        " mir alle",
    ),
    _Language.of(  # Italian
        "chi che cosa cos quale quali qual quando dove come perché quanto quanta quanti"
        " quante elenca mostra mostrami dimmi trova",
        "il lo la i gli le un uno una è sono era ha hanno di del dello della dei degli delle"
        " dell a al alla ai alle da dal dalla in nel nella nei nelle con per tra fra su sul"
        " sulla e o non si suo sua suoi ed stato",
    ),
    _Language.of(  # Polish
        "kto co kogo jaki jaka jakie jacy który która które którzy których gdzie kiedy jak"
        " dlaczego ile czyj wymień podaj pokaż czy",
        "jest są był była było były w we z ze na do od po za przez dla i oraz lub nie się to"
        " ten ta te tego tej przy między o u ma mają",
    ),
    _Language.of(  # Portuguese
        "quem que qual quais quando onde como porque quanto quanta quantos quantas liste"
        " mostre diga cite",
        "o a os as um uma é são foi foram tem têm de do da dos das em no na nos nas por pelo"
        " pela para com sem entre e ou não se seu sua seus ao à pelos pelas está",
    ),
    _Language.of(  # Spanish
        "quién quiénes qué cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas quien"
        " quienes que cual cuales cuando donde cuanto cuantos cuantas dime muestra muéstrame"
        " enumera lista",
        "el la los las un una unos unas es fue fueron ha han de del en por para con sin entre"
        " y o no se su sus al a lo está están",
    ),
    _Language.of(  # Swedish
        "vem vad vilken vilket vilka när var hur varför visa lista nämn",
        "och att det den de en ett är var blev har hade av för med till från på i om inte som"
        " sig mellan genom ligger finns många",
    ),
    _Language.of(  # Turkish
        "hangi nerede nereden kimin kaç nasıl neden niçin nedir kimdir hangisidir hangileridir"
        " nerededir neresidir",
        "kim ne ve ile bir bu şu için olan mı mi mu mü var yok da de göre tarafından",
    ),
)


def is_in_other_language(
    text: str, names: Sequence[Span] = (), english_words: Set[str] = frozenset()
) -> bool:
    """Whether a text is in a language that is known here and is not English; never where too little
    tells. `names`: spans that say nothing of it. `english_words`: frequent ones, in small letters,
    which need not all be English."""
    rest = list(text)
    for span in names:
        rest[span.start : span.end] = " " * (span.end - span.start)
    said = "".join(rest)
    if "¿" in said or _is_in_other_script(said):
        return True
    plain = said.lower() if said.isupper() else said
    words = [word for word in _WORD.findall(plain) if word.isalpha()]
    return any(_is_in(language, words, english_words) for language in _LANGUAGES)


def says_name_of_other_script(text: str, names: Iterable[str]) -> bool:
    """Whether a text says one of some names as it stands, which has letters that are not Latin."""
    return any(name in text for name in names if _is_in_other_script(name))


def is_other_function_word(word: str) -> bool:
    """Whether a word, in small letters, is one by which another language is told."""
    return any(word in language.words for language in _LANGUAGES)


def _is_in(language: _Language, said: Sequence[str], english_words: Set[str]) -> bool:
    """Whether more words are of a language than of English, and it does not begin as English does.
    A single one is enough where it is a question word and most of the others are not English."""
    words = [word.lower() for word in said]
    english = _ENGLISH - language.words
    plain = words[:1] + [word for word in said[1:] if word.islower()]
    own = [word for word in plain if word in language.words and word not in _ENGLISH]
    if not own or words[0] in english:
        return False
    others = [word for word in said if word.islower() and word not in language.words | english]
    known = sum(word in english_words for word in others)
    if len(own) == 1:
        is_foreign = len(others) > 0 and 2 * known <= len(others)
        return own[0] in language.openings and is_foreign and not english.intersection(words)
    return len(own) > known + sum(word in english for word in words)


def _is_in_other_script(text: str) -> bool:
    """Whether a text has letters that are not Latin, and no word in small Latin ones."""
    other = sum(char.isalpha() and not _is_latin(char) for char in text)
    words = _WORD.findall(text)
    return other >= _LEAST_LETTERS and not any(
        word[0].islower() and _is_latin(word[0]) for word in words
    )


def _is_latin(char: str) -> bool:
    return unicodedata.name(char, "").startswith("LATIN")
