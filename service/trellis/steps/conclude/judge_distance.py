"""Judge a question for distances: whether it is one of places, and why nothing can be measured."""

from __future__ import annotations

from collections.abc import Sequence, Sized

from trellis.steps.describe.describe_distance import name_kinds
from trellis.steps.describe.phrases import join_phrases, quote_text
from trellis.steps.link.distance_ends import DistanceEnds


def asks_of_places(ends: DistanceEnds, located: Sequence[Sized]) -> bool:
    """Whether places are meant: something that is asked about has one, and where the question says
    more, all has. `located`: for each mention the nodes that have a place."""
    request = ends.request
    has_kind, has_place = bool(ends.list_asked_places()), any(located)
    if request.unread or len(located) > 1 + request.names_both:
        says_kind = request.names_both or bool(request.nouns or request.unit)
        return has_kind and has_place and says_kind
    return has_kind or has_place


def explain_unmeasured(ends: DistanceEnds, located: Sequence[Sized]) -> str:
    """Why no distance is measured; empty where one is."""
    request, needed = ends.request, 1 + ends.request.names_both
    names = [mention.text for mention in ends.named.mentions]
    without = [name for name, places in zip(names, located, strict=True) if not places]
    if not ends.list_asked_places():
        return f"nothing in this graph tells where {name_kinds(request, count=2)} are"
    if len(names) - len(without) < needed:
        verb = "is" if len(without) == 1 else "are"
        told = join_phrases([quote_text(name) for name in without])
        return f"nothing in this graph tells where {told} {verb}"
    if unread := (*without, *request.unread):
        texts = join_phrases([f"“{text}”" for text in unread])
        return f"{texts} cannot be asked together with a distance: ask for the distance alone"
    if len(names) > needed:
        return f"{len(names)} places are named: distances are measured from one at a time"
    return ""
