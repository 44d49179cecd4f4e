"""What a wide query may compare with: names by their values, stored values and literals."""

from __future__ import annotations

import pytest

from memory_graph import MemoryGraph
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import StoredValue
from trellis.linking.values.value_index import ValueIndex
from trellis.steps.link.values.link_wide import link_wide_values
from trellis.steps.link.values.value_mentions import merge_mentions

NODES = (
    Node("1", "Denmark", ("Country", "Kingdom")),
    Node("2", "Liechtenstein", ("Country",)),
    Node("3", "North Sea", ("Sea",)),
    Node("4", "Route 66", ("Road",)),
    Node("5", "9 to 5", ("Film",)),
    Node("6", "Congo", ("Country",)),
    Node("7", "Congo", ("River",)),
    Node("8", "river", ("Wind",)),
)
ALIASES = {"1": ("Danish", "DK"), "2": ("LI",)}
VALUES = (
    *(StoredValue("Country", "code", code) for code in ("LIE", "DNK", "SEA")),
    *(StoredValue("Wind", "kind", kind) for kind in ("North sea breeze", "Mountain breeze")),
    StoredValue("Wind", "kind", "congo"),
    StoredValue("Road", "state", "Open for traffic"),
    StoredValue("Road", "state", "Held up"),
    StoredValue("Road", "nickname", "Movie Mile"),
    *(StoredValue("Road", "lanes", lanes, "INTEGER") for lanes in (2, 66)),
)
COUNTRY, CODE = ("Country", "name"), ("Country", "code")
DENMARK = [(*COUNTRY, "Denmark"), ("Kingdom", "name", "Denmark")]


class Atlas(MemoryGraph):
    """A graph that also remembers values of other properties than names."""

    async def values(self) -> ValueIndex:
        return ValueIndex(VALUES)


Found = tuple[str, list[tuple[str, str, object]]]


async def link(question: str, *, merged: bool = False) -> list[Found]:
    """What each place may mean; `merged`: what overlaps is one place."""
    graph = Atlas(NODES, (), aliases=ALIASES)
    mentions = await link_wide_values(question, graph, None)
    if merged:
        mentions = merge_mentions(mentions, await graph.schema())
    return [
        (m.text, [(o.stored.label, o.stored.property, o.stored.value) for o in m.links])
        for m in mentions
    ]


async def list_values(question: str) -> list[tuple[str, str, object]]:
    """All that the places of a question may mean."""
    return [value for _, values in await link(question) for value in values]


@pytest.mark.parametrize(
    ("question", "text", "values"),
    [
        ("which rivers cross Denmark?", "Denmark", DENMARK),
        ("list Danish rivers", "Danish", DENMARK),
        ("which rivers cross DK?", "DK", DENMARK),
        ("which rivers cross Lichtenstein?", "Lichtenstein", [(*COUNTRY, "Liechtenstein")]),
        ("where is the Congo?", "Congo", [(*COUNTRY, "Congo"), ("River", "name", "Congo")]),
    ],
)
async def test_a_name_is_a_value_of_the_property_that_names(
    question: str, text: str, values: list[tuple[str, str, object]]
) -> None:
    assert await link(question, merged=True) == [(text, values)]


@pytest.mark.parametrize(("said", "is_kind"), [("Congo", False), ("congo", True)])
async def test_a_name_written_as_stored_is_no_text_in_small_letters(
    said: str, is_kind: bool
) -> None:
    found = await link(f"Where is the {said} in Denmark?", merged=True)
    values = next(values for text, values in found if text == said)
    assert (("Wind", "kind", "congo") in values) is is_kind
    assert ("River", "name", "Congo") in values


@pytest.mark.parametrize(
    ("question", "is_code"),
    [
        ("Which rivers lie in Denmark?", False),
        ("Which seas touch Denmark?", False),
        ("Which rivers are in LIE or Denmark?", True),
        ("which rivers are in lie?", True),
        ("which seas are there", False),
    ],
)
async def test_a_small_word_is_no_code_where_capitals_are_used(
    question: str, is_code: bool
) -> None:
    assert (CODE in [value[:2] for value in await list_values(question)]) is is_code


@pytest.mark.parametrize(
    ("question", "is_value"),
    [
        ("Which river is in Denmark?", False),
        ("how many rivers are there", False),
        ("which river winds are there", True),
        ("Which wind comes from the river?", True),
    ],
)
async def test_the_kind_that_is_asked_for_is_no_value(question: str, is_value: bool) -> None:
    assert (("Wind", "name", "river") in await list_values(question)) is is_value


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Which cities are on the North Sea?", []),
        ("Which breezes come from the mountain?", ["Mountain breeze"]),
        ("Which breezes blow over the North Sea?", []),
        ("Is the road open for all traffic?", ["Open for traffic"]),
        ("Which roads hold up a bridge?", []),
    ],
)
async def test_a_scattered_value_says_more_than_whole_names_do(
    question: str, kinds: list[str]
) -> None:
    stored = await list_values(question)
    assert [v for _, name, v in stored if name in ("kind", "state")] == kinds


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("How many packages are there?", []),
        ("What is in Some Packagez?", ["Some Packagez"]),
    ],
)
async def test_a_noun_of_a_label_is_no_name_that_is_like_it(
    question: str, named: list[str]
) -> None:
    nodes = Node("1", "Some packages", ("Kind",)), Node("2", "perl", ("Package",))
    mentions = await link_wide_values(question, MemoryGraph(nodes, ()), None)
    assert [mention.text for mention in mentions] == named


@pytest.mark.parametrize(
    ("question", "literals"),
    [
        ("Which 3 cities are on Route 66?", [3]),
        ("Which roads have more than 12 lanes?", [12]),
        ("Which 5 people were in 9 to 5?", [5]),
        ("Which roads have more than 66 lanes?", [66]),  # like a name, and yet a number
        ("Which roads have more than sixty-six lanes?", [66]),
        ("Which rivers of Denmark contain 'bach'?", ["bach"]),
        ("Which people were in '9 to 5'?", []),
    ],
)
async def test_what_stands_inside_a_name_is_no_literal(
    question: str, literals: list[object]
) -> None:
    assert [v for *of, v in await list_values(question) if of == ["", ""]] == literals


async def test_names_go_before_stored_values_and_literals_last() -> None:
    found = await link("Is Route 66 wider than 2 lanes and open for Danish traffic?")
    places = ["Route 66", "Danish", "2", "open for Danish traffic", "2"]
    assert [text for text, _ in found] == places


PEOPLE = (
    Node("10", "Linda", ("Person",)),
    Node("11", "Linda", ("Person",)),
    Node("12", "Theresa", ("Person",)),
    Node("13", "Jack", ("Person",)),
    Node("14", "Kendell", ("Person",)),
    Node("15", "Megan", ("Person",)),
    Node("16", "18 Main Road", ("Place",)),
)
CALLED = {"10": ("Boyd",), "12": ("Powell",), "13": ("Powell",), "14": ("Kilpatrick",)}
SAID = (
    *(StoredValue("Person", "surname", v) for v in ("Boyd", "Powell", "Kilpatrick", "Day")),
    StoredValue("Call", "date", "18/05/2017"),
)


class Police(MemoryGraph):
    """People who are told apart by two names, and calls on days that are stored as texts."""

    async def values(self) -> ValueIndex:
        return ValueIndex(SAID)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Whom does Boyd know?", {"Boyd": ["Boyd"]}),  # one of two who are called Linda
        ("Whom does Powell know?", {"Powell": ["Powell"]}),  # the name of two people
        ("Whom does Kilpatrick know?", {"Kilpatrick": ["Kendell", "Kilpatrick"]}),
        ("Who called on 18/05/2017?", {"18/05/2017": ["18/05/2017"]}),
        ("Which calls began on that day?", {}),
        ("which calls began on that day", {"day": ["Day"]}),
        ("Whom does Megen know?", {"Megen": ["Megan"]}),
    ],
)
async def test_what_is_stored_as_it_is_said_outweighs_what_is_similar(
    question: str, found: dict[str, list[object]]
) -> None:
    graph = Police(PEOPLE, (), aliases=CALLED)
    linked = await link_wide_values(question, graph, None, {"day", "began"})
    mentions = merge_mentions(linked, await graph.schema())
    assert {m.text: [link.stored.value for link in m.links] for m in mentions} == found


@pytest.mark.parametrize("question", ["What is the longest movie?", "which movies cross Denmark?"])
async def test_what_a_label_is_called_is_no_part_of_a_name(question: str) -> None:
    assert all(text in ("Denmark",) for text, _ in await link(question))


async def test_another_word_of_the_name_is_one() -> None:
    found = await list_values("Where is that mile of movie stars?")
    assert ("Road", "nickname", "Movie Mile") in found
