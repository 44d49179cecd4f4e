"""One process for each GPU: torch starts them, and accelerate, inside the Trainer, joins them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import trellis
from trellis.domain.errors import TrainingError
from trellis.graph.database.progress import Progress
from trellis.models.folder import write_text
from trellis.training.contract import TaskFigures

_FIGURES = "figures.json"
_TOLD = "trellis: "
"""What a line that tells how far a run is begins with."""


def fit_in_processes(folder: Path, processes: int, report: Progress) -> TaskFigures:
    """Train as `fit_sentences` does, in several processes; TrainingError where one of them fails.

    They end with this one: torch's launcher hands on signals.
    """
    (folder / _FIGURES).unlink(missing_ok=True)
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    command = [*launcher, f"--nproc_per_node={processes}", "-m", __name__, str(folder)]
    source = str(Path(trellis.__file__).parents[1])
    threads = max(1, (os.cpu_count() or 1) // processes)
    paths = [source, *filter(None, [os.environ.get("PYTHONPATH")])]
    own = {"PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": str(threads)}
    own = {**os.environ, **own}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=own) as running:
        try:
            for line in running.stdout or ():
                if line.startswith(_TOLD):
                    report(*json.loads(line.removeprefix(_TOLD)))
        except BaseException:
            running.terminate()
            raise
    if running.returncode or not (folder / _FIGURES).is_file():
        raise TrainingError(
            f"one of {processes} training processes ended with {running.returncode}",
            "see what it said above; `--processes 1` trains on one device",
        )
    return TaskFigures(**json.loads((folder / _FIGURES).read_text("utf-8")))


def check_accelerate() -> None:
    """Raise TrainingError where accelerate is not installed, on which the Trainer stands."""
    if find_spec("accelerate") is None:
        raise TrainingError(
            "tuning a model wants accelerate, which is not installed",
            "install trellis[train], which brings it",
        )


def main() -> None:
    """One of the processes; the first one tells how far it is, and writes the figures."""
    from trellis.training.tuning.fit import fit_sentences

    folder, is_first = Path(sys.argv[1]), os.environ.get("RANK", "0") == "0"

    def tell(stage: str, done: int, total: int | None, note: str = "") -> None:
        if is_first:
            print(_TOLD + json.dumps([stage, done, total, note]), flush=True)

    figures = fit_sentences(folder, tell)
    if is_first:
        held = figures.held_loss
        body = {"steps": figures.steps, "loss": figures.loss, "held_loss": held}
        write_text(folder / _FIGURES, json.dumps(body))


if __name__ == "__main__":
    main()
