"""Reads pickles that hold plain values alone: a pickle can call any function, so all are refused
but those that make containers, texts and numbers."""

from __future__ import annotations

import pickle
import re
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from trellis.domain.errors import FileFormatError
from trellis.domain.reasons import with_reason

_SCALAR_TYPE = re.compile(r"[biuf][1248]|[US]\d{1,6}")
_BYTE_ORDERS = "<>|="
_BROKEN = (  # what the standard library raises on bytes that are no pickle
    pickle.UnpicklingError,
    EOFError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    MemoryError,
    OverflowError,
    RecursionError,
    SystemError,
)


class UnsafePickleError(FileFormatError):
    """A pickle that asks for something other than plain values."""

    title = "Unsafe pickle"


class _ScalarType:
    """NumPy's type of a number or a text, which is what it calls itself in a pickle."""

    def __init__(self, name: str, *_: object) -> None:
        self._name, self._order = name, "="

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._order = state[1]

    def read_value(self, data: bytes) -> Any:
        """The plain value that the bytes of a scalar stand for; ValueError where they do not."""
        if not (_SCALAR_TYPE.fullmatch(self._name) and self._order in _BYTE_ORDERS):
            raise ValueError(f"a value of NumPy's type {self._name!r}")
        return np.frombuffer(data, np.dtype(self._order + self._name), count=1)[0].item()


def _read_scalar(kind: _ScalarType, data: bytes) -> Any:
    return kind.read_value(data)


_ALLOWED: dict[tuple[str, str], Callable[..., Any]] = {
    ("builtins", "set"): set,
    ("builtins", "frozenset"): frozenset,
    ("__builtin__", "set"): set,  # as old protocols call it
    ("__builtin__", "frozenset"): frozenset,
    ("collections", "OrderedDict"): OrderedDict,
    ("numpy", "dtype"): _ScalarType,
    ("numpy.core.multiarray", "scalar"): _read_scalar,
    ("numpy._core.multiarray", "scalar"): _read_scalar,
}


class _PlainUnpickler(pickle.Unpickler):
    """Finds no class and no function but those that are allowed."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise UnsafePickleError(
                f"it holds {module}.{name}",
                "only dictionaries, lists, sets, texts and numbers are read: save it as these",
            )
        return _ALLOWED[module, name]


def read_plain_pickle(path: Path) -> Any:
    """The value of a pickle; UnsafePickleError where it is more than plain values, and
    FileFormatError where it cannot be read."""
    try:
        with path.open("rb") as file:
            return _PlainUnpickler(file).load()
    except UnsafePickleError as error:
        raise UnsafePickleError(f"{path}: {error.problem}", error.remedy) from error
    except OSError as error:
        raise FileFormatError(
            with_reason(f"{path} cannot be read", error), "check the path"
        ) from error
    except _BROKEN as error:
        problem = with_reason(f"{path} is a broken pickle", error)
        raise FileFormatError(problem, "copy it again") from error
