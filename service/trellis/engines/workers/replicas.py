"""Several decoding workers as one: choose which is asked first, and which is asked next.

Each language has a home replica, which caches its prefixes: the winner of its rendezvous (highest
random weight, Thaler and Ravishankar 1998). A home with far more requests in flight than the mean
is passed over (bounded loads, Mirrokni et al. 2018). A decode changes nothing, so another replica
may be asked after a failure, but never after the deadline; and after a connection that broke during
an answer only once, because the request itself may have broken it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from trellis.domain.errors import (
    BusyError,
    DecoderError,
    TrellisError,
    UnknownLanguageError,
    VocabularyMismatchError,
)
from trellis.engines.workers.replica import REMEDY, DecodeCall, Replica, UnansweredError
from trellis.wire.decoding import DecodedBody, DecoderBody

log = logging.getLogger(__name__)

_ALWAYS_IN_FLIGHT = 4
"""Requests in flight that never count as too many."""

_MOST_TIMES_MEAN = 1.5
"""Multiple of the mean in flight from which a replica has too many."""

_DESCRIBE_SECONDS = 30.0
_CHECK_SECONDS = 5.0
_ASIDE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class WorkerFigures:
    """Requests to the workers since the start, and how many workers are set aside now.

    `by_value`, `by_reference`: how languages were sent. `bytes`: sent in all.
    """

    requests: int
    retries: int
    by_value: int
    by_reference: int
    bytes: int
    replicas: int
    aside: int


class Replicas:
    """One or several workers that serve the same model.

    `trust`: seconds for which a worker that lost a language is still taken to serve the same model.
    """

    def __init__(self, replicas: Sequence[Replica], trust: float = 60.0) -> None:
        self._replicas = {replica.url: replica for replica in replicas}
        self._trust = trust
        self._tally: Counter[str] = Counter()
        self._served: DecoderBody | None = None

    async def close(self) -> None:
        for replica in self._replicas.values():
            await replica.close()

    @property
    def figures(self) -> WorkerFigures:
        replicas = self._replicas.values()
        return WorkerFigures(
            requests=self._tally["requests"],
            retries=self._tally["retries"],
            by_value=self._tally["by_value"],
            by_reference=self._tally["by_reference"],
            bytes=sum(replica.sent_bytes for replica in replicas),
            replicas=len(replicas),
            aside=sum(replica.is_aside for replica in replicas),
        )

    async def describe_workers(self) -> DecoderBody:
        """What the workers serve; at least one has to answer.

        Raises DecoderError where none answers, VocabularyMismatchError where two differ.
        """
        deadline = asyncio.get_running_loop().time() + _DESCRIBE_SECONDS
        replicas = self._replicas.values()
        outcomes = await asyncio.gather(
            *(self._check_agreement(replica, deadline) for replica in replicas),
            return_exceptions=True,
        )
        failures = _collect_failures(outcomes)
        if self._served is None:
            raise _choose_failure(failures)
        if differing := [e for e in failures if isinstance(e, VocabularyMismatchError)]:
            raise differing[0]
        for error in failures:
            log.warning("a decoding worker is not there: %s", error)
        return self._served

    async def check_ready(self) -> None:
        """Raises DecoderError where no worker takes decodes."""
        deadline = asyncio.get_running_loop().time() + _CHECK_SECONDS
        replicas = self._replicas.values()
        outcomes = await asyncio.gather(
            *(replica.check_ready(deadline) for replica in replicas), return_exceptions=True
        )
        failures = _collect_failures(outcomes)
        if len(failures) == len(replicas):
            raise _choose_failure(failures)

    async def decode_call(self, call: DecodeCall) -> DecodedBody:
        """The sentences of the first replica that answers.

        Raises DecoderTimeoutError, BusyError where all that can be reached are busy, DecoderError
        where none answers, or the error that a replica refuses with.
        """
        failed: list[TrellisError] = []
        lost = 0
        waiting = self._order_replicas(call.language_hash)
        while waiting and lost < 2:
            replica = waiting.pop(0)
            self._tally["requests" if not failed else "retries"] += 1
            try:
                return await self._ask_replica(replica, call)
            except UnansweredError as failure:
                failed.append(failure.error)
                self._set_aside(replica, failure)
                lost += failure.connection_lost
                if failure.connection_lost and not waiting:  # an idle one may just have been closed
                    waiting = [replica]
            except VocabularyMismatchError as error:
                failed.append(error)
                log.error("left alone: %s", error)
                replica.set_aside(_ASIDE_SECONDS)
        raise _choose_failure(failed)

    def _set_aside(self, replica: Replica, failure: UnansweredError) -> None:
        log.info("asking elsewhere: %s", failure.error)
        if failure.pause_seconds:
            replica.set_aside(failure.pause_seconds)

    async def _ask_replica(self, replica: Replica, call: DecodeCall) -> DecodedBody:
        """Decode on a replica; the language goes by reference where it holds it, else by value."""
        with replica.count_in_flight():
            await self._check_agreement(replica, call.deadline)
            if name := replica.find_language_name(call.language_hash):
                self._tally["by_reference"] += 1
                try:
                    return await replica.decode_call(call, call.name_language(name))
                except UnknownLanguageError:
                    replica.forget_language(call.language_hash, self._trust)
                    await self._check_agreement(replica, call.deadline)
            self._tally["by_value"] += 1
            return await replica.decode_call(call, call.send_language())

    async def _check_agreement(self, replica: Replica, deadline: float) -> None:
        """Raises VocabularyMismatchError where a replica serves another model than the others."""
        if replica.has_agreed:
            return
        served = await replica.describe_worker(deadline)
        if self._served is None:
            self._served = served
        if _identify_model(served) != _identify_model(self._served):
            raise VocabularyMismatchError(
                f"the worker at {replica.url} serves another model or tokenizer than was agreed on",
                "have all workers of TRELLIS_WORKER_URL serve one model folder; where that is a "
                "new one, start the service again",
            )
        replica.mark_agreed()

    def _order_replicas(self, name: str) -> list[Replica]:
        """All replicas in the order in which to ask them; those set aside come last."""
        loads = {url: replica.in_flight for url, replica in self._replicas.items()}
        replicas = [self._replicas[url] for url in order_urls(name, loads)]
        return sorted(replicas, key=lambda replica: replica.is_aside)


def order_urls(name: str, loads: Mapping[str, int]) -> list[str]:
    """Addresses in order of their rendezvous with a name; overloaded ones come last.

    `loads`: requests in flight by address.
    """

    def weight(url: str) -> bytes:
        return blake2b(f"{url} {name}".encode(), digest_size=8).digest()

    most = max(_ALWAYS_IN_FLIGHT, _MOST_TIMES_MEAN * (sum(loads.values()) + 1) / len(loads))
    return sorted(sorted(loads, key=weight), key=lambda url: loads[url] >= most)


def _identify_model(served: DecoderBody) -> tuple[object, ...]:
    """All by which two workers are recognised as serving the same model."""
    return served.card, served.adapters, served.vocabulary, served.ends, served.size


def _collect_failures(outcomes: Sequence[BaseException | None]) -> list[TrellisError]:
    """The Trellis errors among outcomes; any other error is raised."""
    errors = [e.error if isinstance(e, UnansweredError) else e for e in outcomes if e]
    for error in errors:
        if not isinstance(error, TrellisError):
            raise error
    return [error for error in errors if isinstance(error, TrellisError)]


def _choose_failure(failed: Sequence[TrellisError]) -> TrellisError:
    """Why no worker answered: BusyError if one is busy, their common error, or all reasons."""
    is_common = len({str(error) for error in failed}) == 1
    for error in failed:
        if isinstance(error, BusyError) or is_common:
            return error
    reasons = "; ".join(dict.fromkeys(error.problem for error in failed))
    return DecoderError(f"no decoding worker answers: {reasons}", REMEDY)
