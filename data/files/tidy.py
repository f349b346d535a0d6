"""Cleans texts before they are saved: on one line, white space collapsed, no odd signs."""

import re
import unicodedata

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")  # how Excel writes a character that it cannot keep
_NO_TEXT = ("Cc", "Cs")  # control characters and halves of surrogate pairs


def line(text: str) -> str:
    """Return the text on one line, white space collapsed, without what no file can keep."""
    return " ".join(_clean_characters(text).split())


def paragraphs(text: str) -> str:
    """Return the text with white space collapsed in each line, and single empty lines.

    Between two lines there is at most one empty line.
    """
    lines = [" ".join(part.split()) for part in _clean_characters(text, "\n").split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _clean_characters(text: str, breaks: str = "") -> str:
    while _ESCAPE.search(text):
        text = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    if text.isprintable() and text.isascii():
        return text  # nothing to clean; a table of a million cells is mostly such cells
    text = unicodedata.normalize("NFC", text)  # names out of a Mac's archives are in pieces
    if breaks:
        text = "\n".join(text.splitlines())
    return "".join(
        " "
        if sign != breaks and (unicodedata.category(sign) in _NO_TEXT or sign in "\ufffe\uffff")
        else sign
        for sign in text
    )
