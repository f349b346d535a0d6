"""Shows the rounds of a repaired prompt as a strip: image, score, and what the prompt gained."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from hallascope.components.html.markup import image, join, scroll_region, soft_line, tag

_SIZE = 168  # pixels of an image of the strip
_WORD = re.compile(r"\S+|\s+")


@dataclass(frozen=True, kw_only=True)
class PromptRound:
    """Holds one round as it is shown; `before` is the prompt of the round before, "" for the first.

    `score` is the score in words, `wrong` are the questions that were answered wrongly, `failure`
    is one sentence where something failed.
    """

    number: int
    prompt: str
    before: str
    path: Path | None
    score: str
    wrong: tuple[str, ...] = ()
    failure: str = ""


def prompt_rounds(rounds: Sequence[PromptRound]) -> Markup:
    """Return the rounds side by side; nothing where there is none."""
    if not rounds:
        return tag("div", class_="prompt-rounds none")
    strip = tag("ol", *map(_round, rounds), class_="rounds-strip")
    return tag("div", scroll_region(strip, "Rounds of the prompt"), class_="prompt-rounds")


def _round(each: PromptRound) -> Markup:
    title = f"Round {each.number}" if each.number else "First prompt"
    picture = tag("span", "no image", class_="blank")
    if each.path:
        picture = image(each.path, f"{title}: the image", _SIZE)
    parts = [
        picture,
        tag("strong", title),
        tag("span", each.score, class_="about"),
        tag("p", prompt_difference(each.before, each.prompt), class_="prompt"),
    ]
    if each.failure:
        parts.append(soft_line(each.failure))
    if each.wrong:
        questions = [tag("li", question) for question in each.wrong]
        summary = tag("summary", f"{len(each.wrong)} answered wrongly")
        parts.append(tag("details", summary, tag("ul", *questions)))
    return tag("li", *parts, class_="prompt-round")


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
