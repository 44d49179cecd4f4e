"""The methods that a question can be answered by: one file each, and one line here.

    registry    what a method is: its tasks, their model inputs, and how its pipeline is built
    gcr         paths inside the KG-Trie
    graphraft   queries inside the language of the schema
    simgrag     patterns, and the subgraphs nearest to them
    dog         chains of triples, over a graph that grows as they do
    stem        assertions, schema graphs, and their traces
    witness     the path witness, which other methods than gcr ask too

`app`, `wiring`, the service and the commands look methods and tasks up here; no other code
compares their names.
"""

from __future__ import annotations

from collections.abc import Mapping

from trellis.methods.dog import DOG
from trellis.methods.gcr import GCR
from trellis.methods.graphraft import GRAPHRAFT
from trellis.methods.registry import Method
from trellis.methods.simgrag import SIMGRAG
from trellis.methods.stem import STEM

METHODS: Mapping[str, Method] = {
    method.name: method for method in (GRAPHRAFT, GCR, DOG, SIMGRAG, STEM)
}
"""All methods by name, in the order in which `auto` asks them where their accuracy is not known:
what can say more comes first."""
