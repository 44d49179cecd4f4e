"""The texts of keys, `trl_<id>_<secret>`: made, read and compared."""

from __future__ import annotations

import base64
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from urllib.parse import unquote_plus

_ID_BYTES, _SECRET_BYTES = 5, 32
_TOKEN = re.compile(r"trl_([a-z2-7]{8})_([A-Za-z0-9_-]{43})")
_MOST_ENCODED = 8  # times that a text is decoded for an address
_TRACE = re.compile(r"trl_[a-z2-7]{8}_")


@dataclass(frozen=True, slots=True)
class KeyToken:
    """A key as its owner holds it. The id is no secret; the secret has 256 random bits."""

    id: str
    secret: str

    @classmethod
    def create(cls) -> KeyToken:
        id = base64.b32encode(secrets.token_bytes(_ID_BYTES)).decode().lower()
        return cls(id, secrets.token_urlsafe(_SECRET_BYTES))

    @classmethod
    def read_text(cls, text: str) -> KeyToken | None:
        """The key that a text is, or None."""
        match = _TOKEN.fullmatch(text)
        return cls(*match.groups()) if match else None

    def __str__(self) -> str:
        return f"trl_{self.id}_{self.secret}"

    def __repr__(self) -> str:
        return f"KeyToken({self.id!r}, …)"

    @property
    def secret_hash(self) -> str:
        """What is kept of the secret: SHA-256, in hexadecimal digits."""
        return sha256(self.secret.encode()).hexdigest()

    def has_hash(self, kept: str) -> bool:
        """Whether the secret is the one that is kept; every secret takes the same time."""
        return compare_digest(self.secret_hash, kept)


def holds_token(text: str) -> bool:
    """Whether a key, or a part of one that shows whose it is, stands in a text, as it is or encoded
    for an address, once or several times."""
    for _ in range(_MOST_ENCODED):
        if _TRACE.search(text):
            return True
        text, encoded = unquote_plus(text), text
        if text == encoded:
            return False
    return True  # nobody encodes so often who has nothing to hide


def hide_token(path: str) -> str:
    """A path as it may be written down: without a key that somebody put into it."""
    return "/[a key]" if holds_token(path) else path
