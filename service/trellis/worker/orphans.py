"""Ends the engine's processes with the server that started them, even where it was killed."""

from __future__ import annotations

import ctypes
import multiprocessing
import signal
import sys

_PR_SET_PDEATHSIG = 1  # prctl(2)


def end_with_parent() -> None:
    """Let the kernel kill this process when its parent ends; only in child processes on Linux.

    vLLM calls this in each of its processes, as a plugin (`vllm.general_plugins`).
    """
    if sys.platform == "linux" and multiprocessing.parent_process() is not None:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
