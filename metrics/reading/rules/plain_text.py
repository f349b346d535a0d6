"""Prepares a prompt for the parser, and carries places in it back to the prompt.

White space is collapsed, capitals are lowered in a prompt of capitals alone, flags and words of
style are left out, and what is written in the image is masked by one word.
"""

from typing import NamedTuple

from hallascope.data.prompt_reading import StyleWords
from hallascope.data.regions import Span
from hallascope.metrics.reading.rules.flags import edited_text, find_flags
from hallascope.metrics.reading.rules.style import find_style
from hallascope.metrics.reading.rules.written import find_written, mask_spans

# no space: they stand within words of Persian and the scripts of India, and within emoji
_JOINERS = "\u200c\u200d"


class PlainText(NamedTuple):
    """A prompt as the parser reads it.

    `places` are the original places of its characters, `written` the places in it of words to be
    written, `starts` those where a tag begins. `excluded` are places in the prompt of what it asks
    not to show.
    """

    text: str
    places: tuple[int, ...]
    written: tuple[Span, ...]
    starts: frozenset[int]
    style: tuple[StyleWords, ...]
    excluded: tuple[Span, ...]

    def original(self, span: Span) -> Span:
        """Return where a place of this text lies in the prompt."""
        return self.places[span[0]], self.places[span[1] - 1] + 1


def plain_text(prompt: str) -> PlainText:
    """Return what the parser reads of a prompt."""
    edits = find_flags(prompt)
    read = edited_text(prompt, edits)
    tags = find_style(prompt, mask_spans(read, find_written(read)), edits)
    letters, places = _collapse(prompt, edits.characters)
    written = find_written(letters)
    starts = {tag.start for tag in tags}
    return PlainText(
        text=mask_spans(letters, written),
        places=tuple(places),
        written=tuple(written),
        starts=frozenset(at for at, place in enumerate(places) if place in starts),
        style=tuple(sorted(edits.style, key=lambda words: words.span or (0, 0))),
        excluded=tuple(edits.excluded),
    )


def _collapse(prompt: str, edits: dict[int, str]) -> tuple[str, list[int]]:
    """Return the edited prompt with single spaces, and where each of its characters stood."""
    edited = [(at, letter) for at in range(len(prompt)) for letter in edits.get(at, prompt[at])]
    is_shouted = not any(letter.islower() for _, letter in edited)
    letters: list[str] = []
    places: list[int] = []
    for place, letter in edited:
        is_read = not letter.isspace() and (letter.isprintable() or letter in _JOINERS)
        if not is_read and (not letters or letters[-1] == " "):
            continue
        lower = letter.lower() if is_shouted else letter
        letters.append((lower if len(lower) == 1 else letter) if is_read else " ")
        places.append(place)
    stop = len("".join(letters).rstrip())
    return "".join(letters[:stop]), places[:stop]
