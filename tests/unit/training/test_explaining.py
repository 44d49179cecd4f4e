"""Explanations: steps that take no relationship twice, what the wording chooses, what is kept."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from pydantic import TypeAdapter

from small_schemas import build_schema
from trellis.automata.cypher.meaning.query import TURNED, Direction
from trellis.automata.paths.adjacency import build_adjacency
from trellis.training.supervision.queries.growing import SchemaSteps, grow_trees
from trellis.training.supervision.queries.mixture import rank_candidates
from trellis.training.supervision.queries.pattern_trees import (
    Branch,
    Candidate,
    Meaning,
    PatternTree,
    TreeReturn,
    make_query,
)
from trellis.training.supervision.queries.relations import Relations
from trellis.training.supervision.queries.resuming import ResultCache, digest_key
from trellis.training.supervision.queries.returns import find_first

Triple = tuple[int, str, int]
DIRECTIONS: tuple[Direction, ...] = ("out", "in", "any")


def ends(triple: Triple, node: int, direction: Direction) -> list[int]:
    """Where a relationship leads from a node."""
    head, _, tail = triple
    out = [tail] if direction != "in" and head == node else []
    return out + ([head] if direction != "out" and tail == node else [])


def walked(triples: list[Triple], start: int, steps: list[tuple[str, Direction]]) -> set[int]:
    """The ends of all walks from a node that take no relationship twice, one by one."""
    walks = [(start, frozenset[int]())]
    for type, direction in steps:
        walks = [
            (end, taken | {index})
            for node, taken in walks
            for index, triple in enumerate(triples)
            if index not in taken and triple[1] == type
            for end in ends(triple, node, direction)
        ]
    return {node for node, _ in walks}


@pytest.mark.parametrize("seed", range(20))
def test_two_steps_go_where_one_match_goes(seed: int) -> None:
    draw = random.Random(seed)
    drawn = ((draw.randrange(6), draw.choice("ab"), draw.randrange(6)) for _ in range(14))
    triples = [(head, type, tail) for head, type, tail in drawn if head != tail]
    relations = Relations(build_adjacency([str(i) for i in range(6)], [], triples))
    for one in DIRECTIONS:
        for other in DIRECTIONS:
            first = relations.follow_type(np.array([0], np.int32), "a", one, None)
            second = relations.follow_type(np.unique(first.targets), "a", other, first)
            assert set(second.targets.tolist()) == walked(triples, 0, [("a", one), ("a", other)])


def test_within_counts_steps_in_any_direction() -> None:
    relations = Relations(build_adjacency(["0", "1", "2", "3"], [], [(0, "a", 1), (2, "b", 1)]))
    masks = relations.find_within(np.array([0], np.int32), 2)
    assert [np.flatnonzero(mask).tolist() for mask in masks] == [[0], [0, 1], [0, 1, 2]]
    assert {mask.shape for mask in masks} == {(4,)}


def chain(*types: str, mention: int = 0) -> PatternTree:
    tree = PatternTree(("Person",), (Meaning(mention, "Person", "name", (mention,)),))
    for type in types:
        tree = PatternTree(("Person",), (), (Branch(type, TURNED["out"], tree),))
    return tree


def found(tree: PatternTree, fit: float = 1.0) -> Candidate:
    return Candidate(tree, TreeReturn(), fit, fit)


def test_words_choose_among_what_answers_alike() -> None:
    """Everyone's father shares the religion: only the wording tells the two apart."""
    short, long = found(chain("RELIGION")), found(chain("FATHER", "RELIGION"))
    asked = [["faith"], ["dad", "faith"], ["dad"], ["faith"], ["dad", "faith"]] * 4
    given = [[short], [long], [found(chain("FATHER"))], [short, long], [short, long]] * 4
    chosen = [those[0].candidate for those in rank_candidates(asked, [1] * len(asked), given)]
    assert chosen[3:5] == [short, long]


SAME = PatternTree(("Person",), (), (Branch("GENDER", "out", chain("GENDER")),))


@pytest.mark.parametrize(
    ("words", "values", "worse", "better"),
    [
        # of whom one is related to, people of the same gender have it too: nobody means these
        (
            "sex",
            1,
            PatternTree(("Gender",), (), (Branch("GENDER", "in", SAME),)),
            chain("FATHER", "MOTHER", "GENDER"),
        ),
        # a name that is said counts before any question is read
        ("who lives there", 1, chain("KNOWS"), chain("LIVES_WITH")),
        # what leaves a value out comes last
        ("who", 0b11, chain("KNOWS"), chain("KNOWS").join_tree(chain("KNOWS", mention=1))),
    ],
)
def test_of_two_that_explain_as_well_the_likelier_one_is_chosen(
    words: str, values: int, worse: PatternTree, better: PatternTree
) -> None:
    [those] = rank_candidates([words.split()], [values], [[found(worse), found(better)]])
    assert those[0].candidate == found(better)


def test_of_what_is_told_apart_by_nothing_the_arrows_choose() -> None:
    along = PatternTree(("Person",), (), (Branch("SPOUSE", "in", chain()),))
    against = PatternTree(("Person",), (), (Branch("SPOUSE", "out", chain()),))
    asked = [["wife"]] * 5
    for those in rank_candidates(asked, [1] * 5, [[found(against), found(along)]] * 5):
        assert those[0].candidate.tree == along
        assert those[0].posterior > 0.55


def test_shares_of_a_question_add_to_one_and_none_is_no_error() -> None:
    options = [found(chain("KNOWS")), found(chain("LIKES"), 0.9)]
    some, none = rank_candidates([["who"], ["what"]], [1, 0], [options, []])
    assert none == []
    assert sum(each.posterior for each in some) == pytest.approx(1.0)


def test_a_tree_becomes_clauses() -> None:
    query = make_query(chain("A", "B").join_tree(chain("C", mention=1)), TreeReturn("count"))
    edges = [(edge.source, edge.target, edge.type, edge.clause) for edge in query.edges]
    assert edges == [(0, 1, "B", 0), (1, 2, "A", 0), (0, 3, "C", 1)]
    assert [node.filters[0].values for node in query.nodes if node.filters] == [(0,), (1,)]


def test_hops_apart_are_clauses_each() -> None:
    query = make_query(chain("A", "A").join_tree(chain("C", mention=1)), TreeReturn(), apart=True)
    assert [(edge.type, edge.clause) for edge in query.edges] == [("A", 0), ("A", 1), ("C", 2)]


@pytest.mark.parametrize("apart", [False, True])
def test_only_hops_apart_take_a_relationship_again(apart: bool) -> None:
    """0 and 1 have 2 as their B: only the other one is come back to within a clause."""
    relations = Relations(build_adjacency(["0", "1", "2"], [], [(0, "B", 2), (1, "B", 2)]))
    leaves = [(Meaning(0, "Person", "name", (0,)), np.array([0], np.int32))]
    ways = SchemaSteps(build_schema("Person", "Person B Person"), either=False, apart=apart)
    patterns = grow_trees(leaves, relations, ways, 2, lambda nodes, left: True)  # noqa: ARG005
    reached = {each.tree: each.nodes.tolist() for each in patterns}
    same = PatternTree(("Person",), (), (Branch("B", "out", chain("B")),))
    assert reached[same] == ([0, 1] if apart else [1])


def test_the_first_are_all_that_may_come_first() -> None:
    people = [("ada", {"age": 31}), ("bob", {"age": 45}), ("cleo", {"age": 45}), ("dan", {})]
    assert [name for name, _ in find_first(people[:3], "age", descending=True)] == ["bob", "cleo"]
    assert [name for name, _ in find_first(people, "age", descending=False)] == ["ada"]
    assert [name for name, _ in find_first(people, "age", descending=True)] == ["dan"]


def test_what_is_kept_is_found_again_and_a_torn_line_is_not(tmp_path: Path) -> None:
    file, kind = tmp_path / "run" / "kept.jsonl", TypeAdapter(Candidate)
    one, other = found(chain("KNOWS")), found(chain("KNOWS", "LIKES"), 0.5)
    ResultCache(file, kind).add_results({"1": one, "2": other})
    file.write_bytes(file.read_bytes()[:-20])
    again = ResultCache(file, kind)
    assert (again.get_result("1"), again.get_result("2")) == (one, None)
    again.add_results({"2": other})
    whole = ResultCache(file, kind)
    assert (whole.get_result("1"), whole.get_result("2")) == (one, other)


def test_keys_tell_arguments_apart() -> None:
    a, b = found(chain("A")), found(chain("B"))
    assert len({digest_key(1, a), digest_key(1, b), digest_key(2, a)}) == 3
    assert digest_key(1, TreeReturn()) == digest_key(1, TreeReturn())
