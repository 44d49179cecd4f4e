"""How many questions were explained, by which templates, how well; and why the others were not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from trellis.domain.graphs.graph import Scalar
from trellis.questions.row import QuestionRow
from trellis.training.supervision.queries.pattern_trees import PatternTree
from trellis.training.supervision.queries.run_candidates import ExecutedCandidate

NO_QUERY = "no query gives them"


@dataclass(frozen=True, slots=True)
class QueryExplanation:
    """A question and what explains it; `reason`: why nothing does. `rivals`: how many others
    give the answers as well."""

    asked: QuestionRow
    run: ExecutedCandidate | None = None
    rivals: int = 0
    reason: str = ""


def count_coverage(explanations: Sequence[QueryExplanation]) -> dict[str, Scalar]:
    """The figures, as a model card holds them."""
    runs = [explanation.run for explanation in explanations if explanation.run]
    templates = Counter(name_template(run) for run in runs)
    reasons = Counter(explanation.reason for explanation in explanations if explanation.reason)
    told: dict[str, Scalar] = {
        "without_query": len(explanations),
        "explained": len(runs),
        "covered": _share_of(len(runs), len(explanations)),
        "ambiguous": sum(explanation.rivals > 0 for explanation in explanations),
        "hits": _share_of(sum(run.hits for run in runs), len(runs)),
        "precision": _share_of(sum(run.precision for run in runs), len(runs)),
    }
    told |= {f"explained by {name}": count for name, count in templates.most_common()}
    return told | {f"unexplained, {reason}": count for reason, count in reasons.most_common()}


def name_template(run: ExecutedCandidate) -> str:
    """What kind of query an explanation is: where its values stand, what is returned."""
    tree, head = run.candidate.tree, run.candidate.head
    meanings = list(tree.meanings_below())
    hops = f"{tree.depth} {'hop' if tree.depth == 1 else 'hops'}"
    parts = [
        "values meeting" if _do_branches_meet(tree) else "filters" if len(meanings) > 1 else hops
    ]
    if any(meaning.operator != "=" for meaning in meanings):
        parts.append("comparison")
    if head.order or head.form == "count" or head.key:
        parts.append("extreme" if head.order else "count" if head.form == "count" else "property")
    return ", ".join(parts)


def _do_branches_meet(tree: PatternTree) -> bool:
    """Whether branches meet anywhere."""
    return len(tree.branches) > 1 or any(_do_branches_meet(branch.to) for branch in tree.branches)


def _share_of(part: float, whole: int) -> float:
    return round(part / max(1, whole), 4)
