"""Says what each remedy of an experiment repairs, by which judge, and whether it fools its own."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from hallascope.engine.error_analysis.remedies import (
    REMEDIES,
    RemedyName,
    RemedyOutcome,
    TreatedCase,
    TreatedImage,
)
from hallascope.engine.error_analysis.remedy_effects import (
    EffectEstimate,
    FactChange,
    FactStates,
    PromptFacts,
    RemedyEffect,
    estimate_effect,
)

EffectView = Literal["selecting", "evaluating", "truth"]
VIEWS: tuple[EffectView, ...] = ("selecting", "evaluating", "truth")
RemedyVerdict = Literal[
    "helps",
    "fools its judge",
    "not confirmed",
    "not told apart",
    "makes it worse",
    "not tried",
]
_DIGITS = 4  # of numbers in a document


@dataclass(frozen=True, kw_only=True)
class RemedyFinding:
    """Holds what a remedy does by the selecting judge, by the evaluating one, and in truth.

    `truth` is None where it is not known what the images show. `tried` is on how many failing
    images, `drawn` how many images it took for one of them on average. `reasons` say why it was
    not tried on others.
    """

    remedy: RemedyName
    tried: int
    drawn: float
    selecting: RemedyEffect
    evaluating: RemedyEffect
    truth: RemedyEffect | None
    verdict: RemedyVerdict
    reasons: tuple[str, ...] = ()

    def effect(self, view: EffectView) -> RemedyEffect | None:
        """Return what the remedy does by one view."""
        by_view = {"selecting": self.selecting, "evaluating": self.evaluating, "truth": self.truth}
        return by_view[view]


def find_effects(outcome: RemedyOutcome) -> tuple[RemedyFinding, ...]:
    """Return what each remedy of an experiment does, in the order of the request."""
    return tuple(_finding(remedy, outcome.treated) for remedy in outcome.request.remedies)


def _finding(remedy: RemedyName, treated: Sequence[TreatedCase]) -> RemedyFinding:
    tried = [one for one in treated if remedy in one.after]
    selecting, evaluating, truth = (_effect(remedy, tried, view) for view in VIEWS)
    known_truth = truth if truth.repaired.facts or truth.broken.facts else None
    verdict: RemedyVerdict = "not tried"
    if tried:
        verdict = _decide(selecting, evaluating, known_truth, _is_fooled(remedy, tried))
    reasons = dict.fromkeys(one.not_tried[remedy] for one in treated if remedy in one.not_tried)
    return RemedyFinding(
        remedy=remedy,
        tried=len(tried),
        drawn=sum(one.drawn[remedy] for one in tried) / len(tried) if tried else 0.0,
        selecting=selecting,
        evaluating=evaluating,
        truth=known_truth,
        verdict=verdict,
        reasons=tuple(reasons),
    )


def _decide(
    selecting: RemedyEffect,
    evaluating: RemedyEffect,
    truth: RemedyEffect | None,
    is_fooled: bool,
) -> RemedyVerdict:
    """Return whether a remedy helps: by the other judge, and in truth where that is known.

    What the selecting judge says never makes a remedy help. `is_fooled`: on the same facts its gain
    lies above what the other judge or the truth allows.
    """
    gains = [effect.repaired.gain for effect in (evaluating, truth) if effect]
    own = selecting.repaired.gain
    if all(gain is not None and gain.is_above_zero for gain in gains):
        return "helps"
    if own is not None and own.is_above_zero:
        return "fools its judge" if is_fooled else "not confirmed"
    if any(gain is not None and gain.is_below_zero for gain in gains):
        return "makes it worse"
    return "not told apart"


def _is_fooled(remedy: RemedyName, treated: Sequence[TreatedCase]) -> bool:
    """Return whether the gain of the selecting judge lies above the interval of another view.

    Only facts count of which both know the state before the remedy, since a judge that answers
    other questions may see another gain.
    """
    for other in VIEWS[1:]:
        own = _effect(remedy, treated, "selecting", known_by=other).repaired.gain
        gain = _effect(remedy, treated, other, known_by="selecting").repaired.gain
        if own is None or gain is None or gain.high is None:
            continue
        if own.is_above_zero and gain.high < own.value:
            return True
    return False


def _effect(
    remedy: RemedyName,
    treated: Sequence[TreatedCase],
    view: EffectView,
    known_by: EffectView | None = None,
) -> RemedyEffect:
    """Return what a remedy does by one view; `known_by`: on facts that this one knows, too."""
    prompts = []
    for one in treated:
        known = _facts(one.before, known_by or view)
        prompts.append(
            PromptFacts(
                before={f: state for f, state in _facts(one.before, view).items() if f in known},
                control=tuple(_facts(image, view) for image in one.control),
                after=tuple(_facts(image, view) for image in one.after[remedy]),
                facts=one.before.facts,
            )
        )
    return estimate_effect(prompts)


def _facts(image: TreatedImage, view: EffectView) -> FactStates:
    return {"selecting": image.selecting, "evaluating": image.evaluating, "truth": image.truth}[
        view
    ]


# --- in words


def finding_sentence(finding: RemedyFinding, judge: str, evaluate_by: str) -> str:
    """Return what a remedy does, in a few sentences for people."""
    title = REMEDIES[finding.remedy]
    if finding.verdict == "not tried":
        reason = finding.reasons[0] if finding.reasons else "No failing image was treated."
        return f"{title}: not tried. {reason}"
    disappear = "failures disappear"
    repaired = _change_words(finding.evaluating.repaired, disappear)
    words = [f"{title}: {repaired} by {evaluate_by}."]
    if finding.evaluating.broken.facts:
        broken = _change_words(finding.evaluating.broken, "right facts break")
        words.append(f"{broken[:1].upper()}{broken[1:]}.")
    if finding.truth:
        words.append(f"In truth, {_change_words(finding.truth.repaired, disappear)}.")
    gain = finding.selecting.repaired.gain
    own = f"{judge}, which chose it, sees {_points(gain)}" if gain else ""
    match finding.verdict:
        case "helps":
            words.append("It helps.")
        case "fools its judge":
            words.append(f"Only {own}: it fools its judge.")
        case "not confirmed":
            words.append(f"{own}, which the other judge does not confirm on these images.")
        case "makes it worse":
            words.append("It is worse than fresh images.")
        case _:
            words.append("It is not told apart from fresh images.")
    return " ".join(words)


def _change_words(change: FactChange, what: str) -> str:
    share = change.share
    if share is None or change.gain is None:
        return f"no {what.split()[0]} count"
    interval = ""
    if share.low is not None and share.high is not None:
        interval = f" ({share.low * 100:.0f} to {share.high * 100:.0f})"
    return (
        f"{share.value * 100:.0f} %{interval} of {change.facts} {what}, {_points(change.gain)}"
        " beside fresh images"
    )


def _points(gain: EffectEstimate) -> str:
    value = f"{gain.value * 100:+.0f} points"
    if gain.low is None or gain.high is None:
        return value
    return f"{value} ({gain.low * 100:+.0f} to {gain.high * 100:+.0f})"


# --- as a document


def remedies_document(outcome: RemedyOutcome) -> dict[str, Any]:
    """Return what an experiment found as a JSON document; shares are in [0, 1]."""
    request = outcome.request
    return {
        "model": request.model,
        "judge": request.judge,
        "evaluate_by": request.evaluate_by,
        "images": request.images,
        "failing_images": len(request.cases),
        "treated": len(outcome.treated),
        "left_out": [
            {"prompt": case.prompt, "seed": case.seed, "reason": reason}
            for case, reason in outcome.left_out
        ],
        "stopped": outcome.stopped,
        "spent": outcome.spent,
        "remedies": [
            {
                "remedy": finding.remedy,
                "verdict": finding.verdict,
                "sentence": finding_sentence(finding, request.judge, request.evaluate_by),
                "tried": finding.tried,
                "images_drawn": round(finding.drawn, 3),
                "not_tried": list(finding.reasons),
                **{view: _effect_document(finding.effect(view)) for view in VIEWS},
            }
            for finding in find_effects(outcome)
        ],
    }


def _effect_document(effect: RemedyEffect | None) -> dict[str, Any] | None:
    """Return an effect with its numbers rounded."""
    if effect is None:
        return None
    written = json.dumps(asdict(effect))
    document: dict[str, Any] = json.loads(
        written, parse_float=lambda digits: round(float(digits), _DIGITS)
    )
    return document
