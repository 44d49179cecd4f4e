"""Rank queries: choose the candidate that answers the question.

Candidates that give the same rows mean the same, and so do those that give nodes or their names:
their probabilities are added, and of those with the same rows the one stands for them that says
most of the question's values, each once. Rows that are empty or all zeros weigh less, and so do
rows without a number where one is asked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from trellis.domain.graphs.schema import Schema
from trellis.domain.models.calibration import temper_probabilities
from trellis.domain.structures.cypher import Rows
from trellis.steps.align.queries.naming_form import read_without_form
from trellis.steps.ground.queries.answer_cells import find_single_number, make_cell_key
from trellis.steps.ground.queries.run_queries import QueryRun
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.values.value_mentions import is_scattered, value_name

_EMPTY_ROWS_WEIGHT = 0.02  # weight of a query that gives nothing
_NO_NUMBER_WEIGHT = 0.3  # weight of a query that gives no number where one is asked for
_CERTAIN_BELIEF = 0.5  # belief from which a query that gives nothing means that there is none


@dataclass(frozen=True, slots=True)
class QueryChoice:
    """The best candidate, and the belief in its rows.

    `belief`: the probability of all candidates with the same rows; `next_belief`: that of the next
    best rows. `direction`: the share of its sentence in those that differ from it in directions
    alone and give other rows. All in [0, 1].
    """

    run: QueryRun
    belief: float
    next_belief: float = 0.0
    direction: float = 1.0

    @property
    def claims_none(self) -> bool:
        """Whether its answer is that there is none: it gives only zeros, nulls or no row."""
        return not self.run.has_results and self.belief >= _CERTAIN_BELIEF

    @property
    def is_settled(self) -> bool:
        """Whether it gives answers, or is probable enough to mean that there are none."""
        return self.run.has_results or self.claims_none


def choose_query(
    form: QuestionForm, runs: Sequence[QueryRun], temperature: float = 1.0
) -> QueryChoice | None:
    """The best candidate that ran, whether or not it gives anything; None where none ran.

    `temperature`: the calibrated temperature of the model's probabilities. By the schema, nodes and
    what names them are told to be the same answer.
    """
    chances = temper_probabilities([run.probability for run in runs], temperature)
    ran = [(run, chance) for run, chance in zip(runs, chances, strict=True) if run.rows is not None]
    if not ran:
        return None
    rows = [_make_rows_key(run.rows) for run, _ in ran]
    answers = _group_answers([run for run, _ in ran], rows, form.schema)
    shares: dict[int, float] = defaultdict(float)
    of_rows: dict[Hashable, float] = defaultdict(float)
    for (_, chance), answer, its_rows in zip(ran, answers, rows, strict=True):
        shares[answer] += chance
        of_rows[its_rows] += chance
    ratings = [
        (shares[answer] * _rate_fit(form, run), of_rows[its_rows])
        for (run, _), answer, its_rows in zip(ran, answers, rows, strict=True)
    ]
    best_rating = max(ratings)
    tied = [place for place, rating in enumerate(ratings) if rating == best_rating]
    first = max(tied, key=lambda place: len(list_said_once(form, ran[place][0].text)))
    best, chosen = ran[first][0], answers[first]
    belief = shares.pop(chosen)
    following = max(shares.values(), default=0.0)
    words = [_leave_out_directions(run) for run, _ in ran]
    own = turned = 0.0
    for (_, chance), answer, said in zip(ran, answers, words, strict=True):
        if said == words[first]:
            own, turned = (own + chance, turned) if answer == chosen else (own, turned + chance)
    direction = own / (own + turned) if own else 1.0
    return QueryChoice(best, min(1.0, belief), min(1.0, following), direction)


def list_said_once(form: QuestionForm, sentence: str) -> list[int]:
    """The mentions, by their places, that a sentence uses exactly once; without scattered ones. A
    mention is used by its name, or by its number as one of rows."""
    words, said = Counter(sentence.split()), []
    for place, mention in enumerate(form.mentions):
        literals = (link.stored.value for link in mention.links if link.stored.is_literal())
        numbers = sum(words[str(value)] for value in literals if type(value) is int)
        if not is_scattered(mention) and words[value_name(place)] + numbers == 1:
            said.append(place)
    return said


def _leave_out_directions(run: QueryRun) -> tuple[str, ...]:
    """The words of a run's sentence without the directions of its relationships."""
    return tuple(word for word in run.text.split() if word not in ("->", "<-"))


def _group_answers(runs: Sequence[QueryRun], rows: Sequence[Hashable], schema: Schema) -> list[int]:
    """For each run the number of its answer: runs with the same rows give the same one, and so do
    those that give nodes, or what names them, and otherwise ask for the same. `rows`: their keys.
    """
    numbers: list[int] = []
    seen: dict[Hashable, int] = {}
    for run, its_rows in zip(runs, rows, strict=True):
        keys = [("rows", its_rows), ("meaning", read_without_form(run.query, schema))]
        found = {seen[key] for key in keys if key in seen} or {len(runs) + len(numbers)}
        number = min(found)
        numbers = [number if each in found else each for each in numbers] + [number]
        seen = {key: number if each in found else each for key, each in seen.items()}
        seen.update(dict.fromkeys(keys, number))
    return numbers


def _make_rows_key(rows: Rows | None) -> Hashable:
    """Rows as a set, by which queries of the same meaning are recognised."""
    return frozenset(tuple(map(make_cell_key, row)) for row in rows.rows) if rows else None


def _rate_fit(form: QuestionForm, run: QueryRun) -> float:
    """The weight of a run's rows: lower where empty, or without the number asked for."""
    counts = run.rows is not None and find_single_number(run.rows) is not None
    asked = form.asks_number and not form.asks_measure
    return (1.0 if run.has_results else _EMPTY_ROWS_WEIGHT) * (
        1.0 if counts or not asked else _NO_NUMBER_WEIGHT
    )
