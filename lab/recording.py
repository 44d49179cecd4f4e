"""An app that remembers what its database, models and embedder said, so that the steps between
them can be run again in a hundredth of the time, with one of them changed."""

from __future__ import annotations

import gzip
import hashlib
import inspect
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from trellis.app.models import ModelSet, ModelSource
from trellis.app.once import LazyPart
from trellis.app.trellis_app import TrellisApp
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.paths.walks import Walks
from trellis.domain.errors import TrellisError
from trellis.domain.ports import LanguageModel

_Asked = tuple[str, str, str]
"""A part, one of its methods, and what tells its arguments apart."""


@dataclass
class Recording:
    """What parts said, by what they were asked; `heard`: how often a part was really asked."""

    said: dict[_Asked, Any] = field(default_factory=dict)
    heard: int = 0

    @classmethod
    def read(cls, path: Path) -> Recording:
        """What a file holds that `write` wrote: our own, for a pickle runs what it says."""
        with gzip.open(path, "rb") as file:
            return cls(pickle.load(file))

    def write(self, path: Path) -> None:
        with gzip.open(path, "wb", compresslevel=1) as file:
            pickle.dump(self.said, file, protocol=pickle.HIGHEST_PROTOCOL)

    def remember_app(self, trellis_app: TrellisApp) -> TrellisApp:
        """The same app, each of whose parts is asked the same thing once only."""
        sources = [self._remember_source(source) for source in trellis_app.models.sources]
        return replace(
            trellis_app,
            graph=self.remember("graph", trellis_app.graph),
            queries=self.remember("queries", trellis_app.queries),
            embedder=self.remember("embedder", trellis_app.embedder),
            models=ModelSet(sources, trellis_app.models.memory),
        )

    def _remember_source(self, source: ModelSource) -> ModelSource:
        async def load() -> LanguageModel:
            model: LanguageModel = self.remember(source.name, await source.model.get())
            return model

        return replace(source, model=LazyPart(load))

    def remember(self, name: str, part: Any) -> Any:
        """The same part, asked the same thing once only; `name` tells parts apart."""
        return _RememberedPart(self, name, part)


class _RememberedPart:
    """A part whose methods are called once for the same arguments; errors are remembered too."""

    def __init__(self, recording: Recording, name: str, part: Any) -> None:
        self._recording, self._name, self._part = recording, name, part

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self._part, name)
        if inspect.iscoroutinefunction(asked):
            return partial(self._await_once, name, asked)
        return partial(self._call_once, name, asked) if callable(asked) else asked

    async def _await_once(self, name: str, ask: Callable[..., Any], *args: Any, **more: Any) -> Any:
        key = (self._name, name, _tell_apart((args, more)))
        with self._hear(key) as heard:
            if heard is not None:
                heard.append(await ask(*args, **more))
        return _give(self._recording.said[key])

    def _call_once(self, name: str, ask: Callable[..., Any], *args: Any, **more: Any) -> Any:
        key = (self._name, name, _tell_apart((args, more)))
        with self._hear(key) as heard:
            if heard is not None:
                heard.append(ask(*args, **more))
        return _give(self._recording.said[key])

    @contextmanager
    def _hear(self, key: _Asked) -> Iterator[list[Any] | None]:
        """A list for what the part says, which is remembered; None where it has said it before."""
        if key in self._recording.said:
            yield None
            return
        self._recording.heard += 1
        heard: list[Any] = []
        try:
            yield heard
            self._recording.said[key] = heard[0]
        except TrellisError as error:
            self._recording.said[key] = _Raised(error)


@dataclass(frozen=True, slots=True)
class _Raised:
    error: TrellisError


def _give(said: Any) -> Any:
    if isinstance(said, _Raised):
        raise said.error
    return said


def _tell_apart(asked: Any) -> str:
    """A text that differs where what was asked differs."""
    return hashlib.sha256(_write(asked).encode()).hexdigest()


def _write(asked: Any) -> str:
    if isinstance(asked, np.ndarray):
        return hashlib.sha256(np.ascontiguousarray(asked).tobytes()).hexdigest()
    if isinstance(asked, CypherLanguage):
        parts = (asked.linked_values, asked.options, asked.groundings, asked.wanted)
        return f"{parts!r}"
    if isinstance(asked, Walks):  # those of the graph and of its schema have one prompt
        first = sorted((k, sorted(map(repr, its))) for k, its in asked.list_first_steps().items())
        return f"{asked.starts!r} {asked.hops} {first!r}"
    if isinstance(asked, str | bytes | int | float | None):
        return repr(asked)
    if isinstance(asked, dict):
        return _write(sorted(asked.items(), key=repr))
    if isinstance(asked, Sequence):
        return f"[{', '.join(map(_write, asked))}]"
    if isinstance(asked, set | frozenset):
        return _write(sorted(asked, key=repr))
    if repr(asked).endswith(f" object at {hex(id(asked))}>"):
        return type(asked).__name__  # languages whose prompt tells them apart
    return repr(asked)
