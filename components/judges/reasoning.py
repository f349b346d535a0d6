"""What a judge said of pictures whose label is known, five times each, as HTML.

It asks no one and keeps nothing.
"""

from collections.abc import Mapping, Sequence

from hallascope.components.html.markup import icon, image, text
from hallascope.data.records import Difficulty
from hallascope.metrics.ihalla.agents import DRAWS
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning, ReasoningState

# how what the judge said is shown: an icon, a kind (colour) and words
_SIGNS: Mapping[ReasoningState, tuple[str, str, str]] = {
    "correct": ("check", "correct", "told right"),
    "incorrect": ("cross", "incorrect", "told wrong"),
    "unreadable": ("question", "left-out", "not readable"),
    "failed": ("question", "left-out", "no answer"),
}


def render_reasoning(
    materials: Sequence[LabeledPicture],
    reasonings: Sequence[Reasoning],
    levels: Mapping[str, Difficulty],
    done: bool = False,
) -> str:
    """All pictures with the answers that are there, each answer in a place that was kept for it.

    "" without pictures.
    """
    if not materials:
        return ""
    said = {one: [r for r in reasonings if r.material == one] for one in materials}
    pictures = "".join(
        _picture(one, said[one], levels.get(one.picture.sha256), done) for one in materials
    )
    return f'<div class="looked-at" data-count="{len(materials)}">{pictures}</div>'


def _picture(
    one: LabeledPicture, said: Sequence[Reasoning], level: Difficulty | None, done: bool
) -> str:
    label = "right" if one.factual else "wrong"
    right = sum(r.state == "correct" for r in said)
    if said:
        about = f"{right} of {len(said)} told right" + (f", {level}" if level else "")
    else:
        about = "waiting for the judge"
    waiting = 0 if done else DRAWS - len(said)
    answers = "".join(map(_answer, said)) + '<li class="answer waiting">waiting</li>' * waiting
    return (
        '<article class="looked"><div'
        f' class="small">{image(one.picture.path, f"A picture that is {label}", 160)}<p'
        f' class="label">{label}</p><p class="about">{text(about)}</p></div><ol'
        f' class="answers">{answers}</ol></article>'
    )


def _answer(one: Reasoning) -> str:
    """One answer in a line, its evidence beneath it."""
    mark, kind, words = _SIGNS[one.state]
    says = "" if one.response is None else f"<strong>{text(one.response)}</strong> "
    kept = ' · <span class="kept">kept</span>' if one.is_usable else ""
    return (
        f'<li class="answer"><span class="sign {kind}" role="img"'
        f' aria-label="{text(words)}">{icon(mark)}</span><div><p>{says}<span'
        f' class="about">{text(words)}{kept}</span></p>{_evidence(one)}</div></li>'
    )


def _evidence(one: Reasoning) -> str:
    said = one.failure or one.text or one.raw
    return f'<p class="evidence-said">{text(said)}</p>' if said else ""
