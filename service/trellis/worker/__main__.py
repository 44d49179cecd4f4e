"""`python -m trellis.worker`: the worker, in an environment that has vLLM."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from trellis.domain.errors import TrellisError
from trellis.models.side_by_side import plan_serving


def main(arguments: list[str] | None = None) -> int:
    """Serve a model folder; what is not ours goes on to vLLM. 1 where that cannot be."""
    parser = argparse.ArgumentParser("trellis worker", allow_abbrev=False)
    parser.add_argument("--model", type=split_folders, required=True)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8100)
    parser.add_argument("--turns", type=int, default=64)
    parser.add_argument("--waiting", type=int, default=512)
    parser.add_argument("--drain", type=float, default=30.0)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "trellis")
    given, more = parser.parse_known_args(arguments)
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "WARNING")
    os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
    try:
        model = plan_serving([folder.resolve() for folder in given.model], given.cache)
        from trellis.worker.serving import Serving, serve  # when it is needed: vLLM takes seconds

        what = Serving(
            model, given.host, given.port, given.turns, given.waiting, given.drain, tuple(more)
        )
        asyncio.run(serve(what))
    except TrellisError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def split_folders(text: str) -> Sequence[Path]:
    """The folders of a comma-separated list."""
    return [Path(part.strip()) for part in text.split(",") if part.strip()]


if __name__ == "__main__":
    sys.exit(main())
