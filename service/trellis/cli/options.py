"""Options that several commands have, with the same words in each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from trellis.domain.replies.question import Topics

ASKING, OUTPUT = "How it is answered", "Output"
"""Groups of options, as help shows them."""

MethodOption = Annotated[
    str | None, typer.Option(help="The method; unset: the default.", rich_help_panel=ASKING)
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        help="Models, comma-separated: folders, Hugging Face ids, or smollm2.",
        rich_help_panel=ASKING,
    ),
]
JsonOption = Annotated[
    bool,
    typer.Option("--json", help="Print what the API answers, for scripts.", rich_help_panel=OUTPUT),
]
ShotsOption = Annotated[
    int | None,
    typer.Option(min=0, max=32, help="Examples shown to a model that nobody trained."),
]
RenderingOption = Annotated[
    Literal["brief", "cypher"] | None,
    typer.Option(help="How a model that nobody trained writes queries."),
]
UrlOption = Annotated[
    str | None,
    typer.Option(
        help="A running service to ask; unset: TRELLIS_URL, else ourselves.",
        rich_help_panel=ASKING,
    ),
]
SuiteArgument = Annotated[
    Path, typer.Argument(help="Questions: JSON lines or STaRK's CSV, .gz accepted.")
]
TopicsOption = Annotated[Topics, typer.Option(help="Link, or use the given topics.")]
SuiteLimitOption = Annotated[int | None, typer.Option(min=1, help="Only the first N questions.")]


def choose_prompting(shots: int | None, rendering: str | None) -> dict[str, Any]:
    """The settings that these options change."""
    chosen = {"shots": shots, "rendering": rendering}
    return {name: value for name, value in chosen.items() if value is not None}
