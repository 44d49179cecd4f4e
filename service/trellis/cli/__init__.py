"""The `trellis` command: one file a command, which does nothing but talk to the user.

    opening    opens what a command works on
    options    options that several commands have
    progress   progress bars
    stopping   work that a signal stops keeps what it has done
    terminal   where their text leaves for a terminal
    answering  commands that ask
    graphs     commands that bring a graph
    models     commands that train and measure
    operation  commands that serve and operate

Exit codes: 0 done, 1 an error of the user's or the world's (one line on stderr), 2 wrong usage;
with `--exit-code` also 3 where nothing is claimed and 4 where something is refuted.
Started by the entry point `trellis`; `demo` starts other commands. Nothing imports it but tests.
"""

from __future__ import annotations

import ast
import importlib
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from trellis import __version__
from trellis.cli.terminal import LineFormatter, echo
from trellis.domain.errors import TrellisError

COMMANDS: dict[str, tuple[str, ...]] = {  # each with examples that run as they stand
    "ask": (
        'trellis ask "What is the capital of France?"',
        'trellis ask "Which rivers flow through it?" --topics Germany --limit 5 --json',
        'trellis ask "Who founded Acme?" --url http://127.0.0.1:8000',
        'trellis ask "Does France border Spain?" --quiet --exit-code',
    ),
    "verify": (
        'trellis verify "The capital of France is Paris."',
        'trellis verify "Germany borders more than three countries." --json',
        'trellis verify "The capital of France is Lyon." --quiet --exit-code',
    ),
    "chat": ("trellis chat", "trellis chat --url http://127.0.0.1:8000 --method gcr"),
    "cypher": (
        'trellis cypher "MATCH (n) RETURN labels(n) AS kind, count(*) AS many"',
        'trellis cypher "MATCH (n {name: $x})--(m) RETURN m" --param x=Kenya --json',
        'trellis cypher "MATCH (a), (b) RETURN a, b" --explain',
        "trellis cypher --coverage questions.jsonl --out report.json",
    ),
    "mcp": ("trellis mcp", "trellis mcp --url http://127.0.0.1:8000"),
    "serve": ("trellis serve", "trellis serve --host 0.0.0.0 --port 8080 --model ./model"),
    "worker": ("trellis worker --model ./model", "trellis worker --model ./model --port 0"),
    "neo4j": ("trellis neo4j", "trellis neo4j --data ./data --bolt-port 0"),
    "load": (
        "trellis load graph.tsv",
        "trellis load ./folder --replace --no-embeddings",
        "trellis load script.cypher",
        "trellis load neo4j.dump --data ./data",
    ),
    "convert": ("trellis convert ./prime/processed --out ./prime-graph",),
    "index": (
        "trellis index",
        "trellis index --name Film=title --name Person=name",
        "trellis index --anchors names.txt",
    ),
    "wording": (
        "trellis wording --out wording.json",
        "trellis wording --out wording.json --from wording.json --force",
    ),
    "prompt": (
        'trellis prompt "Who founded Acme?" --method graphraft --model smollm2',
        'trellis prompt "Who founded Acme?" --shots 2 --json',
    ),
    "train": (
        "trellis train --task path --out ./model",
        "trellis train --out ./model --questions train.jsonl --base smollm2",
        "trellis train --base smollm2 --graphs films,shop --out ./model",
    ),
    "evaluate": (
        "trellis evaluate questions.jsonl --method gcr --out report.json",
        "trellis evaluate questions.jsonl --out new.json --compare report.json",
        "trellis evaluate ./prime/stark_qa/stark_qa.csv --split test --out report.json",
    ),
    "batch": (
        "trellis batch questions.jsonl --out ./answers",
        "trellis batch questions.jsonl --out ./answers --actors 4 --model ./model",
        "trellis batch questions.jsonl --out ./answers --address 127.0.0.1:6379",
    ),
    "keys": (
        "trellis keys create mobile --scope ask --scope feedback --days 90",
        "trellis keys list",
        "trellis keys audit --limit 20",
    ),
    "feedback": (
        "trellis feedback export --out regression.jsonl",
        "trellis feedback export --out train.jsonl --kind training",
    ),
    "forget": (
        "trellis forget --answers 90 --audit 365",
        "trellis forget --caller abcdefgh --dry-run",
    ),
    "migrate": ("trellis migrate", "trellis migrate --no-graph"),
    "demo": ("trellis demo", "trellis demo --once --port 0"),
    "bench": ("trellis bench", "trellis bench --load http://127.0.0.1:8000 --seconds 30"),
}

_GROUPS = {  # of commands, as their list shows them; and the folder of each group
    "Ask": ("answering", ("ask", "verify", "chat", "cypher", "mcp")),
    "Bring a graph": ("graphs", ("neo4j", "load", "convert", "index", "wording")),
    "Train and measure": ("models", ("train", "evaluate", "batch", "prompt", "bench")),
    "Serve and operate": (
        "operation",
        ("serve", "worker", "keys", "feedback", "forget", "migrate", "demo"),
    ),
}
_COMPLETE = "_TRELLIS_COMPLETE"  # set by a shell that asks for completions
_LISTED: tuple[list[str], ...] = ([], ["--help"], ["--version"], ["-V"])  # what needs no command

app = typer.Typer(name="trellis", no_args_is_help=True, pretty_exceptions_enable=False)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        echo(f"trellis {__version__}")
        raise typer.Exit


@app.callback()
def trellis(
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_show_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Questions in plain language over a Neo4j graph; every answer carries its facts."""


def _register_commands(arguments: Sequence[str]) -> None:
    """Register commands; each is the function of its own name in the file of its own name.

    A command with commands of its own is a Typer app of its name there; `CONTEXT`, if there is one,
    has click's settings of the command. Only the requested command is imported; all of them if none
    is named (help, mistakes).
    """
    known = [name for name in arguments[:1] if name in COMMANDS]
    for name in known or COMMANDS:
        panel, folder = _find_group(name)
        module = importlib.import_module(f"trellis.cli.{folder}.{name}")
        examples = "\n\n".join(("Examples:", *COMMANDS[name]))
        command = getattr(module, name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, epilog=examples, rich_help_panel=panel)
        else:
            context = getattr(module, "CONTEXT", None)
            app.command(name, epilog=examples, context_settings=context, rich_help_panel=panel)(
                command
            )


def _register_summaries() -> None:
    """Register all commands as their list shows them, by the first sentence of each one's file: to
    import them all would take seconds."""
    for name in COMMANDS:
        panel, folder = _find_group(name)
        file = Path(__file__).parent / folder / f"{name}.py"
        source = file.read_text(encoding="utf-8")
        said = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")[0]
        summary = " ".join(said.partition(": ")[2].split())
        app.command(
            name,
            short_help=summary[:1].upper() + summary[1:],
            rich_help_panel=panel,
        )(lambda: None)


def _find_group(name: str) -> tuple[str, str]:
    """The panel of a command in the list of all, and the folder of its file."""
    return next((panel, folder) for panel, (folder, names) in _GROUPS.items() if name in names)


def _list_typed_words() -> list[str]:
    """What a shell has of a command whose completions it asks for, without the program's name; what
    was given to this process, where none asks."""
    if _COMPLETE not in os.environ:
        return sys.argv[1:]
    typed = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    return typed.split()[1:]


def main() -> None:
    """Run the command line; a TrellisError ends in one line on stderr and exit code 1."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    logging.getLogger("neo4j").setLevel(logging.ERROR)
    if logging.lastResort:
        logging.lastResort.setFormatter(LineFormatter())
    words = _list_typed_words()
    if words in _LISTED or (_COMPLETE in os.environ and words[0] not in COMMANDS):
        _register_summaries()
    else:
        _register_commands(words)
    try:
        app()
    except TrellisError as error:
        notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
        echo(f"trellis: {error}{notes}", err=True)
        sys.exit(1)
    except ValidationError as error:
        echo(f"trellis: {_describe_invalid_settings(error)}", err=True)
        sys.exit(1)
    except KeyboardInterrupt:
        echo("trellis: stopped", err=True)
        sys.exit(130)


def _describe_invalid_settings(error: ValidationError) -> str:
    """One line that names the invalid settings and says why; other errors are raised again."""
    if error.title != "Settings":
        raise error
    problems = [f"TRELLIS_{str(e['loc'][0]).upper()}: {e['msg']}" for e in error.errors()]
    return f"{'; '.join(problems)}; change it in the environment or in .env"
