"""Several decoding workers as one: who is asked first, and who is asked instead.

A language has a home, the replica that wins its rendezvous (highest random weight, Thaler and
Ravishankar 1998), where its prefixes are cached; a home with far more in flight than the mean is
passed over (bounded loads, Mirrokni et al. 2018). A decode changes nothing, so what a replica did
not answer may be asked of another; never after the deadline, and a connection that broke during an
answer once only, for the question itself may be what broke it.
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
from trellis.engines.replica import REMEDY, Call, Replica, UnansweredError
from trellis.wire.decoding import DecodedBody, DecoderBody, LanguageBody

log = logging.getLogger(__name__)

_EVEN = 4
"""So many in flight are never too many ..."""

_MORE = 1.5
"""... and so many times the mean are."""

_DESCRIBE_SECONDS = 30.0
_CHECK_SECONDS = 5.0
_ASIDE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class WorkerFigures:
    """How asking the workers went, since the start, and how many of them are left alone now."""

    requests: int
    retries: int
    by_value: int
    by_reference: int
    bytes: int
    replicas: int
    aside: int


class Replicas:
    """One or several workers that serve the same model.

    `trust`: seconds for which one that forgot a language is taken to serve what it served.
    """

    def __init__(self, replicas: Sequence[Replica], trust: float = 60.0) -> None:
        self._replicas = {replica.url: replica for replica in replicas}
        self._trust = trust
        self._tally: Counter[str] = Counter()
        self._serves: DecoderBody | None = None

    async def close(self) -> None:
        for replica in self._replicas.values():
            await replica.close()

    @property
    def figures(self) -> WorkerFigures:
        each = self._replicas.values()
        return WorkerFigures(
            requests=self._tally["requests"],
            retries=self._tally["retries"],
            by_value=self._tally["by_value"],
            by_reference=self._tally["by_reference"],
            bytes=sum(replica.sent_bytes for replica in each),
            replicas=len(each),
            aside=sum(replica.aside for replica in each),
        )

    async def describe(self) -> DecoderBody:
        """What all of them serve, as far as they answer; at least one has to.

        Raises DecoderError where none does, VocabularyMismatchError where two differ.
        """
        deadline = asyncio.get_running_loop().time() + _DESCRIBE_SECONDS
        each = self._replicas.values()
        found = await asyncio.gather(
            *(self._agreed(replica, deadline) for replica in each), return_exceptions=True
        )
        failed = _failures(found)
        if self._serves is None:
            raise _no_worker(failed)
        if differing := [one for one in failed if isinstance(one, VocabularyMismatchError)]:
            raise differing[0]
        for one in failed:
            log.warning("a decoding worker is not there: %s", one)
        return self._serves

    async def check(self) -> None:
        """Raises DecoderError where no worker takes decodes."""
        deadline = asyncio.get_running_loop().time() + _CHECK_SECONDS
        each = self._replicas.values()
        found = await asyncio.gather(
            *(replica.check(deadline) for replica in each), return_exceptions=True
        )
        failed = _failures(found)
        if len(failed) == len(each):
            raise _no_worker(failed)

    async def decoded(self, call: Call) -> DecodedBody:
        """What the first replica that answers gives.

        Raises DecoderTimeoutError, BusyError where those that are there are all busy, DecoderError
        where none answers, or what a replica refuses with.
        """
        failed: list[TrellisError] = []
        lost = 0
        asked = self._order(call.hash)
        while asked and lost < 2:
            replica = asked.pop(0)
            self._tally["requests" if not failed else "retries"] += 1
            try:
                return await self._asked(replica, call)
            except UnansweredError as failure:
                failed.append(failure.error)
                self._leave(replica, failure)
                lost += failure.lost
                if failure.lost and not asked:  # an idle connection may just have been closed
                    asked = [replica]
            except VocabularyMismatchError as error:
                failed.append(error)
                log.error("left alone: %s", error)
                replica.set_aside(_ASIDE_SECONDS)
        raise _no_worker(failed)

    def _leave(self, replica: Replica, failure: UnansweredError) -> None:
        log.info("asking elsewhere: %s", failure.error)
        if failure.seconds:
            replica.set_aside(failure.seconds)

    async def _asked(self, replica: Replica, call: Call) -> DecodedBody:
        """By reference where the replica holds the language, else by value."""
        with replica.working():
            await self._agreed(replica, call.deadline)
            if name := replica.name(call.hash):
                self._tally["by_reference"] += 1
                try:
                    return await replica.decode(call, LanguageBody(hash=name))
                except UnknownLanguageError:
                    replica.forget(call.hash, self._trust)
                    await self._agreed(replica, call.deadline)
            self._tally["by_value"] += 1
            return await replica.decode(call, LanguageBody.model_construct(data=call.data))

    async def _agreed(self, replica: Replica, deadline: float) -> None:
        """Raises VocabularyMismatchError where a replica serves another model than the others."""
        if replica.agreed:
            return
        served = await replica.describe(deadline)
        if self._serves is None:
            self._serves = served
        if _identity(served) != _identity(self._serves):
            raise VocabularyMismatchError(
                f"the worker at {replica.url} serves another model or tokenizer than was agreed on",
                "have all workers of TRELLIS_WORKER_URL serve one model folder; where that is a "
                "new one, start the service again",
            )
        replica.agree()

    def _order(self, name: str) -> list[Replica]:
        """All replicas, the one to ask first at the head; those that just failed at the end."""
        loads = {url: replica.in_flight for url, replica in self._replicas.items()}
        found = [self._replicas[url] for url in ordered(name, loads)]
        return sorted(found, key=lambda replica: replica.aside)


def ordered(name: str, loads: Mapping[str, int]) -> list[str]:
    """Addresses by their rendezvous with a name; those with too much in flight after the others."""

    def weight(url: str) -> bytes:
        return blake2b(f"{url} {name}".encode(), digest_size=8).digest()

    most = max(_EVEN, _MORE * (sum(loads.values()) + 1) / len(loads))
    return sorted(sorted(loads, key=weight), key=lambda url: loads[url] >= most)


def _identity(served: DecoderBody) -> tuple[object, ...]:
    return served.card, served.adapters, served.vocabulary, served.ends, served.size


def _failures(found: Sequence[BaseException | None]) -> list[TrellisError]:
    """The errors among outcomes, as errors of ours; others are raised."""
    errors = [one.error if isinstance(one, UnansweredError) else one for one in found if one]
    for one in errors:
        if not isinstance(one, TrellisError):
            raise one
    return [one for one in errors if isinstance(one, TrellisError)]


def _no_worker(failed: Sequence[TrellisError]) -> TrellisError:
    """Why nobody answered: busy if one is, the only reason there is, or all of them."""
    for one in failed:
        if isinstance(one, BusyError) or len({str(each) for each in failed}) == 1:
            return one
    reasons = "; ".join(dict.fromkeys(one.problem for one in failed))
    return DecoderError(f"no decoding worker answers: {reasons}", REMEDY)
