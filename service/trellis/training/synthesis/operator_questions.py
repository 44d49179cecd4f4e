"""Questions with operators, made from the schema: not, or, more than, the most, how many, is it so.

Each kind of question is a method that draws its words and its query together, so that what is
asked and what is answered cannot part. The words come from the frames of `operators.json` around
those of relations, labels and properties; the queries are plain Cypher, in topics `t0`, `t1`, ….
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from trellis.domain.graph import Step
from trellis.domain.identifiers import quote_name
from trellis.domain.schema import LabelKind, PropertyKind, Schema
from trellis.steps.shared.phrases import make_plural
from trellis.training.synthesis.asked_sets import AskedSet, Chain, Hop, SetDrawer, Topic, Topics
from trellis.training.synthesis.frames import Frames
from trellis.training.synthesis.phrasebook import Phrasebook, Phrases
from trellis.training.synthesis.property_phrases import (
    PropertyPhrases,
    is_number,
    is_ordered,
    is_year,
)
from trellis.training.synthesis.verb_phrases import (
    find_behind_be,
    make_base,
    negate_predicate,
)

_TRIES = 8
_NAMELESS = 0.35  # probability that a comparison with a number says the property by its own phrases
_UNIT = 0.5  # probability of a unit behind a number
_ROWS = (2, 3, 3, 3, 4, 5, 5, 5, 6, 7, 8, 9, 10, 10, 12, 15, 20)
_FILTERED = 0.2  # probability that a set which is counted or ranked has a filter too


@dataclass(frozen=True, slots=True)
class DrawnQuestion:
    """A question, its query, and the topics that both have."""

    text: str
    cypher: str
    topics: tuple[Topic, ...]


@dataclass(frozen=True, slots=True)
class _Said:
    """The words of a question and its query."""

    text: str
    cypher: str


@dataclass(frozen=True, slots=True)
class _Property:
    """A property of a label, its phrases, and one of its nouns."""

    owner: str
    kind: PropertyKind
    phrases: PropertyPhrases
    noun: str

    @property
    def name(self) -> str:
        return quote_name(self.kind.name)

    @property
    def known(self) -> str:
        """The condition that a node has a value, where some have none."""
        return f"n.{self.name} IS NOT NULL" if self.kind.share < 1 else ""


class OperatorQuestions:
    """Draws questions of all kinds. Equal seeds give equal ones."""

    def __init__(self, schema: Schema, book: Phrasebook, frames: Frames, seed: int) -> None:
        self._random = random.Random(seed)
        self._sets = SetDrawer(schema, book, self._random)
        self._schema, self._book, self._frames = schema, book, frames
        self._topics = Topics()
        self._kinds: Mapping[Callable[[], _Said | None], float] = {
            self._ask_path: 30.0,
            self._ask_both: 7.0,
            self._ask_property: 11.0,
            self._ask_by_value: 2.5,
            self._ask_edge_property: 1.5,
            self._ask_for_set: 26.0,
            self._ask_but_not: 3.0,
            self._ask_either: 5.0,
            self._ask_neither: 1.0,
            self._ask_count: 6.0,
            self._ask_how_many: 4.0,
            self._ask_best: 9.0,
            self._ask_richest: 4.0,
            self._ask_aggregate: 2.0,
            self._ask_property_each: 1.0,
            self._compare_two: 5.0,
            self._compare_two_counts: 2.0,
            self._ask_whether: 7.0,
            self._ask_whether_more: 3.0,
            self._ask_whether_value: 1.0,
            self._ask_whether_any: 1.5,
        }

    def draw_question(self) -> DrawnQuestion | None:
        """A question; None where the schema has nothing of the kind that was drawn."""
        ask = self._random.choices(list(self._kinds), list(self._kinds.values()))[0]
        for _ in range(_TRIES):
            self._topics = Topics()
            said = ask()
            if said is not None:
                text = self._sets.asker.add_noise(said.text, "")
                return DrawnQuestion(text, said.cypher, tuple(self._topics.listed))
        return None

    # --- paths and what they lead to

    def _ask_path(self) -> _Said | None:
        """The nodes at the end of a path, asked in the words of its last relation."""
        kind = self._sets.draw_label()
        chain = self._sets.draw_chain(kind.label, self._topics)
        if chain is None:
            return None
        label, chain = self._open_label(kind.label, chain)
        text = self._sets.asker.ask_last_step(chain.phrases, chain.inner)
        asked = AskedSet(label, "", text, (chain.write(),))
        return _Said(text, f"{asked.write()}RETURN DISTINCT n")

    def _open_label(self, label: str, chain: Chain) -> tuple[str, Chain]:
        """The label that is asked for: none, mostly, where the path may lead to several."""
        first = chain.hops[0]
        ends = self._sets.list_ends(first.label, Hop(first.type, not first.is_back, label))
        if len(ends) < 2 or self._random.random() < 0.3:
            return label, chain
        return "", replace(chain, phrases=self._sets.find_phrases(None, first))

    def _ask_both(self) -> _Said | None:
        kind = self._sets.draw_label()
        first = self._sets.draw_chain(kind.label, self._topics, self._pick_length())
        second = self._sets.draw_chain(kind.label, self._topics, 1)
        if first is None or second is None:
            return None
        a, b = self._sets.pick_predicate(first), self._sets.pick_predicate(second)
        noun = self._sets.pick_noun(kind.label)
        text: str | None = None
        if a and b and self._random.random() < 0.7:
            text = self._fill("both", n=noun, a=a, b=b)
        if text is None:
            asked = AskedSet(kind.label, noun, noun).restrict("", match=first.write())
            described = self._sets.describe_set(AskedSet(kind.label, noun, noun), first)
            if described is None or b is None:
                return None
            asked = replace(asked, text=described)
            text = self._ask_list(f"{described} that {b}")
        asked = AskedSet(kind.label, noun, noun, (first.write(), second.write()))
        return _Said(text, f"{asked.write()}RETURN DISTINCT n")

    def _pick_length(self) -> int:
        return 1 if self._random.random() < 0.75 else 2

    # --- properties

    def _ask_property(self) -> _Said | None:
        """A property of a named node, or of one that a path leads to."""
        found = self._draw_property()
        if found is None:
            return None
        kind = self._sets.labels[found.owner]
        if self._random.random() < 0.62 and kind.naming:
            name = self._topics.add_name(kind)
            where = f"(n:{quote_name(kind.label)} {{{quote_name(kind.naming)}: '{name}'}})"
            return _Said(self._say_property(found, name), f"MATCH {where} RETURN n.{found.name}")
        chain = self._sets.draw_chain(kind.label, self._topics, self._pick_length())
        if chain is None:
            return None
        inner = self._sets.asker.make_noun_phrase(chain.phrases, chain.inner)
        asked = AskedSet(kind.label, "", inner, (chain.write(),))
        text = self._say_property(found, inner)
        return _Said(text, f"{asked.write()}RETURN DISTINCT n.{found.name}")

    def _say_property(self, found: _Property, name: str) -> str:
        if found.phrases.asks and self._random.random() < 0.6:
            return self._pick(found.phrases.asks).replace("{}", name)
        return self._fill("property", p=found.noun, x=name) or f"{found.noun} of {name}"

    def _say_noun(self, found: _Property, adjectives: tuple[str, ...]) -> str | None:
        """The noun of a property beside a comparison; None where an adjective has to say it."""
        if adjectives and (is_year(found.kind) or self._flip(0.6)):
            return None
        return found.noun

    def _draw_property(self, *, ordered: bool = False) -> _Property | None:
        """A property of a label that can be asked for; `ordered`: whose values can be compared."""
        owned = [
            (kind, each)
            for kind in self._sets.labels.values()
            for each in kind.properties
            if each.name != kind.naming and (not ordered or is_ordered(each))
        ]
        if not owned:
            return None
        weights = [max(1, kind.count) ** 0.3 for kind, _ in owned]
        kind, each = self._random.choices(owned, weights)[0]
        return self._find_property(kind.label, each)

    def _find_property(self, owner: str, kind: PropertyKind) -> _Property:
        phrases = self._book.property_phrases(owner, kind)
        return _Property(owner, kind, phrases, self._pick(phrases.nouns or (kind.name,)))

    def _ask_by_value(self) -> _Said | None:
        """The nodes that have a value."""
        found = self._draw_property()
        if found is None or found.kind.type not in ("STRING", "INTEGER", "FLOAT"):
            return None
        noun = self._sets.pick_noun(found.owner)
        value = self._add_value(found)
        said = f"{value}" if found.kind.type != "STRING" else f"'{value}'"
        where = f"MATCH (n:{quote_name(found.owner)}) WHERE n.{found.name} = {said} RETURN n"
        draw = self._random.random()
        if found.phrases.which and draw < 0.5:
            text = self._pick(found.phrases.which).replace("{n}", noun).replace("{}", value)
        elif found.phrases.equal and draw < 0.75:
            text = self._ask_list(f"{noun} {self._pick(found.phrases.equal).replace('{}', value)}")
        else:
            asked = self._fill_either("equal", s=noun, p=found.noun, v=value)
            if asked is None:
                return None
            text = asked
        return _Said(text, where)

    def _add_value(self, found: _Property) -> str:
        if found.kind.type == "STRING":
            return self._topics.add_value(found.owner, found.kind.name)
        return self._add_number(found.kind)

    def _ask_edge_property(self) -> _Said | None:
        """A property of the relationship between two named nodes."""
        owned = [
            (kind, each)
            for kind in self._schema.relationships
            for each in self._schema.relationship_properties.get(kind.type, ())
            if kind.start_label and kind.end_label
        ]
        if not owned:
            return None
        kind, each = self._random.choice(owned)
        start, end = self._sets.labels[kind.start_label], self._sets.labels[kind.end_label]
        phrases = self._book.property_phrases(kind.type, each)
        asks = [ask for ask in phrases.asks if "{other}" in ask]
        if not asks or not start.naming or not end.naming:
            return None
        one, other = self._topics.add_name(start), self._topics.add_name(end)
        hop = Hop(kind.type, False, end.label)
        ends = f"(:{quote_name(end.label)} {{{quote_name(end.naming)}: '{other}'}})"
        first = f"(n:{quote_name(start.label)} {{{quote_name(start.naming)}: '{one}'}})"
        text = self._pick(asks).replace("{other}", other).replace("{}", one)
        return _Said(text, f"MATCH {first}{hop.write(ends, 'r')} RETURN r.{quote_name(each.name)}")

    def _ask_property_each(self) -> _Said | None:
        found = self._draw_property()
        asked = found and self._sets.draw_set(found.owner, self._topics, 1)
        if found is None or asked is None:
            return None
        text = self._fill("property_each", p=found.noun, s=asked.text)
        return (text and _Said(text, f"{asked.write()}RETURN DISTINCT n, n.{found.name}")) or None

    # --- sets and their filters

    def _ask_for_set(self) -> _Said | None:
        """All of a set, mostly with an operator in its description."""
        asked = self._draw_label_set()
        if asked is None:
            return None
        if asked.is_bare and self._random.random() < 0.16:
            return self._ask_all(asked)
        for _ in range(2 if self._random.random() < 0.06 else 1):
            restricted = self._restrict_set(asked)
            if restricted is None:
                return None
            asked, is_question = restricted
            if is_question:
                return _Said(asked.text, f"{asked.write()}RETURN {asked.distinct}n")
        return self._ask_all(asked)

    def _ask_all(self, asked: AskedSet) -> _Said:
        return _Said(self._ask_list(asked.text), f"{asked.write()}RETURN {asked.distinct}n")

    def _draw_label_set(self) -> AskedSet | None:
        return self._sets.draw_set(self._sets.draw_label().label, self._topics)

    def _draw_filtered_set(self, label: str | None = None) -> AskedSet | None:
        """A set, now and then with an operator in its description."""
        asked = self._sets.draw_set(label or self._sets.draw_label().label, self._topics)
        if asked is None or self._random.random() >= _FILTERED:
            return asked
        for _ in range(_TRIES):
            restricted = self._restrict_set(asked)
            if restricted is not None and not restricted[1]:
                return restricted[0]
        return None

    def _ask_list(self, text: str) -> str:
        """A request for all of a set."""
        draw = self._random.random()
        if draw < 0.2:
            return text
        if draw < 0.55:
            return f"{self._pick(('which', 'what', 'which', 'name', 'list', 'show me'))} {text}"
        return self._fill("list", s=text) or text

    def _restrict_set(self, asked: AskedSet) -> tuple[AskedSet, bool] | None:
        """The set with one more operator, and whether its words are a whole question."""
        ways: Mapping[Callable[[AskedSet], tuple[AskedSet, bool] | None], float] = {
            self._deny_chain: 3.5,
            self._deny_any: 2.5,
            self._need_any: 1.2,
            self._compare_number: 6.5,
            self._compare_thing: 4.5,
            self._compare_count: 5.0,
        }
        return self._random.choices(list(ways), list(ways.values()))[0](asked)

    def _deny_chain(self, asked: AskedSet) -> tuple[AskedSet, bool] | None:
        """Those of a set that a chain does not lead to: `rivers in v0 that do not rise in v1`."""
        chain = self._sets.draw_chain(asked.label, self._topics, 1)
        predicate = chain and self._sets.pick_predicate(chain)
        if chain is None or predicate is None:
            return None
        condition = f"NOT EXISTS {{ (n){chain.write()} }}"
        denied = negate_predicate(predicate, self._random)
        kind = "not" if self._random.random() < 0.7 else "except"
        return self._fill_set(kind, asked, condition, a=predicate, c=denied)

    def _deny_any(self, asked: AskedSet) -> tuple[AskedSet, bool] | None:
        """Those of a set that have no such relationship at all: `countries without a coast`."""
        return self._restrict_to_any(asked, "without", "NOT EXISTS", lambda phrases: phrases.none)

    def _need_any(self, asked: AskedSet) -> tuple[AskedSet, bool] | None:
        return self._restrict_to_any(asked, "with", "EXISTS", lambda phrases: phrases.some)

    def _restrict_to_any(
        self,
        asked: AskedSet,
        kind: str,
        exists: str,
        idioms_of: Callable[[Phrases], tuple[str, ...]],
    ) -> tuple[AskedSet, bool] | None:
        hop = self._sets.draw_hop(asked.label)
        if hop is None:
            return None
        ends = self._sets.list_ends(asked.label, hop)
        end = f"(:{quote_name(hop.label)})" if len(ends) == 1 else "()"
        condition = f"{exists} {{ (n){hop.write(end)} }}"
        idioms = idioms_of(self._book.phrases_of(Step(hop.type, hop.is_back), None))
        if idioms and self._random.random() < 0.6:
            idiom = self._pick(idioms)
            if asked.is_bare or idiom.startswith("{n}"):
                return asked.restrict(idiom.replace("{n}", asked.text), condition), False
        noun = self._sets.find_noun(asked.label, hop)
        return self._fill_set(kind, asked, condition, o=noun)

    def _compare_number(self, asked: AskedSet) -> tuple[AskedSet, bool] | None:
        """Those of a set whose property is above or below a number, or between two."""
        found = self._draw_ordered(asked.label)
        if found is None or not is_number(found.kind):
            return None
        kind = self._random.choices(
            ("above", "below", "at_least", "at_most", "between", "equal"), (10, 10, 3, 3, 2, 1)
        )[0]
        first = self._add_number(found.kind)
        value = self._add_unit(first, found)
        column = f"n.{found.name}"
        if kind == "between":
            second = self._add_number(found.kind)
            condition = f"{column} >= {first} AND {column} <= {second}"
            last = self._add_unit(second, found)
            return self._fill_set(kind, asked, condition, p=found.noun, v=first, w=last)
        sign = {"above": ">", "below": "<", "at_least": ">=", "at_most": "<=", "equal": "="}[kind]
        phrases: tuple[str, ...] = getattr(found.phrases, kind)
        if phrases and self._random.random() < 1 - _NAMELESS:
            text = f"{asked.text} {self._pick(phrases).replace('{}', first)}"
            return asked.restrict(text, f"{column} {sign} {first}"), False
        things = found.phrases.things
        if things and kind in ("above", "below", "at_least", "at_most") and self._flip(0.4):
            counted = {"o": self._pick(things), "v": first}
            return self._fill_set(f"number_{kind}", asked, f"{column} {sign} {first}", **counted)
        return self._fill_set(kind, asked, f"{column} {sign} {first}", p=found.noun, v=value)

    def _compare_thing(self, asked: AskedSet) -> tuple[AskedSet, bool] | None:
        """Those of a set that have more of a property than a named node."""
        found = self._draw_ordered(asked.label)
        if found is None:
            return None
        is_more = self._flip(0.65)
        kind = self._sets.labels[asked.label]
        if not kind.naming:
            return None
        name = self._topics.add_name(kind)
        sign = ">" if is_more else "<"
        other = f"MATCH (m:{quote_name(kind.label)} {{{quote_name(kind.naming)}: '{name}'}})"
        restricted = self._fill_comparison(asked, found, name, is_more=is_more)
        if restricted is None:
            return None
        text, is_question = restricted
        condition = f"n.{found.name} {sign} m.{found.name}"
        return replace(asked.restrict(text, condition), before=other), is_question

    def _fill_comparison(
        self, asked: AskedSet, found: _Property, name: str, *, is_more: bool
    ) -> tuple[str, bool] | None:
        """The words for those of a set that are above or below a thing."""
        verbs = found.phrases.exceeds if is_more else found.phrases.trails
        if verbs and self._flip(0.3):
            verb = self._pick(verbs).replace("{}", name)
            return f"{asked.text} {self._pick(('that', 'which'))} {verb}", False
        adjectives = found.phrases.more if is_more else found.phrases.less
        slots = {
            "s": asked.text,
            "x": name,
            "p": self._say_noun(found, adjectives),
            "m": self._pick(adjectives) if adjectives else None,
        }
        kind = "above_thing" if is_more else "below_thing"
        return self._fill_both(kind, **slots)

    def _compare_count(self, asked: AskedSet) -> tuple[AskedSet, bool] | None:
        """Those of a set that have more, fewer or just so many of something."""
        hop = self._sets.draw_many(asked.label)
        if hop is None:
            return None
        kind, sign = self._random.choices(
            (
                ("above", ">"),
                ("below", "<"),
                ("at_least", ">="),
                ("at_most", "<="),
                ("exactly", "="),
            ),
            (10, 5, 8, 3, 6),
        )[0]
        number = self._topics.add_number(
            self._random.choice((1, 2, 2, 3, 3, 4, 5, 5, 6, 8, 10, 12))
        )
        noun = self._make_plural(self._sets.find_noun(asked.label, hop))
        condition = f"{self._write_number_of(asked.label, hop)} {sign} {number}"
        return self._fill_set(f"number_{kind}", asked, condition, o=noun, v=number)

    def _write_number_of(self, label: str, hop: Hop, node: str = "n") -> str:
        several = len(self._sets.list_ends(label, hop)) > 1
        end = "()" if several else f"(:{quote_name(hop.label)})"
        return f"COUNT {{ ({node}){hop.write(end)} }}"

    def _draw_ordered(self, label: str) -> _Property | None:
        """A property of a label whose values can be compared."""
        ordered = [
            each
            for each in self._sets.labels[label].properties
            if is_ordered(each) and each.name != self._sets.labels[label].naming
        ]
        return self._find_property(label, self._random.choice(ordered)) if ordered else None

    def _fill_set(
        self, kind: str, asked: AskedSet, condition: str, **slots: str | None
    ) -> tuple[AskedSet, bool] | None:
        filled = self._fill_both(kind, s=asked.text, n=asked.noun, **slots)
        return (asked.restrict(filled[0], condition), filled[1]) if filled else None

    # --- two conditions with an operator between them

    def _ask_but_not(self) -> _Said | None:
        """One condition that holds and one that does not."""
        kind = self._sets.draw_label()
        first = self._sets.draw_chain(kind.label, self._topics, self._pick_length())
        if first is None:
            return None
        noun = self._sets.pick_noun(kind.label)
        predicate = self._sets.pick_predicate(first)
        if self._flip(0.5):
            second = self._repeat_chain(kind.label, first)
            if second is None:
                return None
            names = self._fill("but_not_name", x=first.inner, y=second.inner)
            if names is None:
                return None
            if predicate is None or self._flip(0.2):
                text = self._ask_list(self._sets.asker.make_noun_phrase(first.phrases, names))
            else:
                said = self._sets.pick_predicate(first, names)
                text = self._ask_list(f"{noun} {self._pick(('that', 'which', ''))} {said}")
        else:
            second = self._sets.draw_chain(kind.label, self._topics, 1)
            other = second and self._sets.pick_predicate(second)
            if second is None or predicate is None or other is None:
                return None
            denied = negate_predicate(other, self._random)
            filled = self._fill("but_not", n=noun, a=predicate, c=denied, d=make_base(other))
            if filled is None:
                return None
            text = filled
        condition = f"NOT EXISTS {{ (n){second.write()} }}"
        asked = AskedSet(kind.label, noun, text, (first.write(),), (condition,))
        return _Said(text, f"{asked.write()}RETURN DISTINCT n")

    def _repeat_chain(self, label: str, chain: Chain) -> Chain | None:
        """The same hops to another name."""
        end = self._sets.labels[chain.hops[-1].label]
        name = self._topics.add_name(end)
        words = chain.inner.replace(chain.topic, name)
        return replace(chain, topic=name, inner=words)

    def _ask_either(self) -> _Said | None:
        """One or the other: of names, mostly, else of two conditions."""
        kind = self._sets.draw_label()
        chain = self._sets.draw_chain(kind.label, self._topics, self._pick_length())
        if chain is None:
            return None
        end = self._sets.labels[chain.hops[-1].label]
        names = [chain.topic, self._topics.add_name(end)]
        if self._flip(0.3):
            names.append(self._topics.add_name(end))
        slots = dict(zip("xyz", names, strict=False))
        if len(names) == 3:
            either = self._fill_with_all("or", slots)
        else:
            either = self._fill("or", **slots)
        if either is None:
            return None
        text = self._ask_either_way(kind, chain, names, either)
        listed = ", ".join(f"'{name}'" for name in names)
        pattern = chain.write().replace(f" {{{quote_name(chain.naming)}: '{chain.topic}'}}", "")
        cut = pattern.rindex("(")
        pattern = f"{pattern[:cut]}(m{pattern[cut + 1 :]}"
        asked = AskedSet(
            kind.label, "", text, (pattern,), (f"m.{quote_name(chain.naming)} IN [{listed}]",)
        )
        counted = self._flip(0.07)
        if counted:
            text = self._fill("count", s=self._describe_either(kind, chain, either)) or text
            return _Said(text, f"{asked.write()}RETURN count(DISTINCT n)")
        return _Said(text, f"{asked.write()}RETURN DISTINCT n")

    def _ask_either_way(self, kind: LabelKind, chain: Chain, names: list[str], either: str) -> str:
        draw = self._random.random()
        if draw < 0.35 and chain.phrases.asks:
            inner = chain.inner.replace(chain.topic, either)
            return self._sets.asker.ask_last_step(chain.phrases, inner)
        if draw < 0.5 and len(names) == 2:
            a = self._sets.pick_predicate(chain)
            b = a and a.replace(chain.topic, names[1])
            noun = self._sets.pick_noun(kind.label)
            filled = self._fill("or_verb", n=noun, a=a, b=b) if a else None
            if filled:
                return filled
        return self._ask_list(self._describe_either(kind, chain, either))

    def _describe_either(self, kind: LabelKind, chain: Chain, either: str) -> str:
        """The noun phrase of a chain with alternatives in place of its name."""
        noun = self._sets.pick_noun(kind.label)
        inner = replace(chain, inner=chain.inner.replace(chain.topic, either))
        described = self._sets.describe_set(AskedSet(kind.label, noun, noun), inner)
        return described or self._sets.asker.make_noun_phrase(chain.phrases, inner.inner)

    def _ask_neither(self) -> _Said | None:
        kind = self._sets.draw_label()
        asked = self._sets.draw_set(kind.label, self._topics, 1 if self._flip(0.5) else 0)
        first = self._sets.draw_chain(kind.label, self._topics, 1)
        if asked is None or first is None:
            return None
        if self._flip(0.5):
            second = self._repeat_chain(kind.label, first)
        else:
            second = self._sets.draw_chain(kind.label, self._topics, 1)
        if second is None:
            return None
        a, b = self._sets.pick_predicate(first), self._sets.pick_predicate(second)
        text = self._fill("neither", n=asked.text, a=a, b=b) if a and b else None
        if text is None:
            return None
        conditions = tuple(f"NOT EXISTS {{ (n){each.write()} }}" for each in (first, second))
        asked = replace(asked, conditions=(*asked.conditions, *conditions))
        return _Said(text, f"{asked.write()}RETURN {asked.distinct}n")

    # --- numbers of things, and the most of them

    def _ask_count(self) -> _Said | None:
        asked = self._draw_filtered_set()
        if asked is None:
            return None
        text = self._fill("count", s=asked.text)
        return (text and _Said(text, f"{asked.write()}RETURN count(DISTINCT n)")) or None

    def _ask_how_many(self) -> _Said | None:
        """How many of something a named node has."""
        kind = self._sets.draw_label()
        chain = self._sets.draw_chain(kind.label, self._topics, 1)
        if chain is None:
            return None
        label, chain = self._open_label(kind.label, chain)
        nouns = chain.phrases.nouns or chain.phrases.types
        if not nouns:
            return None
        noun = self._make_plural(self._pick(nouns))
        text = self._fill("how_many_of", o=noun, x=chain.inner)
        predicate = self._sets.pick_predicate(chain)
        if predicate and self._flip(0.4):
            text = f"{self._pick(('how many', 'what number of'))} {self._sets.pick_noun(kind.label)} {predicate}"
            label = kind.label
        asked = AskedSet(label, "", "", (chain.write(),))
        return (text and _Said(text, f"{asked.write()}RETURN count(DISTINCT n)")) or None

    def _ask_best(self) -> _Said | None:
        """The first of a set by a property, or the first few, or the second."""
        found = self._draw_property(ordered=True)
        asked = found and self._draw_filtered_set(found.owner)
        if found is None or asked is None:
            return None
        is_most = self._flip(0.68)
        adjectives = found.phrases.most if is_most else found.phrases.least
        slots: dict[str, str | None] = {
            "s": asked.text,
            "n": asked.noun,
            "p": self._say_noun(found, adjectives),
            "t": self._pick(adjectives) if adjectives else None,
        }
        ranked = self._rank_in_words(slots, found, is_most=is_most)
        if ranked is None:
            return None
        text, rows = ranked
        order = f"ORDER BY n.{found.name}{' DESC' if is_most else ''} {rows}"
        query = asked.write(*filter(None, [found.known]))
        return _Said(text, f"{query}RETURN {asked.distinct}n {order}")

    def _rank_in_words(
        self, slots: dict[str, str | None], found: _Property, *, is_most: bool
    ) -> tuple[str, str] | None:
        """The words of a superlative, and the rows that it takes."""
        kind = "most" if is_most else "least"
        ranks = {kind: 12.0, f"{kind}_k": 5.0, "tops": 3.0}
        ranks |= {"second": 2.0, "third": 0.8} if is_most else {"second_least": 0.8}
        rank = self._random.choices(list(ranks), list(ranks.values()))[0]
        if rank == "tops":
            phrases = found.phrases.tops if is_most else found.phrases.bottoms
            if not phrases:
                return None
            said = f"{slots['s']} {self._pick(phrases)}"
            start = self._pick(("which", "what is the", "the", "which is the", "what", "name the"))
            return f"{start} {said}", "LIMIT 1"
        if rank.endswith("_k"):
            rows = self._random.choice(_ROWS)
            number = self._topics.add_number(rows)
            text = self._fill_with_all(rank, {**slots, "k": number}, "k")
            return (text, f"LIMIT {rows}") if text else None
        text = self._fill(rank, **slots)
        skip = {"second": "SKIP 1 ", "third": "SKIP 2 ", "second_least": "SKIP 1 "}.get(rank, "")
        return (text, f"{skip}LIMIT 1") if text else None

    def _ask_richest(self) -> _Said | None:
        """The first of a set by how many of something it has."""
        asked = self._draw_label_set()
        hop = asked and self._sets.draw_many(asked.label)
        if asked is None or hop is None:
            return None
        is_most = self._flip(0.8)
        noun = self._make_plural(self._sets.find_noun(asked.label, hop))
        slots: dict[str, str | None] = {"s": asked.text, "n": asked.noun, "o": noun}
        if is_most and self._flip(0.25):
            rows = self._random.choice(_ROWS)
            number = self._topics.add_number(rows)
            text = self._fill_with_all("most_of_k", {**slots, "k": number}, "k")
        else:
            rows = 1
            text = self._fill("most_of" if is_most else "least_of", **slots)
        count = self._write_number_of(asked.label, hop)
        order = f"ORDER BY {count}{' DESC' if is_most else ''} LIMIT {rows}"
        single = asked.ask_existence()
        return (text and _Said(text, f"{single.write()}RETURN n {order}")) or None

    def _ask_aggregate(self) -> _Said | None:
        found = self._draw_property(ordered=True)
        if found is None or not is_number(found.kind):
            return None
        asked = self._sets.draw_set(found.owner, self._topics)
        if asked is None:
            return None
        kind, function = self._random.choice(
            (
                ("total", "sum"),
                ("average", "avg"),
                ("highest_value", "max"),
                ("lowest_value", "min"),
            )
        )
        text = self._fill(kind, p=found.noun, s=asked.text)
        return (text and _Said(text, f"{asked.write()}RETURN {function}(n.{found.name})")) or None

    # --- two things compared

    def _compare_two(self) -> _Said | None:
        """Which of two named nodes has more of a property."""
        found = self._draw_property(ordered=True)
        kind = found and self._sets.labels[found.owner]
        if found is None or kind is None or not kind.naming:
            return None
        is_more = self._flip(0.7)
        one, other = self._topics.add_name(kind), self._topics.add_name(kind)
        adjectives = found.phrases.more if is_more else found.phrases.less
        slots = {
            "x": one,
            "y": other,
            "p": self._say_noun(found, adjectives),
            "m": self._pick(adjectives) if adjectives else None,
        }
        things = found.phrases.things
        if is_more and things and self._flip(0.3):
            text = self._fill("of_more", o=self._pick(things), x=one, y=other)
        else:
            text = self._fill("greater_of_two" if is_more else "lesser_of_two", **slots)
        where = f"MATCH (n:{quote_name(kind.label)}) WHERE n.{quote_name(kind.naming)} IN ['{one}', '{other}']"
        order = f"ORDER BY n.{found.name}{' DESC' if is_more else ''} LIMIT 1"
        return (text and _Said(text, f"{where} RETURN n {order}")) or None

    def _compare_two_counts(self) -> _Said | None:
        """Which of two named nodes has more of something."""
        kind = self._sets.draw_label()
        hop = self._sets.draw_many(kind.label)
        if hop is None or not kind.naming:
            return None
        noun = self._make_plural(self._sets.find_noun(kind.label, hop))
        one, other = self._topics.add_name(kind), self._topics.add_name(kind)
        text = self._fill("of_more", o=noun, x=one, y=other)
        where = f"MATCH (n:{quote_name(kind.label)}) WHERE n.{quote_name(kind.naming)} IN ['{one}', '{other}']"
        order = f"ORDER BY {self._write_number_of(kind.label, hop)} DESC LIMIT 1"
        return (text and _Said(text, f"{where} RETURN n {order}")) or None

    # --- yes or no

    def _ask_whether(self) -> _Said | None:
        """Whether two named nodes are related."""
        kind = self._sets.draw_label()
        chain = self._sets.draw_chain(kind.label, self._topics, 1)
        if chain is None or not kind.naming:
            return None
        name = self._topics.add_name(kind)
        predicate = self._sets.pick_predicate(chain)
        text: str | None = None
        if chain.phrases.nouns and self._flip(0.3 if predicate else 1.0):
            text = self._fill(
                "whether_not_noun", o=self._pick(chain.phrases.nouns), x=chain.topic, y=name
            )
        elif predicate and (behind := find_behind_be(predicate)):
            text = self._fill("whether_is", x=name, e=behind)
        elif predicate:
            text = self._fill("whether_verb", x=name, a=predicate, d=make_base(predicate))
        end = self._sets.labels[chain.hops[0].label]
        assert end.naming
        one = f"(n:{quote_name(kind.label)} {{{quote_name(kind.naming)}: '{name}'}})"
        other = f"(m:{quote_name(end.label)} {{{quote_name(end.naming)}: '{chain.topic}'}})"
        related = f"EXISTS {{ (n){chain.hops[0].write('(m)')} }}"
        return (text and _Said(text, f"MATCH {one}, {other} RETURN {related}")) or None

    def _ask_whether_more(self) -> _Said | None:
        found = self._draw_property(ordered=True)
        kind = found and self._sets.labels[found.owner]
        if found is None or kind is None or not kind.naming:
            return None
        is_more = self._flip(0.7)
        one, other = self._topics.add_name(kind), self._topics.add_name(kind)
        verbs = found.phrases.exceeds if is_more else found.phrases.trails
        adjectives = found.phrases.more if is_more else found.phrases.less
        if verbs and self._flip(0.3):
            text: str | None = f"does {one} {self._pick(verbs).replace('{}', other)}"
        else:
            text = self._fill(
                "whether_more" if is_more else "whether_less",
                x=one,
                y=other,
                p=self._say_noun(found, adjectives),
                m=self._pick(adjectives) if adjectives else None,
            )
        naming, label = quote_name(kind.naming), quote_name(kind.label)
        ends = f"(n:{label} {{{naming}: '{one}'}}), (m:{label} {{{naming}: '{other}'}})"
        sign = ">" if is_more else "<"
        query = f"MATCH {ends} RETURN n.{found.name} {sign} m.{found.name}"
        return _Said(text, query) if text else None

    def _ask_whether_value(self) -> _Said | None:
        found = self._draw_property(ordered=True)
        kind = found and self._sets.labels[found.owner]
        if found is None or kind is None or not kind.naming or not is_number(found.kind):
            return None
        is_more = self._flip(0.6)
        name, number = self._topics.add_name(kind), self._add_number(found.kind)
        value = self._add_unit(number, found)
        frame = "whether_above" if is_more else "whether_below"
        text = self._fill(frame, x=name, p=found.noun, v=value)
        one = f"(n:{quote_name(kind.label)} {{{quote_name(kind.naming)}: '{name}'}})"
        sign = ">" if is_more else "<"
        return (text and _Said(text, f"MATCH {one} RETURN n.{found.name} {sign} {number}")) or None

    def _ask_whether_any(self) -> _Said | None:
        kind = self._sets.draw_label()
        hop = self._sets.draw_hop(kind.label)
        if hop is None or not kind.naming:
            return None
        name = self._topics.add_name(kind)
        text = self._fill("whether_any", x=name, o=self._sets.find_noun(kind.label, hop))
        one = f"(n:{quote_name(kind.label)} {{{quote_name(kind.naming)}: '{name}'}})"
        ends = self._sets.list_ends(kind.label, hop)
        end = f"(:{quote_name(hop.label)})" if len(ends) == 1 else "()"
        return (
            text and _Said(text, f"MATCH {one} RETURN EXISTS {{ (n){hop.write(end)} }}")
        ) or None

    # --- words and numbers

    def _add_number(self, kind: PropertyKind) -> str:
        """A number like those that a property has, unlike the question's others."""
        examples = [e for e in kind.examples if isinstance(e, int | float)] or [50, 500, 5_000]
        taken = {topic.number for topic in self._topics.listed}
        number = float(self._random.choice(examples)) * self._random.choice((0.5, 0.8, 1, 1.5, 2))
        rounded = (
            float(f"{number:.2g}") if number > 3_000 or kind.type == "FLOAT" else round(number)
        )
        value = int(rounded)
        while value in taken:
            value += 1
        return self._topics.add_number(value)

    def _add_unit(self, number: str, found: _Property) -> str:
        units = found.phrases.units
        return f"{number} {self._pick(units)}" if units and self._flip(_UNIT) else number

    def _fill(self, kind: str, **slots: str | None) -> str | None:
        return self._frames.fill_phrase(kind, self._random, **slots)

    def _fill_with_all(
        self, kind: str, slots: Mapping[str, str | None], needed: str = ""
    ) -> str | None:
        """A frame that has all the slots, or those needed."""
        for _ in range(_TRIES):
            text = self._fill(kind, **slots)
            if text and all(f"{slots[name]}" in text for name in needed or slots):
                return text
        return None

    def _fill_both(self, kind: str, **slots: str | None) -> tuple[str, bool] | None:
        """A phrase, or now and then a whole question, and which of them it is."""
        if kind in self._frames.questions and self._flip(0.35):
            question = self._frames.fill_question(kind, self._random, **slots)
            if question:
                return question, True
        phrase = self._fill(kind, **slots)
        return (phrase, False) if phrase else None

    def _fill_either(self, kind: str, **slots: str | None) -> str | None:
        """A whole question of a kind, made of a phrase where that is drawn."""
        filled = self._fill_both(kind, **slots)
        if filled is None:
            return None
        return filled[0] if filled[1] else self._ask_list(filled[0])

    def _make_plural(self, noun: str) -> str:
        return noun if noun.endswith("s") or self._flip(0.1) else make_plural(noun)

    def _pick(self, options: tuple[str, ...]) -> str:
        return self._random.choice(options)

    def _flip(self, probability: float) -> bool:
        return self._random.random() < probability
