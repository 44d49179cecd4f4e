"""Verbs for what nodes of one kind do to one another, and how people ask for either side of them.

`Which packages depend on perl?` and `What does perl depend on?` have the same words, and only their
order tells who depends. So such relations are asked in both directions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trellis.lexicon.label_kinds import is_person
from trellis.lexicon.plurals import make_plural
from trellis.lexicon.relations.verbs import Verb, make_gerund, make_third, make_verb

LIKE_VERBS = """accept|accuse of|activate|admire|advise|affect|agree with|alert|amend|amplify|
    annoy|answer|appoint|approve|archive|argue with|assess|assist|attack|attract|audit|avoid|
    bind to|block|bother|build on|bully|call|challenge|chase|check|choose|cite|clean|clone|
    coach|collaborate with|collide with|comment on|compete with|complement|compress|confuse|
    connect to|consult|contact|contain|contradict|control|convince|copy|correct|cover|create|
    criticise|cross|deceive|define|delay|delegate to|depend on|derive from|describe|destroy|detect|
    discover|dispute|distract|distrust|divide into|dock with|drain into|drive|educate|employ|
    enable|encourage|endorse|escort|evaluate|examine|exclude|expand|expel|explain|export to|extend|
    feed|fight|filter|finance|fire|float on|follow|forbid|force|forgive|fork|frame|free|fund|
    generate|govern|greet|group|guard|guide|hate|haunt|heal|heat|help|hide|hire|host|hunt|
    identify|ignore|imitate|implement|import from|impress|include|infect|influence|inform|inhibit|
    inspect|inspire|insult|insure|interact with|interview|introduce|invade|invest in|join|judge|
    kill|kiss|know|lead|lead to|lean on|lend to|license|like|limit|link to|listen to|load|lock|
    love|maintain|marry|match|measure|meet|mention|merge with|message|miss|mock|monitor|move|
    name|need|neighbour|nominate|notify|obey|observe|offend|open|oppose|order|outlive|outrank|
    overlap|overlook|override|oversee|own|parasitise|pardon|pass|pay|permit|phone|photograph|
    pollinate|power|praise|precede|prefer|prepare|prevent|print|produce|promote|protect|prove|
    provide|publish|punish|push|question|quote|rank above|rate|reach|recommend|recruit|
    refer to|refine|reflect|refute|refuse|regulate|reject|release|rely on|rent to|repair|replace|
    report|report to|represent|require|rescue|respect|respond to|restrict|reuse|review|reward|rob|
    route to|rule|scan|score|screen|search|secure|see|select|sell to|serve|share|ship to|
    sign|speak to|sponsor|start|stop|study|succeed|sue|suggest|summon|supervise|supply|support|
    suspect|switch to|talk to|teach|telephone|test|thank|threaten|touch|track|trade with|train|
    transfer to|translate|treat|trigger|update|use|validate|value|verify|visit|vote for|wait for|
    warn|watch|welcome|work for|worship|wrap|write to""".replace("\n", "").split("|")
"""Verbs with their prepositions, in the base form."""

_NAMES = {
    "third": 0.42,
    "base": 0.14,
    "past": 0.16,
    "gerund": 0.04,
    "done by": 0.1,
    "is done by": 0.05,
    "agent of": 0.05,
    "has agent": 0.04,
}
"""How the name of such a relation is made of its verb, and how often."""

_TURNED = frozenset(("done by", "is done by", "has agent"))
"""Names that lead from what something is done to, to what does it."""


@dataclass(frozen=True, slots=True)
class LikeVerb:
    """What nodes of one kind do to one another: a verb and the preposition behind it, if any."""

    verb: Verb
    preposition: str = ""

    @classmethod
    def parse(cls, text: str) -> LikeVerb:
        """The verb of a text such as `report to`."""
        base, _, preposition = text.strip().partition(" ")
        return cls(make_verb(base), preposition)

    def draw_name(self, choice: random.Random) -> tuple[str, bool]:
        """The words of a relation's name, and whether it leads to who does it."""
        form = choice.choices(list(_NAMES), list(_NAMES.values()))[0]
        if self.preposition and form in (*_TURNED, "agent of"):
            form = "third"
        base, done = self.verb.base, self.verb.participle
        words = {
            "third": make_third(base),
            "base": base,
            "past": self.verb.past,
            "gerund": make_gerund(base),
            "done by": f"{done} by",
            "is done by": f"is {done} by",
            "agent of": f"{self.verb.agent} of",
            "has agent": f"has {self.verb.agent}",
        }[form]
        return f"{words} {self.preposition}".strip(), form in _TURNED

    def say_relation(self, kind: str, *, is_turned: bool, is_past: bool) -> Mapping[str, Any]:
        """The phrases of a relation between nodes of a kind, as the lexicon has them: forwards and
        `back`. `is_past`: whether it is mostly said in the past."""
        wh, nouns = call_kind(kind)
        does = {
            "wh": wh,
            "nouns": self._list_agents(),
            "asks": list(self._ask_doers(nouns, wh, is_past=is_past)),
            "clauses": list(self._describe_doers(nouns, is_past=is_past)),
        }
        done = {
            "wh": wh,
            "nouns": [],
            "asks": list(self._ask_done(nouns, wh, is_past=is_past)),
            "clauses": list(self._describe_done(nouns, wh, is_past=is_past)),
        }
        return {**done, "back": does} if not is_turned else {**does, "back": done}

    def _behind(self, form: str) -> str:
        return f"{form} {self.preposition}".strip()

    def _list_agents(self) -> list[str]:
        agent = self.verb.agent
        return [] if self.preposition else [agent, make_plural(agent)]

    def _ask_doers(self, nouns: list[str], wh: str, *, is_past: bool) -> Iterator[str]:
        base, third, past = self.verb.base, make_third(self.verb.base), self.verb.past
        one, many = (past, past) if is_past else (third, base)
        yield f"{wh} {self._behind(one)} {{}}"
        yield f"which {nouns[0]} {self._behind(one)} {{}}"
        yield f"which {nouns[1]} {self._behind(many)} {{}}"
        yield f"what {nouns[1]} {self._behind(many)} {{}}"
        yield f"{wh} is {self._behind(make_gerund(base))} {{}}"
        yield f"which {nouns[1]} are {self._behind(make_gerund(base))} {{}}"
        if not self.preposition:
            done = self.verb.participle
            be = "was" if is_past else "is"
            yield f"by which {nouns[1]} {be} {{}} {done}"
            yield f"{wh} {be} {{}} {done} by"
            yield f"{{}} {be} {done} by which {nouns[0]}"
            yield f"by {'whom' if wh == 'who' else wh} {be} {{}} {done}"
            yield f"{wh} is {{}}'s {self.verb.agent}"
            yield f"{wh} is the {self.verb.agent} of {{}}"
            yield f"which {make_plural(self.verb.agent)} does {{}} have"

    def _describe_doers(self, nouns: list[str], *, is_past: bool) -> Iterator[str]:
        base, third, past = self.verb.base, make_third(self.verb.base), self.verb.past
        one, many = (past, past) if is_past else (third, base)
        yield f"{nouns[1]} that {self._behind(many)} {{}}"
        yield f"the {nouns[1]} which {self._behind(many)} {{}}"
        yield f"the {nouns[0]} that {self._behind(one)} {{}}"
        yield f"{nouns[1]} {self._behind(make_gerund(base))} {{}}"
        yield f"everything that {self._behind(one)} {{}}"
        if not self.preposition:
            yield f"{{}}'s {self.verb.agent}"
            yield f"{make_plural(self.verb.agent)} of {{}}"

    def _ask_done(self, nouns: list[str], wh: str, *, is_past: bool) -> Iterator[str]:
        base, done = self.verb.base, self.verb.participle
        do = "did" if is_past else "does"
        yield f"{wh} {do} {{}} {self._behind(base)}"
        yield f"which {nouns[0]} {do} {{}} {self._behind(base)}"
        yield f"which {nouns[1]} {do} {{}} {self._behind(base)}"
        yield f"what {nouns[1]} {do} {{}} {self._behind(base)}"
        yield f"{wh} is {{}} {self._behind(make_gerund(base))}"
        if self.preposition:
            yield f"{self.preposition} which {nouns[1]} {do} {{}} {base}"
        else:
            be, are = ("was", "were") if is_past else ("is", "are")
            yield f"which {nouns[1]} {are} {done} by {{}}"
            yield f"which {nouns[0]} {be} {done} by {{}}"
            yield f"{wh} {be} {done} by {{}}"
            yield f"whose {self.verb.agent} is {{}}"
            yield f"{wh} is {{}} the {self.verb.agent} of"
            yield f"{wh} has {{}} as {self.verb.agent}"

    def _describe_done(self, nouns: list[str], wh: str, *, is_past: bool) -> Iterator[str]:
        one = self._behind(self.verb.past if is_past else make_third(self.verb.base))
        yield f"{nouns[1]} that {{}} {one}"
        yield f"the {nouns[0]} that {{}} {one}"
        yield f"the {nouns[1]} {{}} {one}"
        yield f"{wh} {{}} {one}"
        if not self.preposition:
            yield f"{nouns[1]} {self.verb.participle} by {{}}"
            yield f"everything {self.verb.participle} by {{}}"
            yield f"{nouns[1]} whose {self.verb.agent} is {{}}"


def call_kind(kind: str) -> tuple[str, list[str]]:
    """The word that asks for nodes of a kind, and what one of them and several are called."""
    several = "people" if kind == "person" else make_plural(kind)
    return "who" if is_person([kind]) else "what", [kind, several]


_VERBS = tuple(map(LikeVerb.parse, LIKE_VERBS))


def draw_like_verb(choice: random.Random) -> LikeVerb:
    """One of the verbs."""
    return choice.choice(_VERBS)
