"""The memory that the weights of all models of an app take together."""

from __future__ import annotations

from trellis.domain.errors import ModelMemoryError

_MIB = 2**20


class ModelMemory:
    """Counts the bytes of loaded weights, up to `most` (0: without bound)."""

    def __init__(self, most: int = 0) -> None:
        self._most = most
        self.used = 0

    def claim(self, name: str, weight_bytes: int) -> None:
        """Count a model's weights; ModelMemoryError where they would be too much."""
        if self._most and self.used + weight_bytes > self._most:
            raise ModelMemoryError(
                f"the weights of {name} take {weight_bytes / _MIB:.1f} MiB beside "
                f"{self.used / _MIB:.1f} MiB of other models, and "
                f"{self._most / _MIB:.1f} MiB are allowed",
                "raise TRELLIS_MODEL_MEMORY, or name fewer or smaller models",
            )
        self.used += weight_bytes
