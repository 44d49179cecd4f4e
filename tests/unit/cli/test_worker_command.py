"""`trellis worker` and `trellis serve` before they listen."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from trellis.cli.serve import bind_socket
from trellis.cli.worker import find_python
from trellis.domain.errors import ServiceError
from trellis.worker.__main__ import main


def test_the_workers_python_is_the_one_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRELLIS_WORKER_PYTHON", sys.executable)
    assert find_python() == Path(sys.executable)


def test_a_missing_environment_says_how_to_make_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TRELLIS_WORKER_PYTHON", str(tmp_path / "python"))
    with pytest.raises(ServiceError, match="make worker"):
        find_python()


def test_a_folder_without_a_model_is_refused_before_anything_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--model", str(tmp_path / "none"), "--cache", str(tmp_path)]) == 1
    assert "no model folder" in capsys.readouterr().err


def test_small_answers_are_sent_at_once() -> None:
    """Else each waits for the acknowledgement of the last: 40 ms."""
    with bind_socket("127.0.0.1", 0) as bound:
        bound.listen()
        with socket.create_connection(bound.getsockname()):
            accepted, _ = bound.accept()
            with accepted:
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
