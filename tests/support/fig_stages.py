"""Compares a prompt, read by rules, with a caption."""

from collections.abc import Sequence

from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.matching import Stages, compare
from hallascope.metrics.fig.pairs import Attributes, attribute_words
from hallascope.metrics.parsing.reading import read_prompt


def stages_of(
    prompt: str,
    caption: str,
    lines: Sequence[str] | None = None,
    attributes: Attributes = ATTRIBUTES,
) -> Stages:
    return compare(read_prompt(prompt, attribute_words(attributes)), caption, lines, attributes)
