"""Shows what a judge said of pictures whose label is known, five times each."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from hallascope.components.html.markup import image, join, tag
from hallascope.components.html.signs import named_sign
from hallascope.data.records import Difficulty
from hallascope.metrics.ihalla.agents import DRAWS
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning, ReasoningState

# how what the judge said is shown: an icon, a kind (color) and words
_SIGNS: Mapping[ReasoningState, tuple[str, str, str]] = {
    "correct": ("check", "correct", "identified correctly"),
    "incorrect": ("cross", "incorrect", "misidentified"),
    "unreadable": ("question", "left-out", "not readable"),
    "failed": ("question", "left-out", "no answer"),
}


def render_reasoning(
    materials: Sequence[LabeledPicture],
    reasonings: Sequence[Reasoning],
    levels: Mapping[str, Difficulty],
    done: bool = False,
) -> Markup:
    """Return all pictures with their answers, each answer in a place that was kept for it.

    It is empty without pictures.
    """
    if not materials:
        return Markup()
    articles = (
        _article(
            material,
            [reasoning for reasoning in reasonings if reasoning.material == material],
            levels.get(material.picture.sha256),
            done,
        )
        for material in materials
    )
    return tag("div", *articles, class_="looked-at", data_count=len(materials))


def _article(
    material: LabeledPicture,
    reasonings: Sequence[Reasoning],
    level: Difficulty | None,
    done: bool,
) -> Markup:
    label = "right" if material.factual else "wrong"
    about = "awaiting the judge"
    if reasonings:
        right = sum(reasoning.state == "correct" for reasoning in reasonings)
        about = f"{right} of {len(reasonings)} identified correctly" + (
            f", {level}" if level else ""
        )
    small = tag(
        "div",
        image(material.picture.path, f"An image that is {label}", 160),
        tag("p", label, class_="label"),
        tag("p", about, class_="about"),
        class_="small",
    )
    waiting = 0 if done else DRAWS - len(reasonings)
    places = [tag("li", "waiting", class_="answer waiting")] * waiting
    answers = tag("ol", *map(_answer, reasonings), *places, class_="answers")
    return tag("article", small, answers, class_="looked")


def _answer(reasoning: Reasoning) -> Markup:
    """Return one answer in a line, its evidence beneath it."""
    mark, kind, words = _SIGNS[reasoning.state]
    response = Markup()
    if reasoning.response is not None:
        response = tag("strong", reasoning.response) + " "
    usable = join(" · ", tag("span", "kept", class_="kept")) if reasoning.is_usable else ""
    line = tag("p", response, tag("span", words, usable, class_="about"))
    evidence = reasoning.failure or reasoning.text or reasoning.raw
    return tag(
        "li",
        named_sign(mark, kind, words),
        tag("div", line, tag("p", evidence, class_="evidence-said") if evidence else ""),
        class_="answer",
    )
