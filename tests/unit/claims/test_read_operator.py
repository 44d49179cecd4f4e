"""What claims say beside their pattern, as a table of phrases."""

from __future__ import annotations

import pytest

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.graphs.schema import LabelKind, Schema
from trellis.domain.replies.claims import ClaimMention, ClaimOperator
from trellis.steps.claims.link_claim import link_claim
from trellis.steps.claims.read_operator import ClaimOperatorReading, read_operator

SCHEMA = Schema((LabelKind("Entity", 3, "name"),), (), 3, 0, "f")


def link(claim: str, *names: str) -> tuple[ClaimMention, ...]:
    found = []
    for name in names:
        at = claim.index(name)
        target = Link(Node(name, name), 1.0, "exact-case")
        found.append(Mention(at, at + len(name), name, (target,)))
    return link_claim(claim, found, (), SCHEMA)


def read(claim: str, *names: str) -> ClaimOperatorReading:
    return read_operator(claim, link(claim, *names))


@pytest.mark.parametrize(
    ("claim", "operator"),
    [
        ("Ann Lee directed Jaws.", ClaimOperator()),
        ("Ann Lee directed at least 4 films.", ClaimOperator("count", ">=", 4)),
        ("Ann Lee has directed no more than three films.", ClaimOperator("count", "<=", 3)),
        ("Ann Lee directed exactly 1 film.", ClaimOperator("count", "=", 1)),
        ("Ann Lee has six films to her name.", ClaimOperator("count", "=", 6)),
        ("Ann Lee directed just one film.", ClaimOperator("count", "=", 1)),
        ("Ann Lee directed fewer than 2 films.", ClaimOperator("count", "<", 2)),
        ("Ann Lee is linked to four crimes in all.", ClaimOperator("count", "=", 4)),
        ("Ann Lee is 20 years old.", ClaimOperator()),
        ("Ann Lee wears number 4 and is aged 30.", ClaimOperator()),
        ("Jaws is older than Ann Lee.", ClaimOperator("values", "older")),
        ("Jaws came out after Ann Lee.", ClaimOperator("values", ">")),
        ("Jaws is more recent than Ann Lee.", ClaimOperator("values", "younger")),
        ("Jaws was made in the same year as Ann Lee.", ClaimOperator("values", "=")),
        ("Jaws has more actors than Ann Lee.", ClaimOperator("counts", ">")),
        ("Jaws has as many actors as Ann Lee.", ClaimOperator("counts", "=")),
        ("More films star Jaws than Ann Lee.", ClaimOperator("counts", ">")),
        ("Jaws is the oldest film of Ann Lee.", ClaimOperator("extreme", "older")),
        ("Three of the films of Ann Lee are new.", ClaimOperator("count", "=", 3)),
        ("More than ten of the films star Ann Lee.", ClaimOperator("count", ">", 10)),
        ("Jaws is longer than Ann Lee.", ClaimOperator("values", ">")),
        ("Ann Lee has six films, no more and no fewer.", ClaimOperator("count", "=", 6)),
        ("The number 17 shirt goes to Ann Lee.", ClaimOperator()),
    ],
)
def test_operators(claim: str, operator: ClaimOperator) -> None:
    names = [name for name in ("Jaws", "Ann Lee") if name in claim]
    assert read(claim, *names).operator == operator


@pytest.mark.parametrize(
    ("claim", "bound"),
    [
        ("Jaws came out before 1980.", "<1980"),
        ("Jaws is older than 1980.", "older1980"),
        ("Jaws has a number above 11.", ">11"),
        ("Jaws came out in 1975.", "=1975"),
    ],
)
def test_bounds(claim: str, bound: str) -> None:
    number = read(claim, "Jaws").mentions[-1].bound
    assert number is not None
    assert f"{number.sign}{number.quantity}" == bound


@pytest.mark.parametrize(
    ("claim", "denied"),
    [
        ("Ann Lee directed Jaws.", ""),
        ("Ann Lee did not direct Jaws.", "all"),
        ("Ann Lee didn't direct Jaws.", "all"),
        ("Nobody directed Jaws.", "all"),
        ("Ann Lee and Jaws don't know each other.", "all"),
        ("Ann Lee directed no more than 3 films.", ""),
        ("Ann Lee directed Jaws, but she did not write Duel.", "but she did not write Duel."),
    ],
)
def test_negation(claim: str, denied: str) -> None:
    said = read(claim, *(name for name in ("Ann Lee", "Jaws", "Duel") if name in claim))
    begin, end = said.denied
    if denied in ("", "all"):
        assert (begin != end, said.is_all_denied) == (denied == "all", denied == "all")
    else:
        assert not said.is_all_denied
        assert claim[begin:end].strip(" ,") == denied


def test_what_looks_like_a_name_and_is_none_is_not_cut_into_names() -> None:
    """`The Guard` and `Crossing` are films; `The Guard Crossing` is none."""
    [mention] = link("The Guard Crossing has a writer.", "The Guard", "Crossing")
    assert mention.text == "The Guard Crossing"
    assert not mention.is_known


def test_first_and_last_name_are_one_person() -> None:
    claim, ann, bob = "Ann Lee knows Bob.", Node("1", "Ann"), Node("2", "Ann")
    names = [
        Mention(0, 3, "Ann", (Link(ann, 1.0, "exact"), Link(bob, 1.0, "exact"))),
        Mention(4, 7, "Lee", (Link(ann, 0.9, "alias"),)),
    ]
    mention = link_claim(claim, names, (), SCHEMA)[0]
    assert (mention.text, mention.nodes) == ("Ann Lee", (ann,))


@pytest.mark.parametrize(
    ("claim", "is_known"),
    [
        ("Atlantis is an island of Jaws.", False),
        ("Nobody is in Jaws.", True),
        ("This is about Jaws.", True),
    ],
)
def test_a_claim_may_open_with_a_name_that_is_none(claim: str, is_known: bool) -> None:
    assert all(mention.is_known for mention in link(claim, "Jaws")) is is_known


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("Jaws is longer than Ann Lee.", "is longer ."),  # this tells of what
        ("Jaws has a lower shirt number than Ann Lee.", "has a shirt number ."),
        ("Jaws has more actors than Ann Lee.", "has actors ."),
    ],
)
def test_words_that_tell_of_what_is_compared_are_kept(claim: str, words: str) -> None:
    assert read(claim, "Jaws", "Ann Lee").words == words


def test_a_name_that_is_a_part_of_a_number_is_none() -> None:
    """The 1 of 1.91 is no shirt number."""
    mentions = link("Ann Lee stands 1.91 metres tall.", "Ann Lee", "1")
    assert [(each.text, bool(each.nodes)) for each in mentions] == [
        ("Ann Lee", True),
        ("1.91", False),
    ]
