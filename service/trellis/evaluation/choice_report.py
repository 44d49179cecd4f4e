"""What a report says of choosing among methods: which were believed, and what each would have done
alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from trellis.evaluation.calibration_cases import has_gold, is_right_reply
from trellis.evaluation.metrics import mean, percentile
from trellis.evaluation.run import Outcome


def describe_choices(
    outcomes: Sequence[Outcome], alone: Mapping[str, Sequence[Outcome]]
) -> dict[str, Any]:
    """Of the replies that were chosen: how many are of each method, and how many methods were
    asked for one (`asked`, mean).

    `alone`: the outcomes of each method by itself, question by question; with them `right` is the
    share of questions answered right by `auto`, by each method, and by the best for each question
    (`oracle`), and `p50` are the seconds of each.
    """
    choices = [it.reply.choice for it in outcomes if it.reply and it.reply.choice]
    body: dict[str, Any] = {
        "methods": dict(Counter(it.reply.method for it in outcomes if it.reply)),
        "asked": mean([float(len(choice.opinions)) for choice in choices]),
    }
    if not alone:
        return body
    runs = {"auto": outcomes, **alone}
    right = {name: [_is_answered_right(it) for it in run] for name, run in runs.items()}
    best = [any(each) for each in zip(*(right[name] for name in alone), strict=True)]
    gold = [number for number, it in enumerate(outcomes) if has_gold(it)]
    return body | {
        "right": {
            name: mean([float(flags[number]) for number in gold])
            for name, flags in {**right, "oracle": best}.items()
        },
        "p50": {name: percentile([it.seconds for it in run], 0.5) for name, run in runs.items()},
    }


def _is_answered_right(outcome: Outcome) -> bool:
    """Whether a reply claims something, and this is right."""
    reply = outcome.reply
    return reply is not None and not reply.abstained and is_right_reply(outcome, reply)
