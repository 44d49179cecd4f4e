"""Values of a model's card: the tasks of a trained folder, how it is prompted, how it was
trained."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, Self, TypeVar

from trellis.domain.errors import ModelDamagedError, WrongTaskError
from trellis.domain.graphs.graph import Scalar

Rendering = Literal["full", "relations"]
"""What the text of a path contains: relations and nodes, or relations alone."""


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """The settings of one task under which a model was trained and has to be asked.

    Each task has a subclass. Settings are JSON values, so that a card can hold them; tuples become
    lists there.
    """

    task: ClassVar[str]

    def as_json(self) -> dict[str, Any]:
        """The fields as a card holds them."""
        return {name: _thaw(value) for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, fields_of_card: Mapping[str, Any]) -> Self:
        """The settings that a card holds; fields that later versions added are ignored.

        Raises ModelDamagedError where a field is missing.
        """
        known = {each.name for each in fields(cls)}
        kept = {key: _freeze(value) for key, value in fields_of_card.items() if key in known}
        try:
            return cls(**kept)
        except TypeError as error:
            raise ModelDamagedError(
                f"the card's settings of task {cls.task!r} lack a field ({error})",
                "train the model again with `trellis train`, or copy the whole folder",
            ) from error


def _thaw(value: Any) -> Any:
    """A value with lists in place of tuples, however deep."""
    return [_thaw(each) for each in value] if isinstance(value, tuple) else value


def _freeze(value: Any) -> Any:
    """A value with tuples in place of lists, however deep."""
    return tuple(_freeze(each) for each in value) if isinstance(value, list) else value


SettingsT = TypeVar("SettingsT", bound=TaskSettings)


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the confidence of one method is computed, as fitted on questions.

    `temperature`: of the candidates' probabilities. `weights`: of the features that the confidence
    is estimated from (empty: the belief in the answer is its confidence). `abstain_below`: the
    confidence below which a reply abstains. `accuracy`: the share of these questions that was
    answered right, had it always given what it found; None where it was not measured. `is_general`:
    whether it was fitted on answers of other models about other graphs.
    """

    temperature: float = 1.0
    weights: Mapping[str, float] = field(default_factory=dict)
    abstain_below: float = 0.0
    accuracy: float | None = None
    is_general: bool = False

    @property
    def is_own(self) -> bool:
        """Whether a confidence was fitted on answers of the model itself."""
        return bool(self.weights) and not self.is_general


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What a trained folder says of itself (`trellis.json`).

    `tasks`: for each task that the model does, its settings as JSON (`TaskSettings.as_json`).
    `calibrations`: by method. `training`: for each task, its training data and results by name.
    `vocabulary`: the fingerprint of the tokenizer that it was trained with. `is_general`: it is
    asked by instructions, schema and examples; where the card names no tasks, nobody tuned it.
    `shots`: the examples that its prompts had when it was tuned; None: as many as the settings say.
    `schema_names`: the labels and relationship types of the graph that it was trained for; empty
    where it is for any graph, or where nobody wrote them down. `told_as`: tasks whose sentences it
    says by the moves of another task, and that one: what asks for both learns nothing new.
    """

    base: str
    tasks: Mapping[str, Mapping[str, Any]]
    vocabulary: str = ""
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    training: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict)
    is_general: bool = False
    shots: int | None = None
    schema_names: tuple[str, ...] = ()
    told_as: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, base: str, *settings: TaskSettings, vocabulary: str = "") -> Self:
        """The card of a model of some base that does the tasks of `settings`."""
        return cls(base, {each.task: each.as_json() for each in settings}, vocabulary)

    def settings(self, settings_class: type[SettingsT]) -> SettingsT:
        """The typed settings of a task; WrongTaskError where the model does not do it."""
        if settings_class.task not in self.tasks:
            raise WrongTaskError(
                f"the model does {', '.join(self.tasks) or 'no task'}, not {settings_class.task!r}",
                f"train one with `trellis train --task {settings_class.task}`, and name its folder",
            )
        return settings_class.from_json(self.tasks[settings_class.task])

    def calibration(self, method: str) -> Calibration:
        """The calibration of a method; where none was fitted, one that changes nothing."""
        return self.calibrations.get(method, Calibration())

    def fits_schema(self, names: Collection[str]) -> bool:
        """Whether the model is for a graph of these labels and relationship types: unless it was
        trained for another one, which has less than half of them."""
        if not self.schema_names or not names:
            return True
        return 2 * len({*names} & {*self.schema_names}) >= len({*names})

    def join_cards(self, other: Self) -> Self:
        """The card of two models of one base that are served as one; on conflict this one's
        wins."""
        return replace(
            self,
            tasks={**other.tasks, **self.tasks},
            calibrations={**other.calibrations, **self.calibrations},
            training={**other.training, **self.training},
        )

    def with_tasks(self, settings: Iterable[TaskSettings]) -> Self:
        """The card of a model that does these tasks."""
        return replace(self, tasks={each.task: each.as_json() for each in settings})

    def with_calibration(self, method: str, calibration: Calibration) -> Self:
        """The card with a method's calibration replaced."""
        return replace(self, calibrations={**self.calibrations, method: calibration})
