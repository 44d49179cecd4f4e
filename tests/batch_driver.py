"""A batch over made questions, as a process that can be killed: see `main` for its arguments."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from fatal_asker import ALWAYS, ONCE, open_fatal_asker
from trellis.batch.library import end_process, load_ray
from trellis.batch.manifest import BatchManifest

ASKED = 40
MADE_WITH = BatchManifest("q.jsonl", "0" * 64, "gcr", "linked", {}, "default", "d", {})
TEXTS = {7: ONCE, 11: ALWAYS, 23: ONCE}


def main(folder: str, address: str, killed_at: str, is_broken: str) -> None:
    """Ask; `address`: of a cluster, or empty; `killed_at`: after so many rows, this process ends.

    Says `session FOLDER` for the folder in which Ray keeps its files.
    """
    load_ray(is_local=not address)
    from trellis.batch.pool import ActorPool, open_pool
    from trellis.batch.run import BatchRun
    from trellis.questions.row import QuestionRow

    notes = Path(folder) / "notes"
    notes.mkdir(parents=True, exist_ok=True)
    open_asker = partial(open_fatal_asker, notes, bool(is_broken))

    def report(stage: str, done: int, total: int | None, note: str = "") -> None:
        print(f"{stage}: {done} of {total} {note}", file=sys.stderr)
        if killed_at and done >= int(killed_at):
            os.kill(os.getpid(), signal.SIGKILL)

    def tell(line: str) -> None:
        print(line, file=sys.stderr)

    @contextmanager
    def open_told_pool() -> Iterator[ActorPool]:
        with open_pool(2, open_asker, address or None) as pool:
            import ray

            session = ray._private.worker._global_node.get_session_dir_path()
            print(f"session {session}", file=sys.__stdout__, flush=True)
            yield pool

    rows = [QuestionRow(str(n), TEXTS.get(n, f"What is {n}?")) for n in range(ASKED)]
    out = Path(folder) / "answers"
    print(BatchRun(out, MADE_WITH, rows, "none", 4, report, tell).run(open_told_pool))
    end_process()


if __name__ == "__main__":
    main(*sys.argv[1:])
