"""Describe form: say in plain English how a claim was understood, from its form alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trellis.domain.graphs.sentences import relation_words
from trellis.domain.replies.claims import ClaimForm, ClaimMention, ClaimOperator
from trellis.domain.structures.question_patterns import MentionNode, PatternNode
from trellis.steps.claims.fact_table import PROPERTY
from trellis.steps.claims.judge_form import list_branches
from trellis.steps.describe.phrases import RelationPhrase, quote_text

_SIGNS = {
    "=": "",
    "<": "less than ",
    ">": "more than ",
    "<=": "at most ",
    ">=": "at least ",
    "older": "older than ",
    "younger": "younger than ",
}
_COUNTED = {"=": "exactly", "<": "fewer than", ">": "more than", "<=": "at most", ">=": "at least"}
_COMPARED = {
    "=": "the same as",
    "<": "smaller than",
    ">": "larger than",
    "<=": "at most",
    ">=": "at least",
    "older": "an older one than",
    "younger": "a younger one than",
}


def describe_form(form: ClaimForm, mentions: Sequence[ClaimMention]) -> str:
    """What a form says, in one sentence without a full stop."""
    said = _describe_operator(form, mentions)
    said = f"it is not so that {said}" if form.is_denied and said else said
    if form.is_unknown:
        return (
            f"{said}, and something that the graph has no relation for"
            if said
            else (
                f"something of {_say_node(form.pattern.nodes[0], mentions)} that the graph has no "
                "relation for"
            )
        )
    return said


def _describe_operator(form: ClaimForm, mentions: Sequence[ClaimMention]) -> str:
    operator, triples = form.operator, list(_describe_triples(form, mentions))
    if not triples:
        return ""
    if operator.kind in ("values", "counts"):
        return _describe_comparison(form, operator, mentions)
    said = ", and ".join(triples)
    if operator.kind == "count":
        return f"for {_COUNTED[operator.sign]} {operator.number:g} different x: {said}"
    if operator.kind == "extreme":
        return f"{said}, and no other x is as {operator.sign}"
    unknown = any(not isinstance(node, MentionNode) for node in form.pattern.nodes)
    return f"there is an x so that {said}" if unknown else said


def _describe_comparison(
    form: ClaimForm, operator: ClaimOperator, mentions: Sequence[ClaimMention]
) -> str:
    words = _say_relation(form.pattern.triples[0].relation)
    topic, other = (_say_node(form.pattern.nodes[i], mentions) for i in (0, 2))
    if operator.kind == "counts":
        than = {"=": "as many as", "<": "fewer than", ">": "more than"}[operator.sign]
        return f"by “{words}”, {topic} has {than} {other}"
    return f"“{words}” of {topic} is {_COMPARED[operator.sign]} that of {other}"


def _describe_triples(form: ClaimForm, mentions: Sequence[ClaimMention]) -> Iterator[str]:
    nodes = form.pattern.nodes
    for branches in list_branches(form).values():
        for branch in branches:
            triple = form.pattern.triples[branch.triple]
            head, tail = (_say_node(nodes[i], mentions) for i in (triple.head, triple.tail))
            words = _say_relation(triple.relation)
            phrase = RelationPhrase.of(words)
            if triple.relation.startswith(PROPERTY) or phrase.kind == "has":
                noun = " ".join(phrase.words)
                said = f"the {noun} of {head} is {tail}"
            else:
                said = f"{head} {phrase.write_predicate('', is_plural=False)} {tail}"
            yield f"it is not so that {said}" if branch.triple in form.denied else said


def _say_relation(relation: str) -> str:
    return " ".join(relation_words(relation.removeprefix(PROPERTY))) or relation


def _say_node(node: PatternNode, mentions: Sequence[ClaimMention]) -> str:
    if not isinstance(node, MentionNode):
        return "x" if node.number == 1 else f"x{node.number}"
    mention = mentions[node.index]
    if mention.nodes:
        return quote_text(mention.nodes[0].name)
    if mention.bound and not mention.values:
        return f"{_SIGNS[mention.bound.sign]}{mention.bound.quantity}"
    return quote_text(str(mention.values[0].value)) if mention.values else quote_text(mention.text)
