"""Finds what a prompt tells the image generator and not the reader: flags, weights, separators.

Flags are "--ar 16:9" and "--no text", weights "(red:1.3)", "((red))", "[red]" and "fox::2". They
are taken out before the prompt is parsed, and every other character keeps its place.
"""

import re

from hallascope.metrics.parsing.flags import TextEdits, drop_flags, listed_names

_NEGATIVE = re.compile(r"(?<!\w)negative(?:\s+prompt)?\s*:\s*(?P<value>[^\n]*)", re.IGNORECASE)
_WEIGHT_FILE = re.compile(r"<[a-z]+:[^<>\n]*>", re.IGNORECASE)
_NUMBER = r"[-+]?\d*\.?\d+"
# "(red:1.3)", "((red))", "[red]"
_WEIGHT = re.compile(
    rf"[\[\]{{}}\\]|\(\(+|\)\)+|\((?=[^()]*:\s*{_NUMBER}\s*\))|\s*:\s*{_NUMBER}\s*\)"
)
_SEPARATE_PROMPTS = re.compile(rf"\s*::\s*(?:{_NUMBER})?|(?<![\w-])BREAK(?![\w-])")

_TAG_SEPARATOR = re.compile(r"(?<=\s)[|/+•·](?=\s)")


def find_flags(text: str) -> TextEdits:
    """Return a prompt's flags and weights, and what to read without them."""
    edits = TextEdits()
    drop_flags(text, edits)
    for match in _NEGATIVE.finditer(text):
        edits.excluded += listed_names(text, *match.span("value"))
        edits.drop_style(text, *match.span())
    for match in _WEIGHT_FILE.finditer(text):
        edits.drop_style(text, *match.span())
    for match in _SEPARATE_PROMPTS.finditer(text):
        edits.drop(*match.span())
        edits.characters[match.start()] = ","
    _drop_weights(text, edits)
    separators = list(_TAG_SEPARATOR.finditer(text))
    if len(separators) > 1:
        edits.characters |= {match.start(): "," for match in separators}
    return edits


# --- weights


def _drop_weights(text: str, edits: TextEdits) -> None:
    """Take out brackets that only weigh their words, with the weights.

    Brackets of a sentence stay: "three circles (two red ones and a blue one)".
    """
    for match in _WEIGHT.finditer(text):
        edits.drop(*match.span())
