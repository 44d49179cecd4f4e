"""Makes queries that keep Neo4j busy beyond any timeout, or take what is ours, by their kinds.

Lengths, alphabets, nesting and spelling vary; values stand as texts or as parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from trellis.domain.structures.cypher import CypherQuery

_ALPHABETS = ("ab", "xyz", "éüß", "日本語", "Ωж", "😀🎉")
_CLASSES = ("[a-z]", ".", r"\w", r"\S", "[^0-9]", "(?:a)", "[a-zé]", "a")
_ADDED = (
    "s + {t}",
    "s || {t}",
    "{t} + s",
    "s + {t} + i",
    "CASE WHEN i > 0 THEN s + {t} ELSE s END",
)
_WHOLES = ("n {{.*}}", "properties(n)", "n {{.*, more: 1}}", "`properties`(n)", "n {{.name, .*}}")
_HIDES = (
    "collect({whole})",
    "collect(DISTINCT {whole})",
    "[x IN collect(n) | x {{.*}}]",
    "[{whole}]",
    "{{it: {whole}}}",
    "collect([{{a: {whole}}}])",
    "COLLECT {{ MATCH (m) RETURN m {{.*}} }}",
    "head(collect({whole}))",
    "size(toString(collect({whole})))",
)


class HostileWriter:
    """Writes hostile queries, each drawn by `chance`."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._params: dict[str, Any] = {}

    @property
    def kinds(self) -> Mapping[str, Callable[[], str]]:
        return {
            "a reduce that gathers": self._write_gathering,
            "a costly regular expression": self._write_regex,
            "a regular expression in a loop": self._write_looped_regex,
            "a regular expression on a property": self._write_property_regex,
            "deep nesting": self._write_nesting,
            "a long chain": self._write_chain,
            "a loop beside a long text": self._write_loop,
            "multiplied UNWINDs": self._write_unwinds,
            "a whole map in a list": self._write_whole,
            "a property of ours by a text": self._write_key,
            "a label or an index of ours by a text": self._write_label,
        }

    def write(self, kind: str) -> CypherQuery:
        """A query of a kind."""
        self._params = {}
        text = self.kinds[kind]()
        return CypherQuery(text, self._params)

    def _choose(self, *options: str) -> str:
        return self._chance.choice(options)

    def _give(self, value: Any) -> str:
        """A value as a parameter or, of texts, at times written out, with or without escapes."""
        if isinstance(value, str) and len(value) < 3_000 and self._chance.random() < 0.5:
            return f"'{self._escape(value)}'"
        name = f"p{len(self._params)}"
        self._params[name] = value
        return f"${name}"

    def _escape(self, text: str) -> str:
        written = text.replace("\\", "\\\\").replace("'", "\\'")
        if len(text) > 300 or "\\" in text or self._chance.random() < 0.5:
            return written
        at = self._chance.randrange(len(text)) if text else 0
        if not text or ord(text[at]) > 0xFFFF or text[at] in "'\\":
            return written
        return f"{text[:at]}\\u{ord(text[at]):04x}{text[at + 1 :]}"

    def _make_text(self, least: int, most: int) -> str:
        alphabet = self._chance.choice(_ALPHABETS)
        return "".join(self._chance.choices(alphabet, k=self._chance.randint(least, most)))

    def _write_gathering(self) -> str:
        steps = self._chance.randint(101, 10_000)
        over = self._choose(
            f"range(1, {steps})",
            f"range(1, {self._give(steps)})",
            self._give([1] * steps),
            "collect(n.name)",
            f"split({self._give(self._make_text(200, 900))}, '')",
            "n.names",
        )
        added = self._choose(self._give(self._make_text(20, 9_900)), "n.text", "[i]", "[i, n.name]")
        body = self._choose(*_ADDED).format(t=added)
        begin = self._choose("''", "'x'", "[]", "0", "n.name", "[0]")
        reduced = f"reduce(s = {begin}, i IN {over} | {body})"
        return f"MATCH (n:City) RETURN size({reduced}) AS {self._choose('x', '`a b`')}"

    def _write_regex(self) -> str:
        pattern = "".join(
            f"{self._choose(*_CLASSES)}{self._choose('*', '+', '{0,}')}" for _ in "123"
        )
        subject = self._give("a" * self._chance.randint(600, 9_900))
        return f"RETURN {subject} =~ {self._give(pattern + self._choose('', '9', 'b'))} AS x"

    def _write_looped_regex(self) -> str:
        pattern = f"{self._choose(*_CLASSES)}*{self._choose(*_CLASSES)}*9"
        over = self._choose("range(1, 10000)", "collect(n.name)", "n.names", self._give([1] * 500))
        subject = self._choose("n.name", self._give("a" * self._chance.randint(1_000, 9_900)))
        test = f"{subject} =~ {self._give(pattern)}"
        return "MATCH (n:City) RETURN " + self._choose(
            f"[x IN {over} WHERE {test} | x]",
            f"any(x IN {over} WHERE {test})",
            f"size([x IN {over} | {test}])",
        )

    def _write_property_regex(self) -> str:
        pattern = "".join(f"{self._choose(*_CLASSES)}{self._choose('*', '+')}" for _ in "123")
        subject = self._choose(
            "n.name", "toLower(n.name)", "t", "n.name + t", "$s + $s", "reverse(t)", "n['name']"
        )
        self._params["s"] = "a" * self._chance.randint(1, 9_900)
        return f"MATCH (n) WITH n, $s AS t WHERE {subject} =~ {self._give(pattern)} RETURN n"

    def _write_nesting(self) -> str:
        deep = self._chance.randint(101, 1_000)
        before, after = self._chance.choice(
            (
                ("(", ")"),
                ("[", "]"),
                ("{a: ", "}"),
                ("abs(", ")"),
                ("NOT (", ")"),
                ("-(", ")"),
                ("CASE WHEN true THEN ", " END"),
                ("toString (", ")"),
                ("[0, ", ", 1]"),
            )
        )
        return f"RETURN {before * deep}true{after * deep} AS x"

    def _write_chain(self) -> str:
        count = self._chance.randint(101, 1_200)
        few = self._chance.randint(6, 30)
        return self._choose(
            f"RETURN {'NOT ' * count}true AS x",
            f"RETURN {'not/**/' * count}true AS x",
            f"RETURN {'- ' * count}1 AS x",
            f"RETURN {'NOT NOT ' * 60}{'(' * 50}true{')' * 50} AS x",
            f"MATCH (n:{'!' * count}City) RETURN n",
            f"MATCH (n) WHERE {' XOR '.join(f'n.a > {i}' for i in range(few))} RETURN n",
            f"MATCH (n) WHERE {'EXISTS { MATCH (n) WHERE ' * few}true{'}' * few} RETURN n",
            f"{'CALL { ' * few}RETURN 1 AS a{'} RETURN a' * few}",
            f"RETURN {'+'.join('1' for _ in range(few + 60))} AS x",
            f"MATCH (:City){'--()' * (count // 6)} RETURN 1 AS x",
            f"{'WITH 1 AS a ' * count}RETURN a"[:9_900],
            f"MATCH (n) WHERE {' OR '.join(f'n.a = {i}' for i in range(count))} RETURN n",
        )

    def _write_loop(self) -> str:
        text = self._give(self._make_text(1_500, 9_900))
        over = self._choose("range(1, 9999)", "collect(n.name)", "n.names", self._give([1] * 3_000))
        made = self._choose(
            f"split({text}, '')", f"{text} + x", f"toUpper({text})", f"reverse({text})"
        )
        return f"MATCH (n:City) RETURN size([x IN {over} | {made}]) AS x"

    def _write_unwinds(self) -> str:
        size, over = self._chance.randint(60, 100), self._chance.randint(3, 6)
        given = self._give([1] * size)
        self._params["l"] = [1] * size
        clauses = " ".join(f"UNWIND {self._choose(given, 'l', '$l')} AS x{i}" for i in range(over))
        return f"WITH $l AS l {clauses} RETURN count(*)"

    def _write_whole(self) -> str:
        whole = self._choose(*_WHOLES).format()
        return self._choose(
            f"MATCH (n:City) RETURN {self._choose(*_HIDES).format(whole=whole)} AS x",
            f"MATCH (n:City) WITH {whole} AS m RETURN collect(m) AS x",
            f"MATCH (n:City) WITH {whole} AS return RETURN collect(return) AS x",
            f"MATCH (n) CALL (n) {{ RETURN {whole} AS m }} RETURN collect(m) AS x",
        )

    def _write_key(self) -> str:
        name = self._choose("_trellis_vector", "_TRELLIS_name", "_Trellis_id", "_trellis_key")
        half = self._chance.randint(1, len(name) - 1)
        key = self._choose(
            self._give(name),
            f"'{name[:half]}' + '{name[half:]}'",
            f"reverse('{name[::-1]}')",
            f"{self._give(name[:half])} + {self._give(name[half:])}",
            "k",
            "head(keys(n))",
            f"toLower('{name}')",
            "keys(n)[0]",
            f"CASE WHEN true THEN '{name}' END",
        )
        return self._choose(
            f"MATCH (n:City) UNWIND keys(n) AS k RETURN n[{key}] AS x",
            f"MATCH (`n`:City) RETURN [k IN keys(`n`) | `n`[{key}]] AS x",
            f"MATCH (yield:City) WITH yield AS n, 'a' AS k RETURN properties(n)[{key}] AS x",
            f"MATCH (in:City) WITH in AS in, in AS n, 'a' AS k RETURN in[{key}] AS x",
            f"MATCH (n:City) UNWIND range(1, 2) AS k UNWIND keys(n) AS k RETURN n[{key}] AS x",
        )

    def _write_label(self) -> str:
        label = self._choose("_TrellisMeta", "_trellisrelation", "_TRELLISLABEL")
        index = self._choose("_trellis_relation_vector", "_trellis_label_vector")
        half = self._chance.randint(1, len(index) - 1)
        given = self._choose(
            self._give(label), f"[{self._give(label)}][0]", "'_Tre' + 'llisMeta'", "k"
        )
        name = self._choose(self._give(index), f"'{index[:half]}' + '{index[half:]}'", "k")
        vector = self._give([0.1] * 8)
        return self._choose(
            f"WITH 'City' AS k MATCH (n:$({given})) RETURN n",
            f"WITH 'City' AS k MATCH (n:$any({given})) RETURN n",
            f"WITH 'City' AS k MATCH (n IS $({given})) RETURN count(n)",
            f"WITH 'x' AS k CALL db.index.vector.queryNodes({name}, 5, {vector}) "
            "YIELD node RETURN node",
            f"WITH 'x' AS k CALL db . index.`vector`.queryNodes ({name}, 5, {vector}) "
            "YIELD node RETURN node",
        )
