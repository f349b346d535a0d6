"""Answers what models are asked from what is drawn, without looking at the picture.

They stand for a detector, a segmenter, a captioner and a judge, and show what a metric makes of
eyes without fault.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from hallascope.backends.base import CallLimits, OnStep
from hallascope.data.lexicon import capitalize, with_article
from hallascope.data.masks import overlap
from hallascope.data.records import CANNOT_TELL, Picture
from hallascope.data.regions import Box, Detection, Mask
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Failure,
    Reply,
    Request,
    Segment,
    Segmented,
)
from hallascope.engine.judge_eval.harness import save_picture
from hallascope.engine.models.roles import BoundModel
from hallascope.primer.appearance import SHAPE_WORDS
from hallascope.primer.extra_questions import COLOR, SHAPE, TEXTURE
from hallascope.primer.groups import SHAPE_NAMES
from hallascope.primer.scenes import nouns
from hallascope.primer.truth.compositions import SIZE, Composition, DrawnThing, things


def perfect_eyes(compositions: Sequence[Composition]) -> BoundModel:
    """Return a model for any role that knows what the pictures of these compositions show."""
    drawn: dict[str, Sequence[DrawnThing]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for made in compositions:
            picture = save_picture(made.drawing.image(SIZE), Path(folder) / "picture.png")
            drawn[picture.sha256] = things(made)

    def reply(request: Request) -> Reply:
        picture = (getattr(request, "images", ()) or (getattr(request, "image", None),))[0]
        name = picture.sha256 if isinstance(picture, Picture) else ""
        return answer(request, drawn.get(name, ()))

    def call(requests: Sequence[Request], on_step: OnStep) -> list[Reply]:
        return list(map(reply, requests))

    return BoundModel(model="perfect", revision="1", call=call, limits=CallLimits(64, 1))


def answer(request: Request, shown: Sequence[DrawnThing]) -> Reply:
    """Return the reply to one request about a picture of these things.

    A Failure where it is for other roles.
    """
    match request:
        case Detect(phrases=phrases):
            return Detected(
                tuple(
                    Detection(phrase, thing.box, 1.0)
                    for phrase in phrases
                    for thing in shown
                    if thing.is_called(phrase)
                )
            )
        case Segment(boxes=boxes):
            return Segmented(tuple(_mask(box, shown) for box in boxes))
        case Describe(region=region):
            return Answer(_caption(region, shown))
        case Ask(region=Box() as region, question=question):
            return Answer(_describe_region(question, region, shown))
        case _:
            return Failure(
                "broken", f"Perfect eyes are no {request.role}: choose a model for that role."
            )


def _describe_region(question: str, region: Box, shown: Sequence[DrawnThing]) -> str:
    """Return what is said of the thing in a region: its name, color, shape and texture.

    It says whether it is called so, as far as the drawing says.
    """
    thing = _thing_at(region, shown)
    if question.startswith("Is this "):
        phrase = question.removeprefix("Is this ").removesuffix("?")
        holds = thing and (thing.is_called(phrase) or phrase.casefold() == thing.tone)
        return "Yes" if holds else "No"
    plain = thing and thing.name in SHAPE_NAMES
    known = {
        COLOR: thing and thing.tone,
        SHAPE: SHAPE_WORDS[thing.name] if thing and plain else None,
        TEXTURE: "Plain" if plain else None,
    }
    return known.get(question) or CANNOT_TELL


def _thing_at(region: Box, shown: Sequence[DrawnThing]) -> DrawnThing | None:
    """Return the thing whose box overlaps a region best; None where none does."""
    best = max(shown, key=lambda thing: overlap(thing.box, region), default=None)
    return best if best and overlap(best.box, region) > 0 else None


def _mask(box: Box, shown: Sequence[DrawnThing]) -> Mask:
    """Return the mask of the thing in a box; an empty one where there is none."""
    thing = _thing_at(box, shown)
    if thing:
        return thing.mask
    height, width = (shown[0].mask.height, shown[0].mask.width) if shown else (1, 1)
    return Mask(height, width, (height * width,))


def _caption(region: Box | None, shown: Sequence[DrawnThing]) -> str:
    """Return the thing in a region in words, such as "A red circle".

    All things where there is no region, "Nothing" where there is no thing.
    """
    if region is None:
        words = " and ".join(map(_thing_phrase, shown))
    else:
        thing = _thing_at(region, shown)
        words = _thing_phrase(thing) if thing else ""
    return capitalize(words) or "Nothing"


def _thing_phrase(thing: DrawnThing) -> str:
    if thing.color is None:
        return nouns()[thing.name.casefold()].concept.phrase
    return with_article(f"{thing.color} {thing.name}")
