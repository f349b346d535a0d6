"""Finds what a prompt tells the picture's generator and not the reader.

These are flags ("--ar 16:9", "--no text"), weights ("(red:1.3)", "((red))", "[red]", "fox::2"),
files of weights ("<lora:clay:1>") and BREAK. They are taken out before the prompt is parsed, and
every other character keeps its place.
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
_LORA = re.compile(r"<[a-z]+:[^<>\n]*>", re.IGNORECASE)
_NUMBER = r"[-+]?\d*\.?\d+"
_WEIGHT = re.compile(rf"\s*:\s*{_NUMBER}(?=\s*[)\]])")
_MULTI_PROMPT = re.compile(rf"\s*::\s*(?:{_NUMBER})?")
_BREAK = re.compile(r"(?<![\w-])BREAK(?![\w-])")
# brackets without another one in them
_BRACKETED = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]|\{([^{}]*)\}")
# "Subject: old sailor. Mood: calm."
_KEY = re.compile(
    r"(?:^|(?<=[.;\n])|(?<=[.;\n]\s))(?P<key>subject|main subject|characters?|person|people|clothes"
    r"|clothing|outfit|setting|scene|location|place|environment|background|foreground|objects?"
    r"|props|details|action|pose|time|time of day|weather|mood|atmosphere|medium|styles?|art style"
    r"|lighting|light|colou?rs?|palette|color palette|camera|lens|shot|angle|composition|quality"
    r"|resolution|artist|format)\s*:\s*(?P<value>[^.;\n]*)",
    re.IGNORECASE,
)
_STYLE_KEYS = re.compile(
    r"time|mood|atmosphere|medium|style|light|colou?rs?|palette|camera|lens|shot|angle|composition"
    r"|quality|resolution|artist|format",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(r"(?<!\w)negative(?:\s+prompt)?\s*:\s*(?P<value>[^\n]*)", re.IGNORECASE)
# between tags, beside commas
_SEPARATOR = re.compile(r"(?<=\s)[|/+•·](?=\s)")
_FEWEST_SEPARATORS = 2
_UNDERSCORE = re.compile(r"(?<=[a-z0-9])_(?=[a-z0-9])", re.IGNORECASE)
_ARTICLES = ("a", "an", "the", "one", "two", "three", "some", "several")


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
    """Return a prompt's flags, and what to read without them."""
    edits = TextEdits()
    drop_flags(text, edits)
    for match in _LORA.finditer(text):
        edits.drop_style(text, *match.span())
    for match in (*_MULTI_PROMPT.finditer(text), *_BREAK.finditer(text)):
        # what stands before and behind are two prompts
        edits.drop(*match.span())
        edits.characters[match.start()] = ","
    for match in re.finditer(r"\\(?=[()\[\]])", text):
        edits.drop(*match.span())
    _drop_brackets(text, edits)
    _drop_keys(text, edits)
    _read_separators(text, edits)
    return edits


def _drop_keys(text: str, edits: TextEdits) -> None:
    """Take out the keys of a form, with the values of those that speak of the picture.

    "Subject: old sailor. Mood: calm." What stands behind "Negative prompt:" is not to be shown.
    """
    negative = _NEGATIVE.search(text)
    if negative is not None:
        edits.excluded += listed_names(text, *negative.span("value"))
        edits.drop_style(text, *negative.span())
    keys = [match for match in _KEY.finditer(text) if match["value"].strip()]
    if len(keys) < _FEWEST_SEPARATORS:
        return
    for match in keys:
        if _STYLE_KEYS.search(match["key"]):
            edits.drop_style(text, *match.span())
        else:
            edits.drop(match.start("key"), match.start("value"))


def _read_separators(text: str, edits: TextEdits) -> None:
    """Read "cat | dog | tree" and "cat / dog / tree" as lists with commas, "red_cat" as two words.

    One stroke alone is "or" or a part of a name.
    """
    separators = list(_SEPARATOR.finditer(text))
    if len(separators) >= _FEWEST_SEPARATORS:
        for match in separators:
            edits.characters[match.start()] = ","
            if match.start() and text[match.start() - 1] == " ":
                edits.characters[match.start() - 1] = ""
    for match in _UNDERSCORE.finditer(text):
        edits.characters.setdefault(match.start(), " ")


def drop_flags(text: str, edits: TextEdits) -> None:
    """Take out "--ar 16:9" and its like; what "--no" names is not to be shown."""
    for match in _FLAG.finditer(text):
        start, stop = match.span()
        if match["name"].lower() in _EXCLUDING:
            edits.excluded += listed_names(text, *match.span("value"))
        else:
            value = _FIRST_VALUE.match(text, match.start("value"))
            stop = match.end("name") if value is None else min(value.end(), stop)
        edits.drop_style(text, start, stop)


def listed_names(text: str, start: int, stop: int) -> Iterator[Span]:
    """Yield the places of names with commas between them: "text, people"."""
    for name in re.finditer(r"[^\s,;][^,;]*", text[start:stop]):
        yield start + name.start(), start + name.start() + len(name[0].rstrip())


def edited_text(text: str, edits: TextEdits) -> str:
    """Return the text as it is read, as long as it was: a space stands for what is dropped."""
    return "".join(edits.characters.get(at, letter) or " " for at, letter in enumerate(text))


# --- weights


def _drop_brackets(text: str, edits: TextEdits) -> None:
    """Take out brackets that only give their words a weight, the inner ones first.

    Brackets that a sentence has stay: "three circles (two red ones and a blue one)".
    """
    # in brackets that were read, letters stand for the brackets themselves
    rest = text
    while True:
        pairs = list(_BRACKETED.finditer(rest))
        if not pairs:
            return
        for pair in pairs:
            start, stop = pair.span()
            if _is_weighted(text, start, stop):
                _drop_pair(text, start, stop, edits)
            rest = f"{rest[:start]} {rest[start + 1 : stop - 1]} {rest[stop:]}"


def _is_weighted(text: str, start: int, stop: int) -> bool:
    """Return whether brackets give a weight: by a number, doubled, square, or around one tag."""
    if text[start] in "[{" or _WEIGHT.search(text, start, stop):
        return True
    before = text[:start].rstrip()
    behind = text[stop:].lstrip()
    if before.endswith("(") or behind.startswith(")"):
        return True
    inner = text[start + 1 : stop - 1]
    if inner.startswith("(") or inner.endswith(")"):
        return True
    is_tag = (not before or before[-1] in ",;.") and (not behind or behind[0] in ",;.")
    last_word = before.rpartition(" ")[2].lower()
    is_adjective = last_word in _ARTICLES and behind[:1].isalpha() and len(inner.split()) <= 2
    return is_tag or is_adjective


def _drop_pair(text: str, start: int, stop: int, edits: TextEdits) -> None:
    edits.drop(start, start + 1)
    edits.drop(stop - 1, stop)
    weight = _WEIGHT.search(text, start, stop)
    if weight is not None:
        edits.drop(*weight.span())
    following = text[stop:].split(maxsplit=1)[:1]
    if text[start] == "[" and following and following[0].lower() in _ARTICLES:
        # "[claymation] a knight": a new tag begins
        edits.characters[stop - 1] = ","
