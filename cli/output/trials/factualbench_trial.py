"""Runs and prints the trial of a judge by T2I-FactualBench's criteria.

Exit codes as in `hallascope.cli.main`.
"""

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, FAILURES, progress, say
from hallascope.data.requests import Role
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import jsonable
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run.estimate import costs
from hallascope.engine.services import Services

# the metric that has this trial
from hallascope.metrics.factualbench.plan import NAME as NAME

if TYPE_CHECKING:
    from hallascope.engine.judge_eval.factualbench import (
        CriterionAgreement,
        FactualTrial,
        ReferenceCondition,
    )

PUBLISHED = "In the paper (table 4, people's ratings) Spearman falls from .504 to .437."


def run(
    services: Services, judge: str, count: int, seed: int, as_json: bool, wording: str = OURS
) -> int:
    """Try a judge (or "perfect") with and without references, asked in a pack's wording.

    Raises BadRequest, UnknownModel, Unavailable.
    """
    from hallascope.engine.judge_eval.factualbench import try_factual
    from hallascope.engine.judge_eval.harness import PERFECT

    bound_judge = None
    ranks = True
    if judge != PERFECT:
        bound_judge = bind_free_model(services, judge, "judge")
        ranks = services.registry.spec(judge).ranks
    tell = partial(progress, what="pictures")
    pack = services.wording_pack(wording)
    trial = try_factual(bound_judge, ranks, count, seed, tell, pack)
    if as_json:
        document = {
            **jsonable(trial),
            "seen": _condition_document(trial.seen),
            "unseen": _condition_document(trial.unseen),
            "drop": trial.drop,
        }
        say(printing.document(document))
    else:
        say(_lines(trial))
    return FAILURES if trial.seen.unrated or trial.unseen.unrated else DONE


def bind_free_model(services: Services, name: str, role: Role) -> BoundModel:
    """Return the model of a role, bound to its calls; a trial keeps no account of what they cost.

    Raises BadRequest where it costs money, UnknownModel, Unavailable.
    """
    if costs(services.registry.require(name, role)):
        raise BadRequest(
            f"{name!r} costs money, and a trial keeps no account of it: choose a model that runs"
            " here."
        )
    return services.registry.bind(name)


def _condition_document(condition: "ReferenceCondition") -> dict[str, Any]:
    agreements = [
        {**jsonable(row), "balanced_accuracy": row.value, "reached": row.reached}
        for row in condition.agreements
    ]
    return {
        **jsonable(condition),
        "agreements": agreements,
        "spearman": condition.spearman._asdict(),
    }


class _CriterionRow(NamedTuple):
    """Holds how far a judge agrees by a criterion; `reference`: whether it saw a reference."""

    reference: bool
    agreement: "CriterionAgreement"

    @property
    def goal(self) -> str:
        from hallascope.engine.judge_eval.factualbench import LEAST

        return f"{LEAST[self.agreement.criterion]:.2f}" if self.reference else "-"


_COLUMNS = (
    TextColumn("reference", lambda row: "reference" if row.reference else "none"),
    TextColumn("criterion", lambda row: row.agreement.criterion),
    TextColumn("balanced accuracy", lambda row: printing.number(row.agreement.value)),
    TextColumn("should be", lambda row: row.goal),
    TextColumn("met, told so", lambda row: f"{row.agreement.met_right} of {row.agreement.met}"),
    TextColumn(
        "not met, told so", lambda row: f"{row.agreement.unmet_right} of {row.agreement.unmet}"
    ),
    TextColumn("left out", lambda row: str(row.agreement.left_out)),
)


def _lines(trial: "FactualTrial") -> str:
    from hallascope.engine.judge_eval.factualbench import LEAST_SPEARMAN

    rows = [_CriterionRow(True, agreement) for agreement in trial.seen.agreements]
    rows += [_CriterionRow(False, agreement) for agreement in trial.unseen.agreements]
    about = (
        f"{trial.judge} on {trial.pictures} images of single concepts, {trial.flawed} of them"
        " with violations"
    )
    spearman = (
        f"Spearman of the score against violations: {_spearman(trial.seen)} (should be"
        f" {LEAST_SPEARMAN:.2f}); without references {_spearman(trial.unseen)}; the drop is"
        f" {printing.number(trial.drop)}. {PUBLISHED}"
    )
    return "\n".join([printing.table(_COLUMNS, rows), about, spearman])


def _spearman(condition: "ReferenceCondition") -> str:
    low = condition.spearman.low
    high = condition.spearman.high
    interval = "" if low is None or high is None else f" ({printing.interval(low, high)})"
    value = printing.number(condition.spearman.value)
    return f"{value}{interval}, {condition.rated} rated, {condition.unrated} left out"
