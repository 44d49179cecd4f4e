"""The actors: processes on a Ray node of our own, which ends with us, or on a Ray cluster."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import signal
import socket
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from trellis.batch.actor import ROW, BatchActor, OpenAsker, decode_records
from trellis.batch.records import Record
from trellis.domain.errors import InputError, ServiceError
from trellis.domain.reasons import with_reason

if TYPE_CHECKING:
    import ray.data

_RETRIES = 3
"""How often a task is done again whose actor ended: a question may be what ended it."""
_OBJECT_STORE = 128 * 2**20
"""Bytes of shared memory of our own node: what travels is small."""
_CONNECT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class ActorPool:
    """A Ray that runs, and how many actors answer on it; each opens what answers by itself."""

    actors: int
    open_asker: OpenAsker

    def ask_all(self, texts: Sequence[str], batch_size: int) -> Iterator[Sequence[Record]]:
        """The records of all encoded rows, task by task, as they are done.

        An actor that ends is started again, and its task is done again. What a task whose actors
        ended too often was to answer is left out. Raises the error that keeps an actor from
        opening what answers, or ServiceError where Ray gives up.
        """
        from ray.exceptions import RayError

        dataset = self._plan(texts, batch_size)
        try:
            for batch in dataset.iter_batches(
                batch_size=None, prefetch_batches=0, batch_format="pyarrow"
            ):
                yield decode_records(batch)
        except RayError as error:
            raise ServiceError(
                with_reason("Ray gave up", error), "the same command goes on from here"
            ) from error

    def _plan(self, texts: Sequence[str], batch_size: int) -> ray.data.Dataset:
        import ray.data

        tasks = -(-len(texts) // batch_size)
        rows = ray.data.from_items([{ROW: text} for text in texts], override_num_blocks=tasks)
        with warnings.catch_warnings():  # no other parameter bounds the retries
            warnings.simplefilter("ignore", DeprecationWarning)
            return rows.map_batches(
                BatchActor,
                fn_constructor_kwargs={"open_asker": self.open_asker},
                batch_size=None,
                batch_format="pyarrow",
                compute=ray.data.ActorPoolStrategy(size=self.actors),
                num_cpus=1,
                max_task_retries=_RETRIES,
            )


@contextlib.contextmanager
def open_pool(actors: int, open_asker: OpenAsker, address: str | None) -> Iterator[ActorPool]:
    """Start a Ray node, or connect to the cluster at an address, and leave it at the end.

    `load_ray` comes before it. Raises ServiceError where Ray does not start or does not answer,
    InputError where the cluster has less CPUs than there are to be actors.
    """
    import ray

    with contextlib.ExitStack() as stack:
        # Ray tells there, from a thread of its own, of each process that ended.
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        if address is None:
            folder = tempfile.TemporaryDirectory(prefix="trellis-ray-", ignore_cleanup_errors=True)
            session = stack.enter_context(folder)
            stack.callback(ray.shutdown)
            _start_node(actors, session)
        else:
            stack.callback(ray.shutdown)
            _connect(address)
            _check_cpus(actors, address)
        _quieten_data()
        yield ActorPool(actors, open_asker)


def _start_node(actors: int, folder: str) -> None:
    """Start a node that keeps its session in `folder`."""
    import ray

    try:
        with _defer_interrupts(), _silence_stderr():
            ray.init(
                "local",
                num_cpus=actors,
                object_store_memory=_OBJECT_STORE,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.CRITICAL,
                _temp_dir=folder,
            )
    except (OSError, RuntimeError, ValueError) as error:
        raise ServiceError(with_reason("Ray does not start", error), "") from error


def _connect(address: str) -> None:
    import ray

    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), _CONNECT_SECONDS):
            pass  # Ray itself tries for minutes
        with _defer_interrupts(), _silence_stderr():
            ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL)
    except (OSError, RuntimeError, ValueError) as error:
        raise ServiceError(
            with_reason(f"no Ray cluster can be used at {address}", error),
            "give HOST:PORT of its head, on a machine that is one of its nodes",
        ) from error


def _check_cpus(actors: int, address: str) -> None:
    import ray

    cpus = int(ray.cluster_resources().get("CPU", 0))
    if cpus < actors:
        raise InputError(
            f"the Ray cluster at {address} has {cpus} CPUs, and each of {actors} actors takes one",
            f"give --actors {cpus} or less, or add nodes",
        )


def _quieten_data() -> None:
    """Have Ray Data log nothing, and go on where a task is lost."""
    import ray.data

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    context.max_errored_blocks = -1
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)


@contextlib.contextmanager
def _silence_stderr() -> Iterator[None]:
    """Nothing of this process and its libraries is shown meanwhile; errors are raised as ever."""
    shown = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(shown, 2)
        os.close(shown)


@contextlib.contextmanager
def _defer_interrupts() -> Iterator[None]:
    """A Ctrl-C meanwhile counts afterwards: Ray cannot end what it is just starting."""
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if seen:
        raise KeyboardInterrupt
