"""The gate's rules by themselves: tables of what passes and what does not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellis.domain.errors import QueryError, QuerySyntaxError, RefusedQueryError
from trellis.domain.identifiers import quote_name
from trellis.domain.structures.cypher import Plan
from trellis.graph.gate.growth import check_growth
from trellis.graph.gate.parameters import DEEPEST, MOST_VALUES, check_parameters
from trellis.graph.gate.plans import check_plan
from trellis.graph.gate.regexes import measure_regex
from trellis.graph.gate.texts import check_text
from trellis.graph.gate.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a.b", ["a", ".", "b"]),
        ("1..3", ["1", ".", ".", "3"]),
        ("1.5e-3 x", ["1.5e-3", "x"]),
        ("'a\\'b' \"c\\\"d\"", ["a'b", 'c"d']),
        ("`a``b`", ["a`b"]),
        ("a // b\nc /* d\n */ e", ["a", "c", "e"]),
        ("'// no comment' `/* none */`", ["// no comment", "/* none */"]),
        ("'\\u00e9' `\\u005c`", ["é", "\\"]),
        ("a;", ["a"]),
    ],
)
def test_a_text_is_read_as_neo4j_reads_it(text: str, said: list[str]) -> None:
    assert [token.text for token in tokenize(text)] == said


@given(st.text(alphabet=st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp"))))
def test_a_quoted_name_is_one_name(name: str) -> None:
    [token] = tokenize(quote_name(name))
    assert (token.kind, token.text) == ("name", name)


@pytest.mark.parametrize(
    "text",
    [
        *("\\u0041", "'\\u0027'", "'\\u005c'", "'\\\\u0041'", "`\\u0060`", "// \\u000a"),
        *("a\u200bb", "a\x00", "a \u2028 b", "'\\u0000'"),
    ],
)
def test_what_reads_in_two_ways_is_refused(text: str) -> None:
    with pytest.raises(RefusedQueryError):
        tokenize(text)


@pytest.mark.parametrize("text", ["'a", '"a', "`a", "/* a", "'a\\'"])
def test_what_does_not_end_does_not_parse(text: str) -> None:
    with pytest.raises(QuerySyntaxError):
        tokenize(text)


@pytest.mark.parametrize(
    "pattern",
    [
        *("abc", ".*ville", "[A-Z][a-z]+", "(a|b)c", "a{2,5}", "(ab)+", "\\d{4}-\\d{2}", ""),
        "(?i)san .*",
    ],
)
def test_plain_patterns_pass(pattern: str) -> None:
    measure_regex(pattern, 1_000)


@pytest.mark.parametrize(
    "pattern",
    [
        *("(a+)+", "(a|b)*", "((a)*)*", "(a?){9}", "a*b*c*d*", "a?b?c?d?e?f?g?h?i?"),
        *("a{1,999}", "a{0,9}b{0,9}c{0,9}d{0,9}", "a" * 201),
        *("(.)\\1", "(?=a)", "(?<n>a)", "(?x) a", "[]a]", "[a&&[b]]", "\\Qa\\E", "\\p{L}"),
    ],
)
def test_costly_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(RefusedQueryError):
        measure_regex(pattern, 1_000)


@pytest.mark.parametrize(
    ("text", "params"),
    [
        ("UNWIND range(1, 10000) AS i RETURN i", {}),
        ("RETURN range(0, size(xs) - 1)", {}),
        ("RETURN range(0, length(p) + size(q))", {}),
        ("RETURN range($a, $b)", {"a": 1990, "b": 2026}),
        ("RETURN reduce(s = 0, x IN xs | s + toInteger(x))", {}),
        ("RETURN reduce(s = 0, x IN range(1, 9000) | s + x)", {}),
        ("RETURN reduce(m = 0, x IN xs | CASE WHEN x > m THEN x ELSE m END)", {}),
        ("WITH a, b, c, d RETURN a, b, c, d", {}),
        ("WITH a.x + b.x AS x, [a, b] AS ab RETURN x, ab", {}),
        ("WHERE a STARTS WITH b + c + d RETURN a", {}),
        ("RETURN all(n IN nodes(p) WHERE any(l IN labels(n) WHERE l = 'City'))", {}),
        ("RETURN replace(replace(n.name, '_', ' '), '&', 'and')", {}),
    ],
)
def test_bounded_expressions_pass(text: str, params: dict[str, Any]) -> None:
    check_growth(tokenize(text), params)


@pytest.mark.parametrize(
    ("text", "params"),
    [
        ("RETURN range(1, 10001)", {}),
        ("RETURN range(-9999, 9999)", {}),
        ("RETURN range(1, n.years)", {}),
        ("RETURN range(1, $n)", {"n": "9"}),
        ("RETURN range(1, 9 * 9)", {}),
        ("RETURN `range`(1, 1000000)", {}),
        ("RETURN range(9999999, size(x))", {}),
        ("RETURN range(1, 1000), range(1, 1000)", {}),
        ("RETURN reduce(s = 'x', i IN xs | s + s)", {}),
        ("RETURN reduce(s = [], i IN xs | [j IN s | j])", {}),
        ("RETURN [a IN x | [b IN a | [c IN b | c]]]", {}),
        ("RETURN [x IN xs | [y IN x | y + 1]]", {}),
        ("RETURN [x IN xs | any(y IN split(x, '') WHERE y = 'a')]", {}),
        ("RETURN [x IN xs | [y IN labels(x) + xs | y]]", {}),
        ("RETURN replace(n.name, 'a', $s)", {"s": "b"}),
        ("RETURN replace(n.name, 'a', 'bbbbb')", {}),
        ("RETURN replace(n.name, '', 'b')", {}),
        ("WHERE n.name =~ p", {}),
        ("WHERE n.name =~ $p", {"p": 1}),
        ("WHERE n.name =~ $p.x", {"p": {"x": "a"}}),
        ("WHERE n.name =~ 'a' + 'b'", {}),
    ],
)
def test_unbounded_expressions_are_refused(text: str, params: dict[str, Any]) -> None:
    with pytest.raises(RefusedQueryError):
        check_growth(tokenize(text), params)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n:City) USING INDEX n:City(name) WHERE n.name = 'x' RETURN n",
        "MATCH (n:City) USING TEXT INDEX SEEK n:City(name) RETURN n",
        "RETURN `size`('x'), DATE . Truncate('day', d)",
        "CALL (n) { RETURN n } CALL trellis.trie.paths([], 1, {}) YIELD path RETURN path",
        "MATCH (call) RETURN call, call.name",
    ],
)
def test_texts_that_read_pass(text: str) -> None:
    check_text(tokenize(text))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("CREATE (n)", RefusedQueryError),
        ("SELECT 1", QuerySyntaxError),
        ("`MATCH` (n)", QuerySyntaxError),
        ("", QuerySyntaxError),
        ("RETURN file()", RefusedQueryError),
        ("RETURN nothing()", QuerySyntaxError),
        ("RETURN x.y.size(1)", RefusedQueryError),
        ("RETURN {a: apoc.x(1)}", RefusedQueryError),
        ("CALL db.labels", RefusedQueryError),
        ("MATCH (n) CREATE (m)", RefusedQueryError),
        ("RETURN n._Trellis_x", RefusedQueryError),
        ("RETURN 1; RETURN 2", RefusedQueryError),
        ("MATCH (n) LOAD CSV FROM 'x' AS l RETURN l", RefusedQueryError),
    ],
)
def test_texts_that_do_more_are_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        check_text(tokenize(text))


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else 1


def test_parameters_within_limits_pass() -> None:
    check_parameters({"a": None, "b": [True, 1, 1.5, "x"], "c": {"d": [{"e": nested(3)}]}})


@pytest.mark.parametrize(
    "value",
    [nested(DEEPEST + 1), [1] * (MOST_VALUES + 1), "x" * 10_001, 2**63, {1: 2}, object(), {1}],
)
def test_other_parameters_are_refused(value: Any) -> None:
    with pytest.raises(RefusedQueryError):
        check_parameters({"value": value})


def test_a_text_that_cannot_be_sent_is_told() -> None:
    with pytest.raises(QueryError, match="surrogates"):
        check_parameters({"value": "\ud800"})


def step(name: str, details: str = "", rows: float = 1, *children: Any) -> dict[str, Any]:
    return {
        "operatorType": f"{name}@neo4j",
        "args": {"Details": details, "EstimatedRows": rows},
        "children": list(children),
    }


@pytest.mark.parametrize(
    ("name", "details"),
    [
        ("LoadCSV", "l"),
        ("SomethingNew", ""),
        ("ProcedureCall", "db.labels() :: (label :: STRING)"),
        ("VarLengthExpand(All)", "(a)-[r*]-(b)"),
        ("VarLengthExpand(All)", "(a)-[r*2..]-(b)"),
        ("VarLengthExpand(Pruning,BFS,All)", "(a)-[:R*..2147483647]-(b) "),
        ("VarLengthExpand(All)", "(a)-[r*..3]-(b)-[s*]-(c)"),
        ("VarLengthExpand(All)", "what no version says"),
        ("VarLengthExpand(All)", "(a)-[:R*1..14]-(b)"),
        ("Repeat(Trail)", "(a) (...){1, 9} (b)"),
        ("Repeat(Trail)", "(a) (...){2, } (b)"),
        ("StatefulShortestPath(All)", "SHORTEST 1 (a) ((`x`)-[`r`]-(`y`)){1, } (b)"),
        ("StatefulShortestPath(All)", "SHORTEST 1 (a) ((`x`)-[`r`]-(`y`)){1, 9} (b)"),
        ("Projection", "[x IN xs | COUNT { MATCH (a)-[`r`*]-(b) }] AS n"),
        ("Filter", "CASE WHEN EXISTS { MATCH (a), (b) } THEN 1 END"),
    ],
)
def test_plans_that_may_do_more_are_refused(name: str, details: str) -> None:
    root = step("ProduceResults", "n", 1, step(name, details))
    with pytest.raises(RefusedQueryError):
        check_plan(Plan("r", (), (), 1), root, 10, ambiguous=False)


@pytest.mark.parametrize(
    ("name", "details"),
    [
        ("ProcedureCall", "trellis.trie.paths($a) :: (path :: LIST)"),
        ("VarLengthExpand(All)", "(a)-[r:R|S*..3]->(b)"),
        ("VarLengthExpand(Into)", "(a)<-[r*3]-(b)"),
        ("Repeat(Trail)", "(a) (...){1, 4} (b)"),
        ("StatefulShortestPath(Into)", "SHORTEST 1 (a) ((`x`)-[`r`]-(`y`)){1, 5} (b)"),
        ("VarLengthExpand(Pruning,BFS,All)", "(a)-[:R*..15]-(b)"),
        ("ShortestPath", "p = (a)-[r*]-(b)"),
        ("Projection", "[x IN xs | COUNT { MATCH (x)-[`r`:R]-(b) }] AS `COUNT { * }`"),
        ("Projection", "CASE WHEN EXISTS { MATCH (x)-[`r`]-() } THEN 2 * 3 END AS n"),
    ],
)
def test_plans_that_read_pass(name: str, details: str) -> None:
    root = step("ProduceResults", "n", 1, step(name, details))
    check_plan(Plan("r", (), (), 1), root, 10, ambiguous=False)


def test_a_plan_over_the_budget_or_that_writes_is_refused() -> None:
    root = step("ProduceResults")
    check_plan(Plan("r", (), (), 10), root, 10, ambiguous=False)
    for kind, rows in (("r", 10.5), ("rw", 1), ("w", 1), ("s", 1), ("", 1)):
        with pytest.raises(RefusedQueryError):
            check_plan(Plan(kind, (), (), rows), root, 10, ambiguous=False)
