"""Finds what a prompt tells the image generator and not the reader: flags, weights, separators.

Flags are "--ar 16:9" and "--no text", weights "(red:1.3)", "((red))", "[red]" and "fox::2". They
are taken out before the prompt is parsed, and every other character keeps its place.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hallascope.data.prompt_reading import StyleWords
from hallascope.data.regions import Span

# of Midjourney and of tools that took its flags over
_FLAG_NAMES = (
    "ar|aspect|no|v|version|s|stylize|q|quality|seed|sameseed|c|chaos|style|niji|iw|hd|test|testp"
    "|tile|w|h|weird|raw|cref|sref|oref|cw|sw|ow|p|profile|personalize|stop|video|draft|turbo|fast"
    "|relax|repeat|r|uplight|upbeta|creative|exp|neg|negative|steps|cfg|sampler|width|height"
)
# typing programs write a dash for two hyphens
_FLAG = re.compile(
    rf"(?<!\S)(?:--|[—–])(?P<name>{_FLAG_NAMES})(?![\w-])(?P<value>[^\n]*?)"
    r"(?=\s+(?:--|[—–])[a-z]|\s*$|\s*\n)",
    re.IGNORECASE,
)
_EXCLUDING = ("no", "neg", "negative")
# more than one word belongs to these flags alone; behind another, the prompt goes on
_FIRST_VALUE = re.compile(r"\s+(?!--)[\w.:/#-]+")
_NEGATIVE = re.compile(r"(?<!\w)negative(?:\s+prompt)?\s*:\s*(?P<value>[^\n]*)", re.IGNORECASE)
_WEIGHT_FILE = re.compile(r"<[a-z]+:[^<>\n]*>", re.IGNORECASE)
_NUMBER = r"[-+]?\d*\.?\d+"
# "(red:1.3)", "((red))", "[red]"
_WEIGHT = re.compile(
    rf"[\[\]{{}}\\]|\(\(+|\)\)+|\((?=[^()]*:\s*{_NUMBER}\s*\))|\s*:\s*{_NUMBER}\s*\)"
)
_SEPARATE_PROMPTS = re.compile(rf"\s*::\s*(?:{_NUMBER})?|(?<![\w-])BREAK(?![\w-])")
_TAG_SEPARATOR = re.compile(r"(?<=\s)[|/+•·](?=\s)")


@dataclass
class TextEdits:
    """What is read in place of some characters of a prompt, and what was taken out.

    `characters`: by place, what is read there ("" for nothing). `excluded`: places of what the
    prompt asks not to show.
    """

    characters: dict[int, str] = field(default_factory=dict)
    style: list[StyleWords] = field(default_factory=list)
    excluded: list[Span] = field(default_factory=list)

    def drop(self, start: int, stop: int) -> None:
        """Read nothing between two places."""
        self.characters |= dict.fromkeys(range(start, stop), "")

    def drop_style(self, text: str, start: int, stop: int) -> None:
        """Read nothing between two places, and keep the words as style."""
        self.drop(start, stop)
        self.style.append(StyleWords(text[start:stop], (start, stop)))


def find_flags(text: str) -> TextEdits:
    """Return a prompt's flags and weights, and what to read without them."""
    edits = TextEdits()
    _drop_flags(text, edits)
    for match in _NEGATIVE.finditer(text):
        edits.excluded += _listed_names(text, *match.span("value"))
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


def _drop_flags(text: str, edits: TextEdits) -> None:
    """Take out "--ar 16:9" and its like; what "--no" names is not to be shown."""
    for match in _FLAG.finditer(text):
        start, stop = match.span()
        if match["name"].lower() in _EXCLUDING:
            edits.excluded += _listed_names(text, *match.span("value"))
        else:
            value = _FIRST_VALUE.match(text, match.start("value"))
            stop = match.end("name") if value is None else min(value.end(), stop)
        edits.drop_style(text, start, stop)


def _listed_names(text: str, start: int, stop: int) -> Iterator[Span]:
    """Yield the places of names with commas between them: "text, people"."""
    for name in re.finditer(r"[^\s,;][^,;]*", text[start:stop]):
        yield start + name.start(), start + name.start() + len(name[0].rstrip())


def edited_text(text: str, edits: TextEdits) -> str:
    """Return the text as it is read, as long as it was: a space stands for what is dropped."""
    return "".join(edits.characters.get(at, letter) or " " for at, letter in enumerate(text))


# --- weights


def _drop_weights(text: str, edits: TextEdits) -> None:
    """Take out brackets that only weigh their words, with the weights.

    Brackets of a sentence stay: "three circles (two red ones and a blue one)".
    """
    for match in _WEIGHT.finditer(text):
        edits.drop(*match.span())
