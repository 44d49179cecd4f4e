"""Phrases that the name of a relation alone gives: `flows into`, `written by`, `wrote`, `heads`.

What a name says is read by its form: a passive verb with `by`, an active verb, words that end in a
preposition, or else a noun. An active verb says the same as the passive one the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from trellis.lexicon.names import PREPOSITIONS, NameWords, strip_endings
from trellis.lexicon.phrases import Phrases
from trellis.lexicon.plurals import make_plural
from trellis.lexicon.verbs import Verb, name_agent, read_participle, read_past

_ONE = ("the one", "the thing")  # where the kind of node is not known
_PASSIVE = frozenset(("is", "was", "are", "were", "be"))
_PRESENT = re.compile(r"\w{2,}[^su\W]s")  # flows, lies, uses


def read_as_passive(name: NameWords) -> NameWords:
    """An active verb such as `directed` as the inverse of `directed by`; other names unchanged."""
    words = name.core.split()
    verb = read_past(words[0]) if len(words) == 1 and name.words[0] not in _PASSIVE else None
    if verb is None:
        return name
    return replace(name, words=(verb.participle, "by"), inverse=not name.inverse)


def read_present_verb(name: NameWords) -> str:
    """The verb of a name such as `flows into`, in its base form; empty for names without one."""
    first, *others = name.core.split()
    is_verb = bool(_PRESENT.fullmatch(first)) and bool(others) and others[-1] in PREPOSITIONS
    return " ".join((strip_endings(first), *others)) if is_verb else ""


def derive_phrases(name: NameWords, back: bool, types: tuple[str, ...]) -> Phrases:
    """The phrases for a step; `back`: whether it goes against the name, `types`: nouns for the
    nodes at its end."""
    words = name.core.split()
    if words[-1] == "by":
        return _say_passive(words, back, types)
    if words[-1] in PREPOSITIONS:
        return _say_verb(name.core, _ask_with_preposition(name, types), back, types)
    if len(words) == 1 and words[0].endswith("s") and types:
        base = strip_endings(words[0])
        said = _say_verb(name.core, _ask_what(types, f"does {{}} {base}"), back, types)
        return replace(said, nouns=(base, name_agent(base), *said.nouns)) if back else said
    if back:
        asks = (f"whose {name.noun} is {{}}", f"what has {{}} as {name.noun}")
        return Phrases(types, asks, _add_types(types, f"whose {name.noun} is {{}}"), types)
    return Phrases((name.noun, *types), (), (), types)


def _say_passive(words: Sequence[str], back: bool, types: tuple[str, ...]) -> Phrases:
    """The phrases of `written by`: back from who wrote, `what did {} write`."""
    core, verb = " ".join(words), read_participle(words[0]) if len(words) == 2 else None
    if back:
        asks = (f"what was {core} {{}}", *(_ask_active(verb, types) if verb else ()))
        return Phrases(types, asks, _add_types(types, f"{core} {{}}"), types)
    past = verb.past if verb else " ".join(words[:-1])
    asks = (f"who {past} {{}}", *(f"which {noun} {past} {{}}" for noun in types))
    nouns = (verb.agent, make_plural(verb.agent)) if verb else ()
    clauses = _add_types(types, f"that {past} {{}}") if types else ()
    return Phrases(nouns, (*asks, f"{{}} was {core} whom"), clauses, types, "who")


def _ask_active(verb: Verb, types: Sequence[str]) -> tuple[str, ...]:
    done = (f"did {{}} {verb.base}", f"has {{}} {verb.participle}")
    return tuple(ask for each in done for ask in _ask_what(types, each))


def _ask_with_preposition(name: NameWords, types: Sequence[str]) -> tuple[str, ...]:
    if base := read_present_verb(name):
        return _ask_what(types, f"does {{}} {base}")
    first, *others = name.core.split()
    verb = read_past(first)
    was = (f"what is {{}} {name.core}",)
    return (*was, *_ask_what(types, f"did {{}} {verb.base} {' '.join(others)}")) if verb else was


def _say_verb(core: str, asks: tuple[str, ...], back: bool, types: tuple[str, ...]) -> Phrases:
    """The phrases of a verb such as `flows into`; `asks`: for where it leads to."""
    if not back:
        return Phrases(types, (*asks, f"{{}} {core} what"), (), types)
    asks = (f"what {core} {{}}", f"who {core} {{}}", *(f"which {t} {core} {{}}" for t in types))
    return Phrases(types, asks, _add_types(types, f"that {core} {{}}"), types)


def _ask_what(types: Sequence[str], rest: str) -> tuple[str, ...]:
    return (f"what {rest}", *(f"which {noun} {rest}" for noun in types))


def _add_types(types: Sequence[str], rest: str) -> tuple[str, ...]:
    return tuple(f"{noun} {rest}" for noun in types or _ONE)
