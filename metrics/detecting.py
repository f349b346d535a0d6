"""What a detector is asked for beside the things of a prompt; it knows no picture and no model."""

from collections.abc import Sequence

from metrics.parsing.parsed import Parsed
from metrics.parsing.parser import vocabulary


def general(asked: Parsed, phrases: Sequence[str]) -> tuple[str, ...]:
    """What is looked for beside the prompt, for what nobody asked for: the 80 classes of COCO, or the names of the Primer world.

    Our reading: the latter where every thing of the prompt is of that world, as then the picture is, too.
    """
    names = _primer() if asked.things and all(phrase.known for phrase in asked.things) else vocabulary("general")
    said = {phrase.casefold() for phrase in phrases} | {phrase.known.casefold() for phrase in asked.things}
    return tuple(name for name in names if name.casefold() not in said)


def _primer() -> tuple[str, ...]:
    from data.primer import scenes  # here, as it loads what draws

    return tuple(dict.fromkeys(noun.concept.name for noun in scenes.nouns().values()))
