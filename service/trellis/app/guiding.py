"""What can be asked: said where a text asks for nothing, or is not in the language of questions."""

from __future__ import annotations

from dataclasses import replace

from trellis.app.openings import list_openings
from trellis.app.trellis_app import TrellisApp
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.linking.names.spans import Span
from trellis.linking.questions.other_languages import (
    is_in_other_language,
    is_other_function_word,
    says_name_of_other_script,
)
from trellis.methods.registry import AUTO
from trellis.steps.link.link import link_mentions
from trellis.steps.link.vocabulary.misspelt_words import (
    asks_nothing,
    is_other_language,
    list_own_words,
)

_MOST_SHOWN = 3
_ENGLISH_ONLY = "questions are read in English only, with names in any language: ask one"
_ASK = "ask a question in English"


async def hold_back_other_language(
    trellis_app: TrellisApp, question: Question, method: str | None
) -> Reply | None:
    """The reply that a question is in another language than English, before anything is tried;
    None of questions in English, whatever the names in them, where that is not sure, and where the
    graph's own labels and types are in the question's script."""
    if not is_in_other_language(question.text, (), trellis_app.english_words):
        return None
    schema = await trellis_app.graph.schema()
    if says_name_of_other_script(question.text, schema.names):
        return None
    mentions = await link_mentions(question.text, trellis_app.graph, None, list_own_words(schema))
    names = [Span(it.start, it.end) for it in mentions if not it.best.is_similar]
    told = [name for name in names if not _is_function_word(question.text[name.start : name.end])]
    if told and not is_in_other_language(question.text, told, trellis_app.english_words):
        return None
    silent = Reply(question.text, method or AUTO, (), (), 0.0, abstained=True)
    return silent.hold_back(await _suggest_questions(trellis_app, _ENGLISH_ONLY))


async def explain_what_can_be_asked(trellis_app: TrellisApp, reply: Reply) -> Reply:
    """The reply; where it claims nothing and the text was a greeting or in another language than
    English, with a sentence that says what this graph can be asked."""
    if not reply.abstained or reply.choices:
        return reply
    is_empty = not reply.mentions and asks_nothing(reply.question)
    own = list_own_words(await trellis_app.graph.schema())
    if not is_empty and not is_other_language(reply.question, own, trellis_app.english_words):
        return reply
    reason = await _suggest_questions(trellis_app, _ASK)
    notes = (*reply.notes, reason)
    return replace(reply, held_back=reason, reading="", candidates=(), notes=notes)


async def _suggest_questions(trellis_app: TrellisApp, request: str) -> str:
    """What is asked of the user, with a few questions that this graph answers."""
    starters = (await list_openings(trellis_app)).starters[:_MOST_SHOWN]
    shown = ", ".join(f"“{question}”" for question in starters)
    such = f", such as {shown}" if shown else ""
    return f"{request} about what is in this graph{such}"


def _is_function_word(text: str) -> bool:
    """Whether a name is no more than a word by which another language is told."""
    return all(map(is_other_function_word, text.lower().split()))
