"""The reserved names that we use in a user's database; `domain.identifiers` quotes them."""

from __future__ import annotations

PREFIX = "_trellis"
"""Start of every label, property, index and constraint of ours, in upper or lower case."""

LOADED = "_TrellisLoaded"
"""Label of nodes that were loaded from files; `LOADED_ID` identifies each."""
NAMED = "_TrellisNamed"
"""Label of nodes that have a naming text."""
META = "_TrellisMeta"
"""Label of the one node that holds our state."""

RELATION_WORDS = "_TrellisRelation"
"""Label of our nodes that hold a relationship type's words as a vector; they have META too."""
LABEL_WORDS = "_TrellisLabel"
"""Label of our nodes that hold a label's words as a vector; they have META too."""

PASSAGE = "_TrellisPassage"
"""Label of our nodes that hold a passage of a long text as a vector; they have META too."""

LOADED_ID = "_trellis_id"
ROW_KEY = "_trellis_row"
NAME = "_trellis_name"
KEY = "_trellis_key"
ALSO = "_trellis_also"
"""Keys of all spellings of a node's name and aliases."""
ALIASES = "_trellis_aliases"
"""Other names of a node, from other properties."""
VECTOR = "_trellis_vector"
NOWHERE = "_trellis_nowhere"
"""A property that no node has."""
TEXT_INDEX = "_trellis_text"
ALSO_INDEX = "_trellis_also"
VECTOR_INDEX = "_trellis_vector"
RELATION_VECTOR_INDEX = "_trellis_relation_vector"
LABEL_VECTOR_INDEX = "_trellis_label_vector"
PASSAGE_INDEX = "_trellis_passages"
"""Vector index over the passages of long texts."""
LONG_TEXT_INDEX = "_trellis_long_texts"
"""Full-text index over the user's own properties that hold long texts."""
VALUES_INDEX = "_trellis_values"
"""Full-text index over the user's own properties that have many values."""


def is_reserved(name: str) -> bool:
    """Whether a label, type or property is one of ours, and therefore hidden from users."""
    return name.lower().startswith(PREFIX)
