"""The reader's folder: what it learnt, sealed; the sentence encoder's own weights come from its
package."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trellis.domain.errors import ModelOutdatedError
from trellis.domain.models.card import ModelCard
from trellis.models.folder import write_folder
from trellis.models.loading import take_loading_turn

if TYPE_CHECKING:
    from trellis.models.reader.network import ReaderNetwork

READER = "reader"
"""The base that a reader's card names, and the name of the one that is shipped."""

SHIPPED_READER = Path(__file__).parent / "shipped"
"""The folder of the reader that is shipped."""

VERSION = "1"
"""Of the network and of what it is told of a move: weights of another one mean something else."""

_WEIGHTS = "reader.safetensors"


def is_reader(folder: Path) -> bool:
    """Whether a folder is a reader's."""
    return (folder / _WEIGHTS).is_file()


def load_weights(network: ReaderNetwork, folder: Path) -> None:
    """Take over what the reader of a folder learnt, whose card was read.

    Raises ModelOutdatedError where it was made by another version.
    """
    from safetensors import safe_open
    from safetensors.torch import load_file

    with safe_open(folder / _WEIGHTS, "pt") as file:
        version = (file.metadata() or {}).get("version")
    if version != VERSION:
        raise ModelOutdatedError(
            f"the reader at {folder} is of version {version}, and this is version {VERSION}",
            "make it again with `deploy/reader`",
        )
    network.load_state_dict(load_file(folder / _WEIGHTS), strict=False)


def build_network(encoder: Path) -> ReaderNetwork:
    """A network that has learnt nothing, over the encoder that lies in a folder."""
    with take_loading_turn():  # torch takes seconds, and is not in every install
        from safetensors.torch import load_file

        from trellis.models.reader.network import ReaderNetwork, ReaderShape
    network = ReaderNetwork(ReaderShape())
    network.encoder.take_base(load_file(encoder / "model.safetensors"))
    return network


def save_network(folder: Path, card: ModelCard, network: ReaderNetwork) -> None:
    """Write a reader's folder, with what it learnt in half precision."""
    write_folder(folder, card, partial(save_weights, list_learnt_weights(network)))


def list_learnt_weights(network: ReaderNetwork) -> Mapping[str, Any]:
    """All weights but the encoder's own."""
    learnt = {name for name, weight in network.named_parameters() if weight.requires_grad}
    state = network.state_dict()
    return {name: state[name].half().cpu().contiguous() for name in sorted(learnt)}


def save_weights(weights: Mapping[str, Any], folder: Path) -> None:
    """Write weights as the file of a reader's folder."""
    from safetensors.torch import save_file

    save_file(dict(weights), folder / _WEIGHTS, {"version": VERSION})
