"""Link claim: what each name, value and number of a claim means; what is not there is said so.

Only names that stand in the graph as they are said count: what is merely spelt like a name would
make a confident verdict on something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Mention, StoredValue
from trellis.domain.graphs.schema import Schema
from trellis.domain.replies.claims import Bound, ClaimMention
from trellis.linking.names.spans import Atom, Span, parse_question
from trellis.linking.text import name_key
from trellis.linking.values.numbers import find_numbers
from trellis.steps.claims.fact_table import list_told_properties
from trellis.steps.claims.quantities import parse_quantity

_SAID = ("exact", "exact-case", "spelling", "alias", "date", "plural", "given")
_STORED = ("exact", "date", "spelling", "time")
_ONE = re.compile(
    r"\b(?:exactly|precisely|just|only|at least|at most|(?:more|fewer|less) than) (one)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\W*([A-Z]\w+) (?:is|was|has|had|does|did|wrote|lies|lives|plays|borders|flows|speaks|uses|"
    r"belongs|owns|works|stars|starred|stands|sits|runs|wears|makes|directed|directs|writes|knows|"
    r"contains|covers|joined|married|won|founded)\b"
)
_NUMBER_BEFORE, _NUMBER_BEHIND = re.compile(r"\d[.,]$"), re.compile(r"[.,]\d")
_NOBODY = frozenset(
    """nobody nothing none everybody everyone everything somebody someone something there this that
    it he she they one anybody anyone anything each people""".split()  # noqa: SIM905
)
_BRIDGES = frozenset("of the and in at a an to by with for de la von van".split())  # noqa: SIM905


def link_claim(
    claim: str, names: Sequence[Mention], values: Sequence[Mention], schema: Schema
) -> tuple[ClaimMention, ...]:
    """The mentions of a claim in the order of their spans, none overlapping.

    `names`, `values`: what linking found for names of nodes, and for values of properties.
    """
    found = [_keep_said(mention) for mention in names if not _cuts_number(claim, mention)]
    named = list(_merge_names(claim, [mention for mention in found if mention]))
    found_values = list(_list_values(values, schema))
    named = [_add_values(each, found_values) for each in named]
    stored = [each for each in found_values if not _overlaps(each, named)]
    taken = _choose_longest([*named, *stored])
    numbers = list(_list_numbers(claim))
    taken = [_add_bound(each, numbers) for each in taken]
    taken += [each for each in numbers if not _overlaps(each, taken)]
    return tuple(sorted(_mark_strangers(claim, taken), key=lambda each: each.start))


def _cuts_number(claim: str, mention: Mention) -> bool:
    """Whether a name is only a part of a number: the 1 of 1.91."""
    before, behind = claim[: mention.start], claim[mention.end :]
    return bool(_NUMBER_BEFORE.search(before) or _NUMBER_BEHIND.match(behind)) and (
        mention.text[:1].isdigit() or mention.text[-1:].isdigit()
    )


def _add_values(mention: ClaimMention, values: Sequence[ClaimMention]) -> ClaimMention:
    """A name that is a value, too: a badge number that an officer is called by."""
    same = (v for v in values if (v.start, v.end) == (mention.start, mention.end))
    stored = tuple(value for each in same for value in each.values)
    return replace(mention, values=stored) if stored else mention


def _bound(value: float) -> Bound:
    return Bound("=", str(int(value)) if float(value).is_integer() else str(value))


def _list_numbers(claim: str) -> Iterator[ClaimMention]:
    """The numbers that a claim says; `one` is a number behind `exactly` and the like only."""
    for number in find_numbers(claim):
        yield _make_number(claim, number.span, number.value)
    for found in _ONE.finditer(claim):
        yield _make_number(claim, Span(*found.span(1)), 1)


def _make_number(claim: str, span: Span, value: float) -> ClaimMention:
    text = claim[span.start : span.end]
    return ClaimMention(span.start, span.end, text, bound=_bound(value))


def _add_bound(mention: ClaimMention, numbers: Sequence[ClaimMention]) -> ClaimMention:
    """A name or value that is a number may be compared with, too."""
    same = next((n for n in numbers if (n.start, n.end) == (mention.start, mention.end)), None)
    if same is None or (parse_quantity(mention.text) is None and not mention.text.islower()):
        return mention
    if parse_quantity(mention.text) is None:  # `seven` is a number, whatever film is called so
        return same
    return ClaimMention(
        mention.start, mention.end, mention.text, mention.nodes, mention.values, same.bound
    )


def _keep_said(mention: Mention) -> ClaimMention | None:
    nodes = tuple(link.node for link in mention.links if link.how in _SAID)
    if not nodes:
        return None
    return ClaimMention(mention.start, mention.end, mention.text, tuple(dict.fromkeys(nodes)))


def _merge_names(claim: str, mentions: Sequence[ClaimMention]) -> Iterator[ClaimMention]:
    """Names beside one another as one: first and last names of one node, else of no node."""
    group: list[ClaimMention] = []
    for mention in sorted(mentions, key=lambda each: each.start):
        if group and not (
            claim[group[-1].end : mention.start] == " "
            and _is_cased(mention)
            and _is_cased(group[-1])
        ):
            yield _join_names(claim, group)
            group = []
        group.append(mention)
    if group:
        yield _join_names(claim, group)


def _join_names(claim: str, group: Sequence[ClaimMention]) -> ClaimMention:
    first, last = group[0], group[-1]
    ids = set.intersection(*({node.id for node in each.nodes} for each in group))
    nodes: Iterable[Node] = (node for node in first.nodes if node.id in ids)
    return ClaimMention(first.start, last.end, claim[first.start : last.end], tuple(nodes))


def _is_cased(mention: ClaimMention) -> bool:
    return any(map(str.isupper, mention.text))


def _list_values(values: Sequence[Mention], schema: Schema) -> Iterator[ClaimMention]:
    """The values of properties that name no node; of short numbers none."""
    told = {(kind.label, name) for kind in schema.labels for name in list_told_properties(kind)}
    for mention in values:
        stored = tuple(
            link.stored
            for link in mention.links
            if (link.how in _STORED or _is_whole(mention, link.stored))
            and (link.stored.label, link.stored.property) in told
        )
        if stored and not (mention.text.isdigit() and len(mention.text) < 4):
            yield ClaimMention(mention.start, mention.end, mention.text, (), stored)


def _is_whole(mention: Mention, stored: StoredValue) -> bool:
    """Whether a text is a stored value up to case: `robbery`."""
    return name_key(mention.text) == name_key(str(stored.value))


def _choose_longest(mentions: Sequence[ClaimMention]) -> list[ClaimMention]:
    chosen: list[ClaimMention] = []
    for mention in sorted(mentions, key=lambda each: each.start - each.end):
        if not _overlaps(mention, chosen):
            chosen.append(mention)
        else:
            same = next(
                (c for c in chosen if (c.start, c.end) == (mention.start, mention.end)), None
            )
            if same is not None and not same.nodes:
                chosen[chosen.index(same)] = ClaimMention(
                    same.start, same.end, same.text, (), (*same.values, *mention.values)
                )
    return chosen


def _overlaps(mention: ClaimMention, others: Sequence[ClaimMention]) -> bool:
    return any(mention.start < each.end and each.start < mention.end for each in others)


def _mark_strangers(claim: str, mentions: Sequence[ClaimMention]) -> list[ClaimMention]:
    """The mentions, with those that are no node in place of the parts of names that no name is."""
    atoms = parse_question(claim).atoms
    strange = [
        atom
        for atom in atoms
        if (_is_name_word(atom, claim) or _opens_as_name(atom, claim))
        and not _covers(mentions, atom.span)
    ]
    kept = list(mentions)
    for atom in strange:
        span = _widen(claim, atom, atoms, mentions)
        kept = [each for each in kept if not (each.start < span.end and span.start < each.end)]
        kept.append(ClaimMention(span.start, span.end, claim[span.start : span.end]))
    return kept


def _is_name_word(atom: Atom, claim: str) -> bool:
    word = claim[atom.span.start : atom.span.end]
    return atom.has_name_shape and not atom.is_function_word and word[:1].isupper()


def _opens_as_name(atom: Atom, claim: str) -> bool:
    """Whether a claim opens with a single word and a verb: `Atlantis is`, not `Nobody is`."""
    opening = _OPENING.match(claim)
    if opening is None or opening.span(1) != (atom.span.start, atom.span.end):
        return False
    return not atom.is_function_word and opening[1].lower() not in _NOBODY


def _covers(mentions: Sequence[ClaimMention], span: Span) -> bool:
    return any(each.start < span.end and span.start < each.end for each in mentions)


def _widen(claim: str, atom: Atom, atoms: Sequence[Atom], mentions: Sequence[ClaimMention]) -> Span:
    """The run of words with capitals around a word, small words between them included."""
    at = atoms.index(atom)
    first = last = at
    for direction in (-1, 1):
        place, bridged = at + direction, 0
        while 0 <= place < len(atoms):
            word = claim[atoms[place].span.start : atoms[place].span.end]
            if word[:1].isupper():
                first, last, bridged = min(first, place), max(last, place), 0
            elif word in _BRIDGES and bridged < 2 and not _covers(mentions, atoms[place].span):
                bridged += 1
            else:
                break
            place += direction
    return Span(atoms[first].span.start, atoms[last].span.end)
