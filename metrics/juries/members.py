"""Answers questions with choices from what another model finds in the picture or says of it.

From what a detector finds it answers "How many ladybugs are in the image?" with the number of
ladybugs found, "Is there a horn?" with yes or no, and "What grows on the head?" where exactly one
choice names something found. It abstains on all other questions. It does not count the parts of a
thing ("How many legs does the animal have?"): `primer/segmenter`, which draws heat maps, makes one
region of parts that touch, and was right about less than a quarter of such questions. It abstains,
too, where a thing that is to be counted is not found once: the detector may not know its name.

From a description it answers by the words alone: a thing that one choice names and no other, a
number or a color that stands before the name of what is asked about. What the description leaves
out may still be in the picture, so that the judge abstains then.
"""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from hallascope.data.records import LETTERS
from hallascope.data.requests import Answer, Ask, Describe, Detect, Detected, Failure
from hallascope.metrics.detection.selection import select_detections
from hallascope.metrics.ihalla.plan import is_none_of_the_above
from hallascope.metrics.reading.parser import parse
from hallascope.metrics.reading.words.language import (
    COLORS,
    STOP,
    content,
    number,
    one_spelling,
    singular,
    words,
    wordset,
)

NOT_ASKED = "This judge answers questions on numbers and presence alone, and abstains on this one."
NOT_FOUND = "The detector does not find exactly one of the choices: this judge abstains."
NONE_FOUND = "The detector finds nothing of that name: this judge abstains."
_HOW_MANY = re.compile(r"\bhow many\s+(?P<rest>.+)", re.IGNORECASE)
# what follows the name of a whole thing: "are in the image", "are there"
_WHOLE = re.compile(
    r"^(?:is|are|can be)\s+(?:there\b|seen\b|visible\b|shown\b"
    r"|in (?:the|this) (?:image|picture|photo|drawing)\b)",
    re.IGNORECASE,
)
_IS_THERE = re.compile(
    r"^(?:is|are) there\s+(?:(?:an?|any|some)\s+)?(?P<name>.+?)(?:\s+(?:in|on|at)\s.*)?\s*\?*$",
    re.IGNORECASE,
)
_WHICH_THING = re.compile(r"^(?:what|which)\b", re.IGNORECASE)
# words of questions with "what" or "which" that ask for more than what is there
_NOT_PRESENCE = wordset("""
    color colors colour colours shape shapes pattern way size kind direction left right top bottom
    above below longer larger largest longest smaller widest
""")
_NO_NAMES = wordset("there it nothing nobody no none not all both only and image picture")
# the most words of a choice that is taken for the name of a thing
_MOST_WORDS = 4


def counting_requests(ask: Ask) -> list[Detect]:
    """Return what a detector is asked so that the question can be answered: one request, or none.

    None where the question is about something else, about a part of the picture, or about two.
    """
    names = looked_for(ask)
    if not names or len(ask.images) != 1 or ask.region is not None:
        return []
    return [Detect(ask.images[0], tuple(dict.fromkeys(names)))]


def counted_answer(ask: Ask, detected: Detected) -> Answer | Failure:
    """Return the choice that agrees with what was found, or that the judge abstains and why."""
    names = looked_for(ask)
    things, _ = select_detections(detected.detections, names)
    counts = {name: sum(thing.phrase == name for thing in things) for name in names}
    if thing := counted_thing(ask.question):
        return _count_answer(ask, counts.get(thing, 0))
    if places := yes_no_places(ask.choices):
        return choice_answer(ask.choices, places[0 if any(counts.values()) else 1])
    present = [place for place, name in thing_names(ask).items() if counts[name]]
    if len(present) != 1:
        return Failure("refused", NOT_FOUND)
    return choice_answer(ask.choices, present[0])


def _count_answer(ask: Ask, count: int) -> Answer | Failure:
    """Return the choice of that number, else "None of the above" where that is one."""
    if not count:
        return Failure("refused", NONE_FOUND)
    for place, choice in enumerate(ask.choices):
        if choice_number(choice) == count:
            return choice_answer(ask.choices, place)
    for place, choice in enumerate(ask.choices):
        if is_none_of_the_above(choice):
            return choice_answer(ask.choices, place)
    return Failure("refused", f"The detector finds {count}, which is no choice.")


# --- what a question asks


def looked_for(ask: Ask) -> list[str]:
    """Return the names of the things that answer the question; [] where things answer it not."""
    if thing := counted_thing(ask.question):
        numbers = sum(choice_number(choice) is not None for choice in ask.choices)
        return [thing] if numbers >= 2 else []
    if yes_no_places(ask.choices):
        name = presence_name(ask.question)
        return [name] if name else []
    return list(thing_names(ask).values())


def counted_thing(question: str) -> str | None:
    """Return what a question asks the number of in the whole picture: "flag of Japan".

    None for any other question, also about the number of parts. The name has what the reader of
    prompts takes for a part of it.
    """
    match = _HOW_MANY.search(question)
    asked = match["rest"].strip(" ?") if match else ""
    parsed = parse(asked)
    phrase = next(iter(parsed.phrases), None)
    if phrase is None or phrase.span[0] or not phrase.plural:
        return None
    whole = phrase if phrase.owner is None else parsed.phrases[phrase.owner]
    if not _WHOLE.match(asked[whole.span[1] :].strip()):
        return None
    return _singular(asked[: whole.span[1]])


def _singular(name: str) -> str:
    """Return a name with its first plural in the singular: "flag of Japan"."""
    parts = name.split()
    for place, word in enumerate(parts):
        one = singular(word.casefold())
        if one != word.casefold():
            parts[place] = _in_case_of(word, one)
            break
    return " ".join(parts)


def presence_name(question: str) -> str | None:
    """Return what "Is there a horn in the image?" asks about; None for any other question."""
    match = _IS_THERE.match(question.strip())
    return thing_name(match["name"]) if match else None


def thing_names(ask: Ask) -> dict[int, str]:
    """Return the names of things that are choices of a question, by the place of the choice.

    {} where the question is not about what is there, or two choices have one name, as "two swords"
    and "a sword" do.
    """
    asked = set(words(ask.question))
    if not _WHICH_THING.match(ask.question) or _NOT_PRESENCE & asked:
        return {}
    names = {
        place: name for place, choice in enumerate(ask.choices) if (name := thing_name(choice))
    }
    return names if len(set(names.values())) == len(names) else {}


def thing_name(choice: str) -> str | None:
    """Return the name of the thing that a choice is, without article or number, in the singular.

    None where it is no short name: "On the head", "It is straight", "Nothing", "Red".
    """
    if is_none_of_the_above(choice):
        return None
    name = choice.strip(" .").split()
    while name and (name[0].casefold() in ("a", "an", "the", "some") or number(name[0].casefold())):
        name = name[1:]
    plain = [word.casefold() for word in name]
    if not 0 < len(name) <= _MOST_WORDS or set(plain) & _NO_NAMES or plain[0] in STOP:
        return None
    if set(plain) <= COLORS or any(not word.replace("-", "").isalpha() for word in plain):
        return None
    return " ".join([*name[:-1], _in_case_of(name[-1], singular(plain[-1]))])


def _in_case_of(word: str, one: str) -> str:
    return one.capitalize() if word[:1].isupper() else one


# --- choices


def choice_answer(choices: Sequence[str], place: int) -> Answer:
    """Return a choice as a judge that ranks choices gives it.

    That is its words, with its letter where "None of the above" is a choice, as in I-HallA.
    """
    with_letter = any(map(is_none_of_the_above, choices)) and place < len(LETTERS)
    return Answer(f"{LETTERS[place]}) {choices[place]}" if with_letter else choices[place])


def choice_number(choice: str) -> int | None:
    """Return the number that a choice is, 0 for "none" and "zero"; None where it is no number."""
    written = words(choice)
    if len(written) != 1:
        return None
    return 0 if written[0] in ("none", "zero", "0") else number(written[0])


def yes_no_places(choices: Sequence[str]) -> tuple[int, int] | None:
    """Return the places of yes and no, None where they are not both choices."""
    plain = [choice.strip(" .").casefold() for choice in choices]
    return (plain.index("yes"), plain.index("no")) if {"yes", "no"} <= set(plain) else None


NOT_SAID = "The description does not say it: this judge abstains."
CAPTION_TEXT = "Describe what this image shows in one or two sentences, with numbers and colors."
CAPTION_TEMPLATE = "caption-judge-1"  # raise it with every change of the text
# words before a name among which its number or color is looked for
_BEFORE = 3
Found = TypeVar("Found")


def caption_requests(ask: Ask) -> list[Describe]:
    """Return what a captioner is asked: one description, or none where it would be of no use."""
    if len(ask.images) != 1 or ask.region is not None or not _is_answerable(ask):
        return []
    return [Describe(ask.images[0], CAPTION_TEXT, template=CAPTION_TEMPLATE)]


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
        colors = _before_name(
            caption, subject, lambda word: one_spelling(word) if word in COLORS else None
        )
        return _only(
            ask.choices, lambda choice: one_spelling(choice.strip(" .").casefold()) in colors
        )
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
