"""Options that several commands have, with the same words in each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trellis.domain.question import Topics

MethodOption = Annotated[str | None, typer.Option(help="The method; unset: the default.")]
ModelOption = Annotated[
    str | None, typer.Option(help="Folders of trained models, comma-separated.")
]
UrlOption = Annotated[
    str | None, typer.Option(help="A running service to ask; unset: TRELLIS_URL, else ourselves.")
]
SuiteArgument = Annotated[Path, typer.Argument(help="Questions: JSON lines, .gz accepted.")]
TopicsOption = Annotated[Topics, typer.Option(help="Link, or use the given topics.")]
SuiteLimitOption = Annotated[int | None, typer.Option(min=1, help="Only the first N questions.")]
