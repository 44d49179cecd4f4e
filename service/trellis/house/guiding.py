"""What can be asked: said where a text asks for nothing, or is not in the language of questions."""

from __future__ import annotations

from dataclasses import replace

from trellis.domain.reply import Reply
from trellis.house.house import House
from trellis.house.openings import list_openings
from trellis.steps.link.vocabulary.misspelt_words import (
    asks_nothing,
    is_other_language,
    list_own_words,
)

_MOST_SHOWN = 3


async def explain_what_can_be_asked(house: House, reply: Reply) -> Reply:
    """The reply; where it claims nothing and the text was a greeting or in another language than
    English, with a sentence that says what this graph can be asked."""
    if not reply.abstained or reply.choices:
        return reply
    is_empty = not reply.mentions and asks_nothing(reply.question)
    own = list_own_words(await house.graph.schema())
    if not is_empty and not is_other_language(reply.question, own, house.english_words):
        return reply
    starters = (await list_openings(house)).starters[:_MOST_SHOWN]
    shown = ", ".join(f"“{question}”" for question in starters)
    such = f", such as {shown}" if shown else ""
    reason = f"ask a question in English about what is in this graph{such}"
    notes = (*reply.notes, reason)
    return replace(reply, held_back=reason, reading="", candidates=(), notes=notes)
