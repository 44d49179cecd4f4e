"""Files of neighbourhoods that were built ahead: one for each `TrieKey`, never half written.

    tries/<database>/<digest of the key>.trie:  version, one line of JSON
                                                key, one line of JSON
                                                the neighbourhood, as `automata/codec` writes it

A file that is damaged or of another version is ignored. A build removes the database's files of
other versions, so that only files of the current graph take room. The edge budget bounds the size
of each file. Folders of other databases are left alone.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from contextlib import suppress
from dataclasses import astuple
from hashlib import blake2b
from pathlib import Path

from trellis.automata.codec.frame import ROOM
from trellis.automata.codec.neighbourhoods import decode_neighbourhood, encode_neighbourhood
from trellis.domain.errors import CodecError, ServiceError
from trellis.domain.graphs.graph import Neighbourhood
from trellis.graph.database.connection import GraphVersion
from trellis.graph.neighbourhoods.trie_cache import TrieKey

log = logging.getLogger(__name__)


class TrieFiles:
    """The files in a folder, which is made when the first file is written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read_neighbourhood(self, key: TrieKey, version: GraphVersion) -> Neighbourhood | None:
        """The neighbourhood that was built at exactly this version; None if there is none."""
        path, head = self._path_of(key, version), _encode_line(version) + _encode_line(key)
        try:
            with path.open("rb") as file:
                return (
                    decode_neighbourhood(file.read(ROOM)) if file.read(len(head)) == head else None
                )
        except FileNotFoundError:
            return None
        except (OSError, CodecError) as error:
            log.warning("ignored %s: %s", path, error)
            return None

    def write_neighbourhood(
        self, key: TrieKey, version: GraphVersion, neighbourhood: Neighbourhood
    ) -> None:
        """Write a file, or replace it at once; raises ServiceError if the disk refuses."""
        path = self._path_of(key, version)
        data = _encode_line(version) + _encode_line(key) + encode_neighbourhood(neighbourhood)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace_file(path, data)
        except OSError as error:
            raise ServiceError(
                f"{path.parent} cannot be written ({error.strerror or error})",
                "make room there, or set TRELLIS_CACHE to another folder",
            ) from error

    def prune(self, version: GraphVersion) -> None:
        """Remove the database's files of other versions, and files of interrupted writes."""
        folder = self._path_of(TrieKey((), 0, 0, False), version).parent
        for path in folder.glob("*"):
            if path.suffix != ".trie" or not _begins_with(path, _encode_line(version)):
                path.unlink(missing_ok=True)

    def _path_of(self, key: TrieKey, version: GraphVersion) -> Path:
        database = _hash_bytes(version.database.encode())
        return self._folder / database / f"{_hash_bytes(_encode_line(key))}.trie"


def _replace_file(path: Path, data: bytes) -> None:
    handle, fresh = tempfile.mkstemp(dir=path.parent, suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(fresh).replace(path)
    except BaseException:
        Path(fresh).unlink(missing_ok=True)
        raise


def _begins_with(path: Path, head: bytes) -> bool:
    with suppress(OSError), path.open("rb") as file:
        return file.read(len(head)) == head
    return False


def _encode_line(value: GraphVersion | TrieKey) -> bytes:
    return json.dumps(astuple(value)).encode() + b"\n"


def _hash_bytes(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
