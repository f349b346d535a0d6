"""Says what each remedy of an experiment repairs, by which judge, and whether it fools its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hallascope.engine.error_analysis.remedies.effects import (
    EffectEstimate,
    FactChange,
    FactStates,
    PromptFacts,
    RemedyEffect,
    estimate_effect,
)
from hallascope.engine.error_analysis.remedies.experiment import (
    JudgedImage,
    RemedyOutcome,
    TreatedImage,
)
from hallascope.engine.error_analysis.remedies.request import REMEDIES, RemedyName

EffectView = Literal["selecting", "evaluating", "truth"]
VIEWS: tuple[EffectView, ...] = ("selecting", "evaluating", "truth")
RemedyVerdict = Literal["helps", "fools its judge", "not told apart", "makes it worse", "not tried"]


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
        match view:
            case "selecting":
                return self.selecting
            case "evaluating":
                return self.evaluating
            case "truth":
                return self.truth


def find_effects(outcome: RemedyOutcome) -> tuple[RemedyFinding, ...]:
    """Return what each remedy of an experiment does, in the order of the request."""
    return tuple(_finding(remedy, outcome.treated) for remedy in outcome.request.remedies)


def _finding(remedy: RemedyName, treated: Sequence[TreatedImage]) -> RemedyFinding:
    tried = [one for one in treated if remedy in one.after]
    selecting = _effect(remedy, tried, "selecting")
    evaluating = _effect(remedy, tried, "evaluating")
    truth = _effect(remedy, tried, "truth")
    is_true_known = bool(truth.repaired.facts or truth.broken.facts)
    known_truth = truth if is_true_known else None
    reasons = dict.fromkeys(one.not_tried[remedy] for one in treated if remedy in one.not_tried)
    return RemedyFinding(
        remedy=remedy,
        tried=len(tried),
        drawn=sum(one.drawn[remedy] for one in tried) / len(tried) if tried else 0.0,
        selecting=selecting,
        evaluating=evaluating,
        truth=known_truth,
        verdict=decide(selecting, evaluating, known_truth) if tried else "not tried",
        reasons=tuple(reasons),
    )


def decide(
    selecting: RemedyEffect, evaluating: RemedyEffect, truth: RemedyEffect | None
) -> RemedyVerdict:
    """Return whether a remedy helps: by the other judge, and in truth where that is known.

    What the selecting judge says never makes a remedy help.
    """
    others = [evaluating] if truth is None else [evaluating, truth]
    gains = [effect.repaired.gain for effect in others]
    if all(gain is not None and gain.is_above_zero for gain in gains):
        return "helps"
    own = selecting.repaired.gain
    if own is not None and own.is_above_zero:
        return "fools its judge"
    if any(gain is not None and gain.is_below_zero for gain in gains):
        return "makes it worse"
    return "not told apart"


def _effect(remedy: RemedyName, treated: Sequence[TreatedImage], view: EffectView) -> RemedyEffect:
    return estimate_effect(
        [
            PromptFacts(
                before=_facts(one.before, view),
                control=tuple(_facts(image, view) for image in one.control),
                after=tuple(_facts(image, view) for image in one.after[remedy]),
            )
            for one in treated
        ]
    )


def _facts(image: JudgedImage, view: EffectView) -> FactStates:
    match view:
        case "selecting":
            return image.selecting
        case "evaluating":
            return image.evaluating
        case "truth":
            return image.truth


# --- in words


def finding_sentence(finding: RemedyFinding, judge: str, evaluate_by: str) -> str:
    """Return what a remedy does, in a few sentences for people."""
    title = REMEDIES[finding.remedy]
    if finding.verdict == "not tried":
        reason = finding.reasons[0] if finding.reasons else "No failing image was treated."
        return f"{title}: not tried. {reason}"
    repaired = finding.evaluating.repaired
    words = [f"{title}: {_change_words(repaired, 'failures disappear')} by {evaluate_by}."]
    if finding.evaluating.broken.facts:
        words.append(
            f"{_capitalized(_change_words(finding.evaluating.broken, 'right facts break'))}."
        )
    if finding.truth:
        words.append(f"In truth, {_change_words(finding.truth.repaired, 'failures disappear')}.")
    words.append(_verdict_words(finding, judge))
    return " ".join(words)


def _verdict_words(finding: RemedyFinding, judge: str) -> str:
    match finding.verdict:
        case "helps":
            return "It helps."
        case "fools its judge":
            gain = finding.selecting.repaired.gain
            points = _points(gain) if gain else ""
            return f"Only {judge}, which chose it, sees a gain ({points}): it fools its judge."
        case "makes it worse":
            return "It is worse than fresh images."
        case _:
            return "It is not told apart from fresh images."


def _change_words(change: FactChange, what: str) -> str:
    if change.share is None or change.gain is None:
        return f"no {what.split()[0]} count"
    percent = f"{change.share.value * 100:.0f} %"
    interval = ""
    if change.share.low is not None and change.share.high is not None:
        interval = f" ({change.share.low * 100:.0f} to {change.share.high * 100:.0f})"
    return (
        f"{percent}{interval} of {change.facts} {what}, {_points(change.gain)} beside fresh images"
    )


def _points(gain: EffectEstimate) -> str:
    value = f"{gain.value * 100:+.0f} points"
    if gain.low is None or gain.high is None:
        return value
    return f"{value} ({gain.low * 100:+.0f} to {gain.high * 100:+.0f})"


def _capitalized(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


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
    if effect is None:
        return None
    return {
        "repaired": _change_document(effect.repaired),
        "broken": _change_document(effect.broken),
        "unanswered": effect.unanswered,
    }


def _change_document(change: FactChange) -> dict[str, Any]:
    def estimate(value: EffectEstimate | None) -> dict[str, float | None] | None:
        if value is None:
            return None
        return {
            name: None if number is None else round(number, 4)
            for name, number in value._asdict().items()
        }

    return {
        "prompts": change.prompts,
        "facts": change.facts,
        "share": estimate(change.share),
        "control": estimate(change.control),
        "gain": estimate(change.gain),
    }
