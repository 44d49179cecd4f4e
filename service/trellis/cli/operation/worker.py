"""`trellis worker`: a decoding worker, in the environment that has vLLM."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from trellis.domain.errors import ServiceError
from trellis.settings import Settings

_ENVIRONMENT = Path(".venv-worker", "bin", "python")


def worker(
    model: Annotated[
        str,
        typer.Option(
            help="A folder, a Hugging Face id or smollm2; or several adapters of one base."
        ),
    ],
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0: any free one.")] = 8100,
    turns: Annotated[int, typer.Option(min=1, help="Decodes that run at once.")] = 64,
    waiting: Annotated[int, typer.Option(min=0, help="Decodes that may wait; more: 429.")] = 512,
    drain: Annotated[
        float, typer.Option(min=0, help="Seconds that decodes get to end when it is stopped.")
    ] = 30.0,
    more: Annotated[
        list[str] | None, typer.Argument(help="After `--`: arguments of vLLM's own.")
    ] = None,
) -> None:
    """Serve a model under our languages by vLLM; prints `ready http://…` when it listens.

    This process becomes the worker, so that signals reach it.
    """
    command = [str(find_python()), "-m", "trellis.worker", "--model", model]
    command += ["--host", host, "--port", str(port), "--turns", str(turns)]
    command += ["--waiting", str(waiting), "--drain", str(drain)]
    command += ["--cache", str(Settings().cache)]
    sys.stdout.flush()
    os.execv(command[0], [*command, *(more or ())])


def find_python() -> Path:
    """The Python that has vLLM: `TRELLIS_WORKER_PYTHON`, this one, or that of `make worker`.

    ServiceError if none of them exists.
    """
    named = os.environ.get("TRELLIS_WORKER_PYTHON")
    if not named and find_spec("vllm"):
        return Path(sys.executable)
    roots = (Path(__file__).resolve().parents[4], Path.cwd())
    for python in [Path(named)] if named else [root / _ENVIRONMENT for root in roots]:
        if os.access(python, os.X_OK):
            return python
    raise ServiceError(
        f"vLLM is not installed ({named or _ENVIRONMENT} is missing)",
        "run `make worker` in the project's folder, or set TRELLIS_WORKER_PYTHON",
    )
