"""Ray, loaded as Trellis wants it: it tells nobody, and shows nothing of its own."""

from __future__ import annotations

import os
import secrets
import sys
from typing import NoReturn

from trellis.domain.errors import ServiceError


def load_ray(is_local: bool) -> None:
    """Import Ray with Ray Data, before anything else does: it reads its environment then.

    `is_local`: it is to start a node of its own, which listens on the network, and so lets in
    nobody without a token that is made here. Raises ServiceError where it is not installed.
    """
    if is_local:
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    os.environ.setdefault("RAY_DATA_DISABLE_PROGRESS_BARS", "1")
    try:
        import ray.data  # noqa: F401
    except ModuleNotFoundError as error:
        remedy = "install trellis with the extra `batch`"
        raise ServiceError(f"the package {error.name} is not installed", remedy) from error


def end_process() -> NoReturn:
    """End with 0 at once: threads that Ray leaves behind now and then abort Python's own ending."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
