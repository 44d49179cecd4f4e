"""Values of a model's card: which tasks a trained folder does, how it is asked, how it was made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, Self, TypeVar

from trellis.domain.errors import ModelDamagedError, WrongTaskError
from trellis.domain.graph import Scalar

Rendering = Literal["full", "relations"]
"""What a path says: relations and nodes, or its relations alone (the nodes stay a set)."""


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """What a card says of one task, and what answering has to know of it; a class for each task.

    Settings are JSON values, so that a card can hold them; tuples become lists there.
    """

    task: ClassVar[str]

    def as_json(self) -> dict[str, Any]:
        """The fields as a card holds them."""
        values = asdict(self).items()
        return {name: list(v) if isinstance(v, tuple) else v for name, v in values}

    @classmethod
    def from_json(cls, fields_of_card: Mapping[str, Any]) -> Self:
        """The settings that a card holds; fields of later versions are left out.

        Raises ModelDamagedError where one is missing.
        """
        known = {each.name for each in fields(cls)}
        kept = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in fields_of_card.items()
            if key in known
        }
        try:
            return cls(**kept)
        except TypeError as error:
            raise ModelDamagedError(
                f"the card's settings of task {cls.task!r} lack a field ({error})",
                "train the model again with `trellis train`, or copy the whole folder",
            ) from error


SettingsT = TypeVar("SettingsT", bound=TaskSettings)


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far the probabilities of one method can be believed, as fitted on questions.

    `temperature` of the candidates' probabilities; `weights` of the features that the confidence
    is estimated from (empty: the belief is the confidence); a reply that is less sure than
    `abstain_below` is held back.
    """

    temperature: float = 1.0
    weights: Mapping[str, float] = field(default_factory=dict)
    abstain_below: float = 0.0


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What a trained folder says of itself (`trellis.json`).

    `tasks`: for each task that the model does, its settings as JSON (`TaskSettings.as_json`).
    `calibrations`: by method. `training`: for each task, what it was trained on and what came of
    it. `vocabulary`: the fingerprint of the tokenizer that it was trained with.
    """

    base: str
    tasks: Mapping[str, Mapping[str, Any]]
    vocabulary: str = ""
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    training: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict)

    @classmethod
    def of(cls, base: str, *settings: TaskSettings, vocabulary: str = "") -> Self:
        """The card of a model of some base that does the tasks of `settings`."""
        return cls(base, {each.task: each.as_json() for each in settings}, vocabulary)

    def settings(self, kind: type[SettingsT]) -> SettingsT:
        """The typed settings of a task; WrongTaskError where the model does not do it."""
        if kind.task not in self.tasks:
            raise WrongTaskError(
                f"the model does {', '.join(self.tasks) or 'no task'}, not {kind.task!r}",
                f"train one with `trellis train --task {kind.task}`, and name its folder",
            )
        return kind.from_json(self.tasks[kind.task])

    def calibration(self, method: str) -> Calibration:
        """The calibration of a method; that which changes nothing where none was fitted."""
        return self.calibrations.get(method, Calibration())

    def joined_with(self, other: Self) -> Self:
        """The card of two models of one base that are served as one; this one goes first."""
        return replace(
            self,
            tasks={**other.tasks, **self.tasks},
            calibrations={**other.calibrations, **self.calibrations},
            training={**other.training, **self.training},
        )

    def with_calibration(self, method: str, fitted: Calibration) -> Self:
        """The card with another calibration of a method."""
        return replace(self, calibrations={**self.calibrations, method: fitted})
