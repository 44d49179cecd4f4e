"""Prints every route that vLLM's app may have, as JSON; run where vLLM is (`test_worker_access`).

The app is built for all tasks, with everything on that adds routes; no engine is started.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, get_args

VARIABLES = {"VLLM_SERVER_DEV_MODE": "1", "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "1"}
ARGUMENTS = ["--enable-offline-docs", "--enable-fault-tolerance"]


def list_routes(routes: Sequence[Any], prefix: str = "") -> Iterator[tuple[str, list[str]]]:
    """The path and methods of each route (none: of a mount or a WebSocket), mounted ones too."""
    for route in routes:
        path = prefix + route.path
        yield path, sorted(getattr(route, "methods", None) or ())
        yield from list_routes(getattr(route, "routes", None) or (), path)


def find_tasks(kind: Any) -> list[str]:
    """The names in a union of literals."""
    return (
        [kind] if isinstance(kind, str) else [n for one in get_args(kind) for n in find_tasks(one)]
    )


def main() -> None:
    os.environ.update(VARIABLES)
    from vllm.entrypoints.launchers.app import build_app
    from vllm.entrypoints.launchers.cli_args import make_arg_parser
    from vllm.tasks import SupportedTask
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    arguments = make_arg_parser(FlexibleArgumentParser()).parse_args(ARGUMENTS)
    with_docs_of_fastapi = make_arg_parser(FlexibleArgumentParser()).parse_args([])
    tasks = tuple(find_tasks(SupportedTask))
    apps = [build_app(one, tasks) for one in (arguments, with_docs_of_fastapi)]
    print(json.dumps([route for app in apps for route in list_routes(app.routes)]))


if __name__ == "__main__":
    main()
