"""Simulates repair experiments whose true effects are known: what the intervals promise.

Facts of prompts of different difficulty fail by chance, and two judges err about each of them, both
by chance of their own. Prompts enter an experiment since the selecting judge found a failure, as
they do in a real one. No model is run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from hallascope.engine.error_analysis.remedies.effects import (
    EffectEstimate,
    FactStates,
    PromptFacts,
    estimate_effect,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.random import Generator
    from numpy.typing import NDArray

    BoolArray = NDArray[np.bool_]

SimulatedRemedy = Literal["nothing", "a third fewer failures", "best of n", "fools its judge"]
SIMULATED: tuple[SimulatedRemedy, ...] = (
    "nothing",
    "a third fewer failures",
    "best of n",
    "fools its judge",
)
FACTS = 5
_REFERENCE_PROMPTS = 8_000  # from which the true effect is computed
_DIFFICULTY = (1.2, 2.0)  # of the Beta distribution of a prompt's share of failing facts


@dataclass(frozen=True, kw_only=True)
class TrialSettings:
    """Holds what is simulated.

    `selecting_error` and `evaluating_error` are the chances in [0, 1] that a judge is wrong about a
    fact.
    """

    experiments: int = 200
    prompts: int = 60
    images: int = 4
    selecting_error: float = 0.15
    evaluating_error: float = 0.05
    seed: int = 0


class TrialCell(NamedTuple):
    """Holds what the experiments with one remedy said.

    `true_gain` is its true effect beside fresh images. `selecting_gain`, `evaluating_gain` and
    `truth_gain` are the means of what the experiments measured. `truth_coverage` is how often the
    interval of the truth holds the true effect, `evaluating_coverage` how often the interval of the
    evaluating judge holds what that judge sees on average. `overstated` is how often the interval
    of the evaluating judge lies above the true effect, `selecting_overstated` the same of the
    selecting one.
    """

    remedy: SimulatedRemedy
    true_gain: float
    selecting_gain: float
    evaluating_gain: float
    truth_gain: float
    truth_coverage: float
    evaluating_coverage: float
    overstated: float
    selecting_overstated: float


class _SimulatedImages(NamedTuple):
    """Holds images of prompts as right facts, each of shape (prompts, images, FACTS)."""

    truth: "BoolArray"
    selecting: "BoolArray"
    evaluating: "BoolArray"


class _Gains(NamedTuple):
    selecting: EffectEstimate
    evaluating: EffectEstimate
    truth: EffectEstimate


def simulate_remedies(
    settings: TrialSettings, on_step: Callable[[int, int], None] | None = None
) -> tuple[TrialCell, ...]:
    """Return what experiments say of remedies whose true effect is known, a cell for each."""
    import numpy as np

    cells = []
    for place, remedy in enumerate(SIMULATED):
        chance = np.random.default_rng([settings.seed, place])
        reference = _experiment(chance, remedy, settings, _REFERENCE_PROMPTS)
        gains = []
        for _ in range(settings.experiments):
            gains.append(_experiment(chance, remedy, settings, settings.prompts))
        cells.append(_cell(remedy, reference, gains))
        if on_step:
            on_step(place + 1, len(SIMULATED))
    return tuple(cells)


def _experiment(
    chance: "Generator", remedy: SimulatedRemedy, settings: TrialSettings, prompts: int
) -> _Gains:
    """Return the gains of one experiment of `prompts` prompts that the selecting judge faults."""
    difficulty = _failing_difficulties(chance, settings, prompts)
    before = difficulty.images
    control = _draw(chance, difficulty.shares, settings.images, settings)
    after = _treat(chance, remedy, difficulty.shares, control, settings)
    return _Gains(
        *(
            _gain(getattr(before, view), getattr(control, view), getattr(after, view))
            for view in ("selecting", "evaluating", "truth")
        )
    )


class _FailingPrompts(NamedTuple):
    """Holds the share of facts that fail in images of prompts, and their first images."""

    shares: "NDArray[np.float64]"
    images: _SimulatedImages


def _failing_difficulties(
    chance: "Generator", settings: TrialSettings, prompts: int
) -> _FailingPrompts:
    """Return prompts in whose first image the selecting judge found a failure."""
    import numpy as np

    shares = chance.beta(*_DIFFICULTY, 4 * prompts)
    images = _draw(chance, shares, 1, settings)
    has_failed = ~np.all(images.selecting, axis=(1, 2))
    chosen = np.flatnonzero(has_failed)[:prompts]
    return _FailingPrompts(shares[chosen], _SimulatedImages(*(states[chosen] for states in images)))


def _draw(
    chance: "Generator", shares: "NDArray[np.float64]", images: int, settings: TrialSettings
) -> _SimulatedImages:
    shape = (len(shares), images, FACTS)
    truth = chance.random(shape) >= shares[:, None, None]
    return _SimulatedImages(
        truth,
        truth ^ (chance.random(shape) < settings.selecting_error),
        truth ^ (chance.random(shape) < settings.evaluating_error),
    )


def _treat(
    chance: "Generator",
    remedy: SimulatedRemedy,
    shares: "NDArray[np.float64]",
    control: _SimulatedImages,
    settings: TrialSettings,
) -> _SimulatedImages:
    match remedy:
        case "nothing":
            return _draw(chance, shares, 1, settings)
        case "a third fewer failures":
            return _draw(chance, shares * (2 / 3), 1, settings)
        case "best of n":
            best = control.selecting.sum(axis=2).argmax(axis=1)
            rows = range(len(shares))
            return _SimulatedImages(*(states[rows, best][:, None] for states in control))
        case "fools its judge":
            images = _draw(chance, shares, 1, settings)
            return images._replace(selecting=images.selecting | True)


def _gain(before: "BoolArray", control: "BoolArray", after: "BoolArray") -> EffectEstimate:
    prompts = [
        PromptFacts(
            before=_states(before[place, 0]),
            control=tuple(map(_states, control[place])),
            after=tuple(map(_states, after[place])),
        )
        for place in range(len(before))
    ]
    gain = estimate_effect(prompts).repaired.gain
    return gain or EffectEstimate(0.0, None, None)


def _states(facts: "BoolArray") -> FactStates:
    return {str(place): bool(state) for place, state in enumerate(facts)}


def _cell(remedy: SimulatedRemedy, reference: _Gains, gains: Sequence[_Gains]) -> TrialCell:
    true_gain = reference.truth.value
    return TrialCell(
        remedy=remedy,
        true_gain=true_gain,
        selecting_gain=_mean([gain.selecting.value for gain in gains]),
        evaluating_gain=_mean([gain.evaluating.value for gain in gains]),
        truth_gain=_mean([gain.truth.value for gain in gains]),
        truth_coverage=_mean([_holds(gain.truth, true_gain) for gain in gains]),
        evaluating_coverage=_mean(
            [_holds(gain.evaluating, reference.evaluating.value) for gain in gains]
        ),
        overstated=_mean([_lies_above(gain.evaluating, true_gain) for gain in gains]),
        selecting_overstated=_mean([_lies_above(gain.selecting, true_gain) for gain in gains]),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _holds(estimate: EffectEstimate, value: float) -> bool:
    if estimate.low is None or estimate.high is None:
        return True
    return estimate.low <= value <= estimate.high


def _lies_above(estimate: EffectEstimate, value: float) -> bool:
    return estimate.low is not None and estimate.low > value
