"""Decompose: a model writes a question's assertions, and for them relations of the live schema.

Source: STEM, sections 3.1 (SGDA) and 3.2 (SAGB).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trellis.automata.schema_graphs.kinds import RelationKinds
from trellis.domain.graphs.links import Mention
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.ports import Embedder, Graph, LanguageModel
from trellis.steps.align.general_words import choose_words
from trellis.steps.align.weigh_sentences import weigh_sentences
from trellis.steps.link.name_mentions import name_node_mentions
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.schema_graphs.compare_schema import describe_schema_change
from trellis.steps.retrieve.schema_graphs.read_schema_graphs import (
    explain_unfitting,
    get_decomposition,
    join_schema_graphs,
    list_anchored_decompositions,
)
from trellis.steps.retrieve.schema_graphs.retrieve_assertions import (
    build_assertion_language,
    build_schema_graph_language,
)
from trellis.steps.retrieve.schema_graphs.settings import AssertionSettings, SchemaGraphSettings
from trellis.steps.retrieve.schema_graphs.trace_prompts import (
    build_assertion_prompt,
    build_schema_graph_prompt,
)


@dataclass(frozen=True, slots=True)
class SchemaGraphs:
    """The schema graphs of a question, most probable first; `notes`: what does not fit."""

    candidates: Sequence[Sentence]
    notes: tuple[str, ...]


async def decompose_question(
    model: LanguageModel,
    form: QuestionForm,
    search: Search,
) -> list[Sentence]:
    """The question's assertions that a mention is in, most probable first."""
    settings = model.card.settings(AssertionSettings)
    language = build_assertion_language(form, settings)
    prompt = build_assertion_prompt(form.masked, name_node_mentions(form.mentions))
    [written] = await model.decode([prompt], [language], search)
    return list_anchored_decompositions(written)


@dataclass(frozen=True, slots=True)
class SchemaGraphBuilder:
    """Writes the schema graphs of decompositions, and weighs them by the question's words."""

    graph: Graph
    model: LanguageModel
    embedder: Embedder
    search: Search

    async def build(self, form: QuestionForm, decomposed: Sequence[Sentence]) -> SchemaGraphs:
        """The candidates: the schema graphs of all decompositions."""
        schema, settings = form.schema, self.model.card.settings(SchemaGraphSettings)
        kinds = RelationKinds.of_schema(schema)
        notes = (
            describe_schema_change(settings.relations, schema),
            explain_unfitting(decomposed, kinds, form.mentions),
        )
        joined = await self._write_graphs(kinds, form.mentions, decomposed)
        words = await choose_words(settings, self.graph)
        weighed = await weigh_sentences(joined, form.masked, words, self.embedder)
        return SchemaGraphs(weighed, tuple(note for note in notes if note))

    async def _write_graphs(
        self, kinds: RelationKinds, mentions: Sequence[Mention], decomposed: Sequence[Sentence]
    ) -> list[Sentence]:
        meant = list(map(get_decomposition, decomposed))
        languages = [build_schema_graph_language(kinds, each, mentions) for each in meant]
        fitting = [i for i, language in enumerate(languages) if not language.is_empty()]
        if not fitting:
            return []
        named = name_node_mentions(mentions)
        prompts = [build_schema_graph_prompt(meant[i], named) for i in fitting]
        built = await self.model.decode(prompts, [languages[i] for i in fitting], self.search)
        return join_schema_graphs([decomposed[i] for i in fitting], built)
