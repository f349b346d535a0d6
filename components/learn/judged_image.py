"""Draws an image with its truth and its judge: signs, words, and the outline of an error."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.html.markup import tag
from hallascope.components.html.signs import named_sign
from hallascope.data.teaching.judged_image import FLAGGED, JudgedFact, JudgedImage, JudgeWord

MEANINGS: dict[JudgeWord, str] = {
    "found": "the judge sees the error",
    "missed": "the judge takes it for right",
    "false alarm": "the judge objects, but nothing is wrong",
    "not asked": "no question is about it",
}
_ICONS = {"correct": "check", "incorrect": "cross", "unasked": "dot"}


def outline(path: str, kind: str = "outline") -> Markup:
    """Return the outline of an error over an image: a path in a box of 100 x 100 units."""
    lines = (tag("path", class_=layer, d=path) for layer in ("halo", "line"))
    return tag("svg", *lines, class_=kind, viewBox="0 0 100 100", aria_hidden="true")


def word_chip(word: JudgeWord) -> Markup:
    """Return what the judge did on a fact, in a word."""
    kind = f"round-word {word.replace(' ', '-')}"
    return tag("span", word, class_=kind, title=MEANINGS[word])


def image_strips(image: JudgedImage) -> Markup:
    """Return what is true of each fact of an image, and what the judge says of each."""
    chips = (word_chip(fact.word) for fact in image.facts if fact.word)
    score = tag("span", f"{image.correct} of {image.answered}", class_="soft")
    return tag(
        "div",
        _strip("Truth", [_truth_mark(fact) for fact in image.facts]),
        _strip("Judge", [_judge_mark(fact) for fact in image.facts]),
        tag("p", *chips, score, class_="round-words"),
        class_="round-strips",
    )


def empty_strips() -> Markup:
    """Return the strips of an image before the guess: nothing is known of its facts."""
    marks = [tag("li", tag("span", class_="sign"))] * 5
    return tag(
        "div",
        _strip("Truth", marks),
        _strip("Judge", marks),
        tag("p", class_="round-words"),
        class_="round-strips open",
        aria_hidden="true",
    )


def _strip(label: str, marks: Sequence[Markup]) -> Markup:
    return tag(
        "div",
        tag("span", label, class_="round-label"),
        tag("ul", *marks, class_="strip", aria_label=label),
        class_="round-strip",
    )


def _mark(kind: str, words: str, errs: bool = False) -> Markup:
    kinds = f"{kind} judge-errs" if errs else kind
    return tag("li", named_sign(_ICONS[kind], kinds, words))


def _truth_mark(fact: JudgedFact) -> Markup:
    return _mark("incorrect" if fact.is_wrong else "correct", fact.truth_sentence)


def _judge_mark(fact: JudgedFact) -> Markup:
    kind = "unasked"
    if fact.state == "correct" or fact.state in FLAGGED:
        kind = "correct" if fact.state == "correct" else "incorrect"
    words = f"{fact.question} {judge_words(fact)}"
    return _mark(kind, words, errs=fact.word in ("missed", "false alarm"))


_SAYS: dict[JudgeWord | None, str] = {
    "found": " The judge found this error.",
    "missed": " The judge missed this error.",
    "false alarm": " This is a false alarm: nothing is wrong here.",
}


def judge_words(fact: JudgedFact) -> str:
    """Return what the judge answers about a fact, and whether it is right."""
    if not fact.asked:
        return "The judge is not asked about this."
    answer = f"The judge answers: {fact.answer}." if fact.answer else "The judge gives no answer."
    return answer + _SAYS.get(fact.word, "")
