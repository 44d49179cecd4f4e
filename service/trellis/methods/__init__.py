"""The methods that a question can be answered by: one file each, and one line here.

    registry    what a method is: its tasks, how each asks, and how it is built of parts
    gcr         paths inside the KG-Trie
    graphraft   queries inside the language of the schema

Whoever needs to know of a method or a task asks this registry; nothing else tests their names.
"""

from __future__ import annotations

from collections.abc import Mapping

from trellis.methods.gcr import GCR
from trellis.methods.graphraft import GRAPHRAFT
from trellis.methods.registry import Method

METHODS: Mapping[str, Method] = {method.name: method for method in (GCR, GRAPHRAFT)}
"""All methods by name; the first that a model is there for answers where none is named."""
