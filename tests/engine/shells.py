"""Both shells over the shared core, on their own interfaces; run where vLLM is (`test_worker`)."""

from __future__ import annotations

import sys
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import pytest
import torch
from vllm import SamplingParams
from vllm.v1.sample.logits_processor.interface import BatchUpdate, MoveDirectionality
from vllm.v1.worker.gpu.sample.logits_processor.interface import (
    LogitsContext,
    LogitsProcRequestState,
)

from trellis.automata.codec import encode_language
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.models.folder import read_vocabulary
from trellis.worker import processor_v1, processor_v2
from trellis.worker.slots import BUDGET, LANGUAGE, TEMPERATURE, Slots
from walked import kg_trie

MODEL = Path(processor_v1.__file__).parents[1] / "demo" / "model"
VOCABULARY = read_vocabulary(MODEL)
ROWS = 8
CONFIG = SimpleNamespace(
    model_config=SimpleNamespace(model=str(MODEL)),
    scheduler_config=SimpleNamespace(max_num_seqs=ROWS),
)
BUDGET_OF_ALL = 40


@dataclass
class Job:
    """A request as an engine holds it; `seed` None: a free one."""

    seed: int | None
    said: list[int] = field(default_factory=list)

    def params(self) -> SamplingParams:
        data = b64encode(encode_language(kg_trie(self.seed or 0))).decode()
        led = {LANGUAGE: data, BUDGET: BUDGET_OF_ALL}
        return SamplingParams(max_tokens=64, extra_args=None if self.seed is None else led)

    def allowed(self) -> set[int] | None:
        """What may come next, by the automaton itself; None: anything."""
        if self.seed is None:
            return None
        automaton = TokenAutomaton(kg_trie(self.seed), VOCABULARY)
        state = automaton.start()
        for token in self.said:
            state = automaton.advance(state, token)
        ends = VOCABULARY.ends if automaton.accepting(state) else frozenset[int]()
        return set(automaton.allowed_within(state, BUDGET_OF_ALL - len(self.said)).tolist()) | ends

    def say(self, random: Random) -> bool:
        """Say some token that may come next; whether the request goes on."""
        allowed = self.allowed()
        if allowed is None:
            self.said.append(random.randrange(VOCABULARY.size))
            return len(self.said) < 12
        token = random.choice(sorted(allowed))
        self.said.append(token)
        return token not in VOCABULARY.ends


def right(logits: torch.Tensor, before: torch.Tensor, job: Job) -> None:
    """A row is masked as the automaton says, or as it was."""
    allowed = job.allowed()
    if allowed is None:
        assert torch.equal(logits, before)
    else:
        left = torch.isfinite(logits).nonzero()[:, 0].tolist()
        assert set(left) == allowed
        assert torch.equal(logits[left], before[left])


@pytest.mark.parametrize("seed", range(12))
def test_v1_follows_whoever_joins_leaves_moves_and_swaps(seed: int) -> None:
    random = Random(seed)
    shell = processor_v1.MaskProcessorV1(CONFIG, torch.device("cpu"), False)
    batch: list[Job] = []
    preempted: list[Job] = []
    for _ in range(60):
        removed, added, moved = [], [], []
        for slot in reversed(range(len(batch))):  # condensed as the engine does it: the last moves
            if random.random() < 0.15:
                job, last = batch[slot], len(batch) - 1
                if random.random() < 0.5:
                    preempted.append(job)
                batch[slot] = batch[last]
                batch.pop()
                if slot != last:
                    removed.append(slot)
                    moved.append((last, slot, MoveDirectionality.UNIDIRECTIONAL))
                else:
                    removed.append(slot)
        while len(batch) < ROWS and random.random() < 0.6:
            back = bool(preempted) and random.random() < 0.5
            job = preempted.pop() if back else Job(random.choice([None, *range(6)]))
            added.append((len(batch), job.params(), [1, 2], job.said))
            batch.append(job)
        if len(batch) > 1 and random.random() < 0.5:
            one, other = random.sample(range(len(batch)), 2)
            batch[one], batch[other] = batch[other], batch[one]
            moved.append((one, other, MoveDirectionality.SWAP))
        # the engine tells what was removed and moved, then what was added, in one update or two
        swaps = [m for m in moved if m[2] == MoveDirectionality.SWAP]
        gone = [m for m in moved if m[2] != MoveDirectionality.SWAP]
        shell.update_state(BatchUpdate(len(batch), removed, [], gone))
        shell.update_state(BatchUpdate(len(batch), [], added, swaps))
        if not batch:
            continue
        before = torch.randn(len(batch), VOCABULARY.size)
        logits = shell.apply(before.clone())
        for row, job in enumerate(batch):
            right(logits[row], before[row], job)
        for slot in reversed(range(len(batch))):
            if not batch[slot].say(random):
                last = len(batch) - 1
                batch[slot] = batch[last]
                batch.pop()
                one_way = [(last, slot, MoveDirectionality.UNIDIRECTIONAL)] if slot != last else []
                shell.update_state(BatchUpdate(len(batch), [slot], [], one_way))


@dataclass
class Memory:
    """The engine's own memory of tokens: as much of it as a processor reads."""

    tokens: torch.Tensor
    prompts: np.ndarray

    def state(self) -> LogitsProcRequestState:
        held: Any = SimpleNamespace(gpu=self.tokens)
        lengths: Any = SimpleNamespace(np=self.prompts)
        nothing: Any = None
        size = VOCABULARY.size
        return LogitsProcRequestState(
            torch.device("cpu"), ROWS, size, held, lengths, nothing, nothing
        )


@pytest.mark.parametrize("seed", range(12))
def test_v2_follows_slots_through_rows_in_any_order(seed: int) -> None:
    random = Random(seed)
    memory = Memory(torch.zeros((ROWS, 128), dtype=torch.int32), np.zeros(ROWS, np.int32))
    shell = processor_v2.MaskProcessorV2(CONFIG, memory.state())
    jobs: dict[int, Job] = {}
    preempted: list[Job] = []
    for _ in range(60):
        for slot in range(ROWS):
            if slot not in jobs and random.random() < 0.4:
                back = bool(preempted) and random.random() < 0.5
                jobs[slot] = preempted.pop() if back else Job(random.choice([None, *range(6)]))
                memory.prompts[slot] = random.randrange(1, 20)
                led = shell.add_request(slot, jobs[slot].params())
                assert led is (jobs[slot].seed is not None)
            elif slot in jobs and random.random() < 0.1:
                preempted.append(jobs.pop(slot))
        rows = random.sample(sorted(jobs), random.randint(0, len(jobs)))  # not all are scheduled
        if not rows:
            continue
        for slot in rows:
            begin, said = int(memory.prompts[slot]), jobs[slot].said
            memory.tokens[slot, begin : begin + len(said)] = torch.tensor(said, dtype=torch.int32)
        before = torch.randn(len(rows), VOCABULARY.size)
        reading = [random.random() < 0.1 and not jobs[slot].said for slot in rows]
        logits = shell.apply(before.clone(), context(rows, jobs, memory, reading))
        for row, slot in enumerate(rows):
            if reading[row]:  # its prompt is not read to the end: nothing is sampled
                assert torch.equal(logits[row], before[row])
            else:
                right(logits[row], before[row], jobs[slot])
                if not jobs[slot].say(random):
                    del jobs[slot]


def context(
    rows: list[int], jobs: dict[int, Job], memory: Memory, reading: list[bool]
) -> LogitsContext:
    lengths = [
        int(memory.prompts[slot]) - 1 if part else int(memory.prompts[slot]) + len(jobs[slot].said)
        for slot, part in zip(rows, reading, strict=True)
    ]
    fed = [int(memory.tokens[slot, length - 1]) for slot, length in zip(rows, lengths, strict=True)]
    slots = torch.tensor(rows)
    return LogitsContext(
        expanded_idx_mapping=slots,
        idx_mapping=slots,
        idx_mapping_np=np.array(rows),
        expanded_local_pos=torch.zeros(len(rows), dtype=torch.int64),
        input_ids=torch.tensor(fed),
        pos=torch.tensor(lengths) - 1,
        seq_lens_upper_bound_np=np.array(lengths),
    )


def test_a_request_that_fits_no_sentence_can_only_end() -> None:
    shell = processor_v1.MaskProcessorV1(CONFIG, torch.device("cpu"), False)
    arguments = Job(1).params().extra_args | {BUDGET: 1}
    params = SamplingParams(max_tokens=1, extra_args=arguments)
    shell.update_state(BatchUpdate(1, [], [(0, params, [1], [])], []))
    logits = shell.apply(torch.zeros(1, VOCABULARY.size))
    left = torch.isfinite(logits[0]).nonzero()[:, 0].tolist()
    assert set(left) == VOCABULARY.ends


def test_the_temperature_of_a_led_request_is_applied_before_its_mask() -> None:
    shell = processor_v1.MaskProcessorV1(CONFIG, torch.device("cpu"), False)
    arguments = Job(1).params().extra_args | {TEMPERATURE: 0.5}
    params = SamplingParams(max_tokens=9, extra_args=arguments)
    shell.update_state(BatchUpdate(1, [], [(0, params, [1], [])], []))
    before = torch.randn(1, VOCABULARY.size)
    logits = shell.apply(before.clone())
    left = torch.isfinite(logits[0])
    assert torch.allclose(logits[0][left], 2 * before[0][left])


def test_all_ends_of_a_text_are_one_option() -> None:
    from trellis.worker.masking import LogitsMasker

    class TwoEnds:
        ends = frozenset({3, 5})
        size = 64

    slots: Any = Slots(TwoEnds(), lambda data: pytest.fail(f"opened {data!r}"))  # type: ignore[arg-type]
    allowed = np.zeros(2, np.int32)
    allowed[0] = 1 << 3 | 1 << 5 | 1 << 7
    slots.take_slot(0, {"trellis_mask": allowed.tobytes()}, 1)
    masking = LogitsMasker(slots, TwoEnds.ends, 1, TwoEnds.size, torch.device("cpu"))
    before = torch.randn(1, 64)
    logits = masking.apply(before.clone(), {0: (0, [])})
    assert torch.isfinite(logits[0]).nonzero()[:, 0].tolist() == [3, 7]
    assert logits[0, 3] == pytest.approx(float(before[0, [3, 5]].logsumexp(0)))


def test_a_batch_that_nobody_leads_is_given_back_as_it_is() -> None:
    shell = processor_v1.MaskProcessorV1(CONFIG, torch.device("cpu"), False)
    shell.update_state(BatchUpdate(1, [], [(0, Job(None).params(), [1], [])], []))
    logits = torch.randn(1, VOCABULARY.size)
    before = logits.clone()
    assert shell.apply(logits) is logits
    assert torch.equal(logits, before)
