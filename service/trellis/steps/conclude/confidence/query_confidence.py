"""Query confidence: features from which the confidence in a query's answers is estimated.

Inside the language a model is sure of the best query even where the question means none. So the
features also cover what the query leaves out: values of the question, names that are nowhere in
the graph, words that no name of the schema has.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from trellis.automata.cypher.words.wording import split_name
from trellis.domain.graphs.graph import Step
from trellis.domain.models.calibration import DIRECTION, log_odds
from trellis.domain.models.decoding import bound_support
from trellis.linking.values.value_index import has_same_stem
from trellis.steps.align.said_steps import measure_said_steps
from trellis.steps.conclude.queries.rank_queries import QueryChoice, list_said_once
from trellis.steps.describe.queries.read_meaning import QueryMeaning, read_meaning
from trellis.steps.ground.queries.answer_cells import find_single_number
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.values.value_mentions import is_scattered
from trellis.steps.link.vocabulary.schema_words import is_schema_word, list_schema_words

_MOST_COUNTED = 2  # words that nobody used, and that are left out
_MOST_MARGIN = 7.0  # natural log: a query a thousand times as probable as the next has no rival


def extract_query_features(form: QuestionForm, choice: QueryChoice) -> Mapping[str, float]:
    """Features of the chosen query.

    `belief`: log-odds of all candidates that give its rows. `margin`: log of the ratio of their
    probability to that of the next rows. `rows`: 1 where it gives anything. `fits`: 1 where it
    gives a number if, and only if, one is asked for. `said`: the share of the question's values
    that it uses exactly once. `link`: the worst link score of those. `named`: 1 where
    everything in the question that looks like a name was linked. `known`: the share of the
    unlinked words that are in the sentence or the schema. `usual`: 1 where all of them are there
    or in the wording, the words of the model's questions, less for each of up to two that are not.
    `kept`: likewise for words of the schema that the sentence has. `spoken`: the share of the
    query's relationships that the question speaks of. `support`: the log of the share of the
    model's probability that the language left along it, as `bound_support` gives it.
    `direction`: as of `estimate_confidence`.
    """
    sentence_words, mentions = choice.run.text.split(), form.mentions
    firm = [mention for mention in mentions if not is_scattered(mention)]
    once = list_said_once(form, choice.run.text)
    counted = choice.run.rows is not None and find_single_number(choice.run.rows) is not None
    own_words = list_schema_words(form.schema)
    known = {*sentence_words, *own_words}
    return {
        "belief": log_odds(choice.belief),
        "margin": min(
            _MOST_MARGIN, math.log(max(choice.belief, 1e-9) / max(choice.next_belief, 1e-9))
        ),
        "rows": float(choice.run.has_results),
        "fits": float(counted == form.asks_number),
        "said": len(once) / len(firm) if firm else 1.0,
        "link": min((mentions[i].score for i in once), default=0.0),
        "named": float(not any(atom.has_name_shape for atom in form.unlinked_words)),
        "known": _measure_known_share(form, known),
        "usual": _lower_share(_count_strange_words(form, known)),
        "kept": _lower_share(_count_missed_words(form, own_words, set(sentence_words))),
        "spoken": measure_said_steps(form, list_query_steps(read_meaning(choice.run.query))),
        "support": bound_support(choice.run.support),
        DIRECTION: choice.direction,
    }


def list_query_steps(meaning: QueryMeaning | None) -> list[Step]:
    """The relationships of a query; none where its meaning cannot be read."""
    edges = meaning.graph.edges if meaning else ()
    return [Step(edge.type) for edge in edges if edge.type]


def _count_strange_words(form: QuestionForm, known: set[str]) -> int:
    """How many of the unlinked words are, in no form, among the names or the wording; 0 where no
    wording is known."""
    own = {*form.wording, *known}
    strange = [
        word
        for word in _list_words(form)
        if word.isalpha() and word not in own and not is_schema_word(word, own)
    ]
    return len(strange) if form.wording else 0


def _list_words(form: QuestionForm) -> list[str]:
    """The unlinked words in lower case, as names are split into words."""
    texts = (form.parsed.text_of(atom.span) for atom in form.unlinked_words)
    return [word for text in texts for word in split_name(text).split()]


def _lower_share(words: int) -> float:
    """1 for no word, 0 for two or more."""
    return 1 - min(_MOST_COUNTED, words) / _MOST_COUNTED


def _count_missed_words(form: QuestionForm, own_words: Collection[str], said: set[str]) -> int:
    """How many of the unlinked words are, in any form, of the schema and not in the sentence."""
    own = [word for word in _list_words(form) if is_schema_word(word, own_words)]
    return sum(not is_schema_word(word, said) for word in own)


def _measure_known_share(form: QuestionForm, known_words: set[str]) -> float:
    """The share of the unlinked words that are, in any form, among the names; 1 without words."""
    own = _list_words(form)
    known = [any(has_same_stem(word, name) for name in known_words) for word in own]
    return sum(known) / len(known) if known else 1.0
