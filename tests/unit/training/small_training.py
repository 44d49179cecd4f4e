"""Training on a small graph, with all that it needs in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memory_graph import MemoryGraph, TrigramEmbedder
from memory_queries import MemoryQueries
from trellis.automata.tokens.vocabulary import TokenizerVocabulary
from trellis.domain.graphs.links import Mention
from trellis.training.language_models import pieces
from trellis.training.means import TrainingContext
from trellis.training.options import TrainingOptions, TrainingOutcome
from trellis.training.runner import train_tasks
from unit.training import family


async def find_no_mention(_: str, __: object) -> tuple[Mention, ...]:
    """A linker that finds nothing: the topics' own places stand in."""
    return ()


def build_context(graph: MemoryGraph, cache: Path, **changes: Any) -> TrainingContext:
    """What training on a graph is done with; `changes`: fields that are not as usual."""
    usual = {
        "queries": MemoryQueries(()),
        "embedder": TrigramEmbedder(),
        "link_mentions": find_no_mention,
    }
    return TrainingContext(graph=graph, cache=cache, **{**usual, **changes})


def build_vocabulary(*parts: Sequence[str]) -> TokenizerVocabulary:
    """The vocabulary of a mini: of segments, words and prompts."""
    tokenizer = pieces.build_tokenizer(*parts)
    end = tokenizer.token_to_id(pieces.END)
    assert end is not None
    return TokenizerVocabulary(tokenizer, [end])


async def train(
    options: TrainingOptions, *tasks: str, graph: MemoryGraph | None = None, **changes: Any
) -> TrainingOutcome:
    """Train tasks (none named: `path`) on a graph, which is the family's where none is given."""
    cache = options.out.parent / "cache"
    context = build_context(graph or family.graph(), cache, **changes)
    return await train_tasks(tasks or ("path",), context, options)
