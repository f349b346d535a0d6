"""Shows the rounds of a repaired prompt as a strip: image, score, and what the prompt gained."""

import difflib
import re
from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.html.markup import image, join, scroll_region, soft_line, tag
from hallascope.engine.error_analysis.repair import RepairRound

_SIZE = 168  # pixels of an image of the strip
_WORD = re.compile(r"\S+|\s+")


def prompt_rounds(rounds: Sequence[RepairRound]) -> Markup:
    """Return the rounds side by side; nothing where there is none."""
    if not rounds:
        return tag("div", class_="prompt-rounds none")
    before = ["", *(each.prompt for each in rounds)]
    strip = tag("ol", *map(_round, before, rounds), class_="rounds-strip")
    return tag("div", scroll_region(strip, "Rounds of the prompt"), class_="prompt-rounds")


def _round(before: str, each: RepairRound) -> Markup:
    title = f"Round {each.number}" if each.number else "First prompt"
    picture = tag("span", "no image", class_="blank")
    if each.path:
        picture = image(each.path, f"{title}: the image", _SIZE)
    parts = [
        picture,
        tag("strong", title),
        tag("span", _score_words(each), class_="about"),
        tag("p", prompt_difference(before, each.prompt), class_="prompt"),
    ]
    if each.failure:
        parts.append(soft_line(each.failure))
    if each.wrong:
        questions = [tag("li", verdict.question.text) for verdict in each.wrong]
        summary = tag("summary", f"{len(each.wrong)} answered wrongly")
        parts.append(tag("details", summary, tag("ul", *questions)))
    return tag("li", *parts, class_="prompt-round")


def _score_words(each: RepairRound) -> str:
    score = each.score
    if score is None or score.value is None:
        return "no score"
    left_out = f", {score.left_out} without an answer" if score.left_out else ""
    return f"score {score.value:.2f} ({score.counted} questions{left_out})"


def prompt_difference(before: str, after: str) -> Markup:
    """Return the later prompt with its new words marked, and the words that it lost.

    The first prompt, which has none before it, stands as it is.
    """
    if not before:
        return join(after)
    old = _WORD.findall(before)
    new = _WORD.findall(after)
    parts: list[str] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, start, stop, new_start, new_stop in matcher.get_opcodes():
        lost = "".join(old[start:stop])
        gained = "".join(new[new_start:new_stop])
        if kind == "equal":
            parts.append(gained)
            continue
        if lost:
            parts.append(tag("del", lost))
        if gained:
            parts.append(tag("ins", gained))
    return join(*parts)
