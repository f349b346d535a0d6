"""Says what each remedy of an experiment repairs, by which judge, and whether it fools its own."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from hallascope.engine.error_analysis.remedies import (
    REMEDIES,
    RemedyName,
    RemedyOutcome,
    TreatedCase,
)
from hallascope.engine.error_analysis.remedy_effects import (
    VIEWS,
    EffectEstimate,
    EffectView,
    FactChange,
    PromptFacts,
    RemedyEffect,
    estimate_effect,
)

RemedyVerdict = Literal[
    "helps",
    "fools its judge",
    "not confirmed",
    "not told apart",
    "makes it worse",
    "not tried",
]
# `own`: what the selecting judge sees
_VERDICT_WORDS: Mapping[RemedyVerdict, str] = {
    "helps": "It helps.",
    "fools its judge": "Only {own}: it fools its judge.",
    "not confirmed": "{own}, which the other judge does not confirm on these images.",
    "makes it worse": "It is worse than fresh images.",
    "not told apart": "It cannot be told apart from fresh images.",
}
_DIGITS = 4  # of numbers in a document


@dataclass(frozen=True, kw_only=True)
class RemedyFinding:
    """Holds what a remedy does by the selecting judge, by the evaluating one, and in truth.

    `effects` lack the truth where it is not known what the images show. `tried` is on how many
    failing images, `drawn` how many images it took for one on average. `reasons` say why it was
    not tried on others.
    """

    remedy: RemedyName
    tried: int
    drawn: float
    effects: Mapping[EffectView, RemedyEffect]
    verdict: RemedyVerdict
    reasons: tuple[str, ...] = ()


def find_effects(outcome: RemedyOutcome) -> tuple[RemedyFinding, ...]:
    """Return what each remedy of an experiment does, in the order of the request."""
    return tuple(_finding(remedy, outcome.treated) for remedy in outcome.request.remedies)


def _finding(remedy: RemedyName, treated: Sequence[TreatedCase]) -> RemedyFinding:
    tried = [one for one in treated if remedy in one.after]
    effects = {view: _effect(remedy, tried, view) for view in VIEWS}
    if not (effects["truth"].repaired.facts or effects["truth"].broken.facts):
        del effects["truth"]
    verdict: RemedyVerdict = "not tried"
    if tried:
        verdict = _decide(effects, _is_fooled(remedy, tried))
    reasons = dict.fromkeys(one.not_tried[remedy] for one in treated if remedy in one.not_tried)
    return RemedyFinding(
        remedy=remedy,
        tried=len(tried),
        drawn=sum(one.drawn[remedy] for one in tried) / len(tried) if tried else 0.0,
        effects=effects,
        verdict=verdict,
        reasons=tuple(reasons),
    )


def _decide(effects: Mapping[EffectView, RemedyEffect], is_fooled: bool) -> RemedyVerdict:
    """Return whether a remedy helps: by the other judge, and in truth where that is known.

    What the selecting judge says never makes a remedy help. `is_fooled`: on the same facts its gain
    lies above what the other judge or the truth allows.
    """
    gains = [effects[view].repaired.gain for view in VIEWS[1:] if view in effects]
    own = effects["selecting"].repaired.gain
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
        before = one.before.states
        known = before.get(known_by or view, {})
        prompts.append(
            PromptFacts(
                before={f: state for f, state in before.get(view, {}).items() if f in known},
                control=tuple(image.states.get(view, {}) for image in one.control),
                after=tuple(image.states.get(view, {}) for image in one.after[remedy]),
                facts=one.before.facts,
            )
        )
    return estimate_effect(prompts)


# --- in words


def finding_sentence(finding: RemedyFinding, judge: str, evaluate_by: str) -> str:
    """Return what a remedy does, in a few sentences for people."""
    title = REMEDIES[finding.remedy]
    if finding.verdict == "not tried":
        reason = finding.reasons[0] if finding.reasons else "No failing image was treated."
        return f"{title}: not tried. {reason}"
    disappear = "failures disappear"
    evaluating = finding.effects["evaluating"]
    repaired = _change_words(evaluating.repaired, disappear)
    words = [f"{title}: {repaired} by {evaluate_by}."]
    if evaluating.broken.facts:
        broken = _change_words(evaluating.broken, "right facts break")
        words.append(f"{broken[:1].upper()}{broken[1:]}.")
    if truth := finding.effects.get("truth"):
        words.append(f"In truth, {_change_words(truth.repaired, disappear)}.")
    gain = finding.effects["selecting"].repaired.gain
    own = f"{judge}, which chose it, sees {_points(gain)}" if gain else ""
    words.append(_VERDICT_WORDS[finding.verdict].format(own=own))
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
                **{view: _effect_document(finding.effects.get(view)) for view in VIEWS},
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
