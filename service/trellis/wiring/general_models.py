"""How models that nobody trained for a graph are put together.

The writer of their prompts, the bank of their examples, and the tasks that they are asked for. Used
by `wiring`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, get_args

from trellis.automata.cypher.options import Rendering
from trellis.domain.graphs.graph_config import GraphConfig
from trellis.domain.graphs.links import Mention
from trellis.domain.models.card import ModelCard
from trellis.domain.ports import Embedder, Graph, LanguageModel, Queries
from trellis.engines.chats.hosted import HostedModel
from trellis.engines.general import wrap_engine
from trellis.methods import METHODS
from trellis.methods.registry import list_general_settings
from trellis.prompting.templates import Templates
from trellis.prompting.writer import PromptWriter
from trellis.questions.examples import list_example_rows
from trellis.questions.judged import JudgedQuestions
from trellis.questions.reading import read_questions
from trellis.questions.row import QuestionRow
from trellis.settings import Settings
from trellis.steps.link.link import link_mentions
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.store.answers import Store
from trellis.training.example_bank.bank import GraphExampleBank
from trellis.training.example_bank.own import list_none_judged
from trellis.training.means import TrainingContext
from trellis.training.options import sample_items

_MOST_OWN = 500  # of the user's own questions that are among the examples


@dataclass(frozen=True, slots=True)
class GeneralModels:
    """Makes general models of engines; `writers`: of their prompts, by how queries are written."""

    settings: Settings
    writers: Mapping[Rendering, PromptWriter]

    def complete_card(self, card: ModelCard) -> ModelCard:
        """The card with the tasks that a general model does; that of another model as it is."""
        if not card.is_general or card.tasks:
            return card
        return card.with_tasks(list_general_settings(METHODS.values(), self.settings))

    def wrap_model(self, model: Any) -> LanguageModel:
        """The model as it is asked: a general one by chats."""
        if not model.card.is_general:
            return model  # type: ignore[no-any-return]
        card = self.complete_card(model.card)
        writer = self._choose_writer(card)
        return wrap_engine(model, writer, card, self.settings.prompt_tokens)

    def wrap_hosted(self, model: HostedModel) -> LanguageModel:
        """A hosted model as it is asked: by the same chats, for queries in ordinary Cypher."""
        writer = self.writers["cypher"]
        return wrap_engine(model, writer, model.card, self.settings.prompt_tokens)

    def _choose_writer(self, card: ModelCard) -> PromptWriter:
        """Writes prompts as a model was tuned on them; those of the settings where nobody did."""
        if card.shots is None:
            return self.writers[self.settings.rendering]
        rendering = self.settings.rendering
        if CypherSettings.task in card.tasks:
            rendering = card.settings(CypherSettings).rendering
        return replace(self.writers[rendering], shots=card.shots)


def build_general_models(
    settings: Settings,
    config: GraphConfig,
    graph: Graph,
    queries: Queries,
    embedder: Embedder,
    store: Store,
) -> GeneralModels:
    """What makes general models for a graph; nothing is read from it before a question is asked.

    `store`: whose judged answers are examples, unless the settings say otherwise. Raises InputError
    where a template of the graph's configuration cannot be filled, and FileFormatError where a file
    of examples cannot be read.
    """
    means = gather_means(settings, config, graph, queries, embedder)
    own = (*means.examples, *_read_own_questions(settings))
    templates = Templates(config.prompts)
    judged = JudgedQuestions(store).list_judged if settings.feedback_examples else list_none_judged

    def build_writer(rendering: Rendering) -> PromptWriter:
        bank = GraphExampleBank(means, own, settings.cache / "examples", rendering, judged)
        return PromptWriter(graph, embedder, bank, templates, settings.shots, rendering)

    writers = {rendering: build_writer(rendering) for rendering in get_args(Rendering)}
    return GeneralModels(settings, writers)


def _read_own_questions(settings: Settings) -> Sequence[QuestionRow]:
    rows = read_questions(settings.example_files)
    return sample_items([row for row in rows if not row.claim], _MOST_OWN, seed=0)


def gather_means(
    settings: Settings, config: GraphConfig, graph: Graph, queries: Queries, embedder: Embedder
) -> TrainingContext:
    """What lessons are made with, without a model that writes queries."""
    link = partial(_link_question, graph, embedder)
    examples = list_example_rows(config.examples)
    general = list_general_settings(METHODS.values(), settings)
    return TrainingContext(
        *(graph, queries, embedder, link, settings.cache),
        examples=examples,
        templates=config.prompts,
        general_settings={each.task: each for each in general},
    )


def _link_question(
    graph: Graph, embedder: Embedder, text: str, wording: Collection[str]
) -> Awaitable[tuple[Mention, ...]]:
    return link_mentions(text, graph, embedder, wording)
