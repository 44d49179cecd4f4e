"""`python -m trellis.worker`: the worker, in an environment that has vLLM."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from trellis.domain.errors import TrellisError
from trellis.domain.printable import escape_controls
from trellis.models.finding import is_model_name
from trellis.models.folder_list import split_folders
from trellis.models.side_by_side import plan_serving


def main(arguments: list[str] | None = None) -> int:
    """Serve model folders until stopped; gives the exit status, 1 where they cannot be served.

    Arguments that are not listed here are passed on to vLLM.
    """
    parser = argparse.ArgumentParser("trellis worker", allow_abbrev=False)
    parser.add_argument("--model", type=split_folders, required=True)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8100)
    parser.add_argument("--turns", type=int, default=64)
    parser.add_argument("--waiting", type=int, default=512)
    parser.add_argument("--drain", type=float, default=30.0)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "trellis")
    args, more = parser.parse_known_args(arguments)
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "WARNING")
    os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
    try:
        model = plan_serving([_resolve_model(model) for model in args.model], args.cache)
        from trellis.worker.serving import (  # late, as vLLM takes seconds to import
            ServingOptions,
            serve_worker,
        )

        serving = ServingOptions(
            model, args.host, args.port, args.turns, args.waiting, args.drain, tuple(more)
        )
        with TemporaryDirectory(prefix="trellis-worker-") as sockets:
            os.environ.setdefault("VLLM_RPC_BASE_PATH", sockets)  # vLLM leaves its sockets there
            asyncio.run(serve_worker(serving))
    except TrellisError as error:
        print(escape_controls(str(error)), file=sys.stderr)
        return 1
    return 0


def _resolve_model(model: Path) -> Path:
    """A folder by its whole path; a name as it is."""
    return model if is_model_name(str(model)) else model.resolve()


if __name__ == "__main__":
    sys.exit(main())
