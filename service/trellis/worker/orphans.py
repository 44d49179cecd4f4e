"""The engine's processes end with the server that started them, even where it was killed."""

from __future__ import annotations

import ctypes
import multiprocessing
import signal
import sys

_PR_SET_PDEATHSIG = 1  # prctl(2)


def end_with_parent() -> None:
    """Have the kernel kill this process when its parent ends; on Linux, in child processes only.

    vLLM calls it in each of its processes, as a plugin (`vllm.general_plugins`).
    """
    if sys.platform == "linux" and multiprocessing.parent_process() is not None:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
