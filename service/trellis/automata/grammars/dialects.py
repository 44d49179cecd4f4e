"""Grammars as text, in the dialects that servers read.

GBNF is read by llama.cpp and by xgrammar (vLLM, and SGLang, which calls it EBNF); Lark by
llguidance. White space before a sentence is left out: a model's turn does not begin with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from trellis.automata.grammars.grammar import END, Choices, FreeChoice, Grammar

Dialect = Literal["gbnf", "lark"]


def write_grammar(grammar: Grammar, dialect: Dialect) -> str:
    """The text of a grammar, whose first rule says a whole sentence."""
    return _write_gbnf(grammar) if dialect == "gbnf" else _write_lark(grammar)


def _write_gbnf(grammar: Grammar) -> str:
    lines = [f"root ::= {_join(grammar.rules[0], _write_free_gbnf, is_first=True)}"]
    for number, rule in enumerate(grammar.rules):
        lines.append(f"r{number} ::= {_join(rule, _write_free_gbnf)}")
    return "\n".join(lines) + "\n"


def _write_lark(grammar: Grammar) -> str:
    free: dict[str, str] = {}

    def write_free(choice: FreeChoice) -> str:
        word = f"[^ {_escape_class(choice.stop)}\\x00-\\x1f]+"
        name = free.setdefault(f"/{word}( {word})*/", f"FREE{len(free)}")
        lead = f"{quote_text(choice.lead)} " if choice.lead else ""
        return f"{lead}{name}"

    lines = [f"start: {_join(grammar.rules[0], write_free, is_first=True, nothing='')}"]
    for number, rule in enumerate(grammar.rules):
        lines.append(f"r{number}: {_join(rule, write_free, nothing='')}")
    lines += [f"{name}: {pattern}" for pattern, name in free.items()]
    return "\n".join(lines) + "\n"


def _join(
    rule: Sequence[Choices | FreeChoice],
    write_free: Callable[[FreeChoice], str],
    *,
    is_first: bool = False,
    nothing: str = '""',
) -> str:
    """The alternatives of a rule; one that says nothing comes last."""
    ways = []
    for choice in rule:
        if isinstance(choice, FreeChoice):
            said = write_free(choice)
        elif choice.then == END:
            continue
        else:
            texts = [text.lstrip() if is_first else text for text in choice.texts]
            quoted = [quote_text(text) for text in texts if text]
            said = quoted[0] if len(quoted) == 1 else f"({' | '.join(quoted)})"
        ways.append(f"{said} r{choice.then}")
    can_end = any(choice.then == END for choice in rule)
    return " | ".join([*ways, *([nothing] if can_end else [])])


def _write_free_gbnf(choice: FreeChoice) -> str:
    word = f"[^ {_escape_class(choice.stop)}\\x00-\\x1f]+"
    lead = f"{quote_text(choice.lead)} " if choice.lead else ""
    return f'{lead}{word} (" " {word})*'


def _escape_class(characters: frozenset[str]) -> str:
    """Characters as they stand in brackets."""
    return "".join(
        f"\\{character}" if character in "]\\^-/\"'[" else character
        for character in sorted(characters)
        if character != " "
    )


def quote_text(text: str) -> str:
    """A text between quotation marks; control characters by their number."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda m: f"\\x{ord(m[0]):02x}", escaped) + '"'
