"""Prompts by which chat interfaces ask a model for titles, tags and the like.

They are answered at once, in the form that they ask for, and never put to the graph.
"""

from __future__ import annotations

import json
import re

_TASK = re.compile(r"\s*###\s*task\s*:", re.IGNORECASE)
_QUERY = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL | re.IGNORECASE)
_CONTEXT = re.compile(r"</context>(.*)", re.DOTALL | re.IGNORECASE)
_FIRST_QUESTION = re.compile(r"^\s*USER:\s*(.+?)\s*$", re.MULTILINE)
_HISTORY = re.compile(r"<chat_history>(.*?)</chat_history>", re.DOTALL | re.IGNORECASE)
_LISTS = ("tags", "follow_ups", "queries")
_LONGEST_TITLE = 60
_REFUSAL = "This model answers questions about a graph, and does no other task."


def answer_task(text: str) -> str | None:
    """The answer to a prompt of a chat interface; None for a question of a person."""
    if not _TASK.match(text) or find_question(text) != text:
        return None
    if re.search(r"\"title\"|\btitle\b", text, re.IGNORECASE) and '"tags"' not in text:
        return json.dumps({"title": _write_title(text)}, ensure_ascii=False)
    for name in _LISTS:
        if f'"{name}"' in text:
            return json.dumps({name: []})
    return _REFUSAL


def find_question(text: str) -> str:
    """A person's question, without the documents and instructions that an interface puts before
    it."""
    if not _TASK.match(text):
        return text
    found = _QUERY.search(text) or _CONTEXT.search(text)
    return found[1].strip() if found and found[1].strip() else text


def _write_title(text: str) -> str:
    """The first question of the conversation, cut."""
    history = _HISTORY.search(text)
    asked = _FIRST_QUESTION.search(history[1] if history else text)
    title = " ".join(asked[1].split()) if asked else "Questions to a graph"
    return title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE].rstrip()}…"
