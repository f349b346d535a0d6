"""Answers questions with choices from a description of the picture, without showing it again.

It answers by the words of the description alone: a thing that one choice names and no other, a
number or a color that stands before the name of what is asked about. What the description leaves
out may still be in the picture, so that the judge abstains then.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from hallascope.data.requests import Answer, Ask, Describe, Failure
from hallascope.metrics.juries.counting import (
    choice_answer,
    choice_number,
    counted_thing,
    presence_name,
    thing_names,
    yes_no_places,
)
from hallascope.metrics.reading.words.language import COLORS, content, number, singular, words

NOT_SAID = "The description does not say it: this judge abstains."
TEXT = "Describe what this image shows in one or two sentences, with numbers and colors."
TEMPLATE = "caption-judge-1"  # raise it with every change of the text
# words before a name among which its number or color is looked for
_BEFORE = 3
Found = TypeVar("Found")


def caption_requests(ask: Ask) -> list[Describe]:
    """Return what a captioner is asked: one description, or none where it would be of no use."""
    if len(ask.images) != 1 or ask.region is not None or not _is_answerable(ask):
        return []
    return [Describe(ask.images[0], TEXT, template=TEMPLATE)]


def caption_answer(ask: Ask, caption: Answer) -> Answer | Failure:
    """Return the choice that a description states, or that the judge abstains."""
    place = _stated_choice(ask, caption.text)
    return Failure("refused", NOT_SAID) if place is None else choice_answer(ask.choices, place)


def _is_answerable(ask: Ask) -> bool:
    return bool(
        counted_thing(ask.question)
        or color_subject(ask.question)
        or (yes_no_places(ask.choices) and presence_name(ask.question))
        or thing_names(ask)
    )


def _stated_choice(ask: Ask, caption: str) -> int | None:
    if thing := counted_thing(ask.question):
        numbers = _before_name(caption, thing, number)
        return _only(ask.choices, lambda choice: choice_number(choice) in numbers)
    if subject := color_subject(ask.question):
        colors = _before_name(caption, subject, lambda word: word if word in COLORS else None)
        return _only(ask.choices, lambda choice: choice.strip(" .").casefold() in colors)
    if places := yes_no_places(ask.choices):
        name = presence_name(ask.question)
        return places[0] if name and _mentions(caption, name) else None
    mentioned = [place for place, name in thing_names(ask).items() if _mentions(caption, name)]
    return mentioned[0] if len(mentioned) == 1 else None


def color_subject(question: str) -> str | None:
    """Return what "What color is the car?" asks about; None for any other question."""
    said = words(question)
    for place, word in enumerate(said[:3]):
        if word in ("color", "colour") and said[place + 1 : place + 2] in (["is"], ["are"]):
            rest = said[place + 2 :]
            end = next((at for at, later in enumerate(rest) if later in ("in", "on")), len(rest))
            name = [own for own in rest[:end] if own not in ("the", "a", "an")]
            return " ".join(name) or None
    return None


def _only(choices: Sequence[str], fits: Callable[[str], bool]) -> int | None:
    places = [place for place, choice in enumerate(choices) if fits(choice)]
    return places[0] if len(places) == 1 else None


def _mentions(caption: str, name: str) -> bool:
    """Return whether every word of a name that carries meaning stands in the caption."""
    wanted = set(content(name))
    return bool(wanted) and wanted <= set(content(caption))


def _before_name(caption: str, name: str, read: Callable[[str], Found | None]) -> set[Found]:
    """Return what is read in the words just before the last word of a name."""
    head = singular(words(name)[-1])
    said = words(caption)
    return {
        value
        for place, word in enumerate(said)
        if singular(word) == head
        for before in said[max(0, place - _BEFORE) : place]
        if (value := read(before)) is not None
    }
