"""Reads the one letter that a judge's reply names, or none."""

import json
import re
import unicodedata
from collections.abc import Sequence

from hallascope.data.records import LETTERS, Letter

# Typographic quotes and dashes become plain ones.
_PLAIN = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2013: "-", 0x2014: "-"}
_EMPHASIS = re.compile(r"\*+|_{2,}|`+(?:(?:json|text|markdown)\b)?", re.IGNORECASE)
_LONE = re.compile(r"[(\[{\"'<]*([A-Ea-e])[)\]}\"'>.:,;!]*")
_ANSWER = re.compile(r"(?i:\banswer[\"']?\s*(?P<link>is\s*:?|[:=-]))\s*")
_LEADING = re.compile(r"\A(?i:(?:option|choice|answer)\s+(?=[(\[\"']*[A-E]\b))")
# A letter at the start of the reply, what separates it from the words after it, and those words.
_MARKED = re.compile(
    r"[(\[\"']*(?P<letter>[A-E](?=[)\]\"'.:,;\s-])|[a-e](?=\)))"
    r"(?P<mark>[)\]\"']+[.:,;]?|[.:,;]|\s*-(?=\s)|\s*\n|\s+)"
    r"(?P<rest>.*)",
    re.DOTALL,
)
_THOUGHT = re.compile(
    r"(?:\A|<think(?:ing)?>)(?:(?!<think).)*?</think(?:ing)?>|<think(?:ing)?>.*\Z",
    re.DOTALL | re.IGNORECASE,
)
_REASON = re.compile(r"(?:because|since|as)\b")
# Letters named as choices anywhere; the article "A" is one only where its surroundings say so.
_NAMED = re.compile(
    r"(?<![\w-])(?<!\w')(?:"
    r"([B-E])(?!\w|['-]\w)"
    r"|(A)(?=\s*(?:[)\].,:;/|&!?\"'}>]|$|\n|-\s|(?:or|and)\b))"
    r"|([a-e])(?=\))"
    r")|(?:\b(?:or|and)\s+|[,;/&]\s*)(A)\b(?!\s+[a-z]|['-])"
)


def read_letter(text: str, choices: Sequence[str]) -> Letter | None:
    """Return the one letter that a reply names, or None where it names none or several.

    Reads ``B``, ``B.``, ``(B)``, ``B) Red``, ``Answer: B``, ``**B**``, JSON ``{"answer": "B"}``
    also in a fence, and the full text of exactly one choice. A sentence that begins with the
    article "A" is not choice A. Only letters of the given `choices` (A for the first, at most five)
    are read. Our reading: a letter whose words are those of another choice ("B) Red" where A is
    "Red"), and a second letter anywhere in the reply, make it unreadable; what a model thinks aloud
    is no part of its reply. Never raises.
    """
    plain = _plain(text)
    answer = _json_answer(plain)
    if answer is None:
        letter = _read_plain(plain, choices)
    else:
        value, surroundings = answer
        letter = _read_plain(_plain(value), choices)
        if letter and _named_letters(surroundings) - {letter}:
            return None
    return letter if letter in LETTERS[: len(choices)] else None


def strip_thinking(text: str) -> str:
    """Return the reply without what a reasoning model puts between ``<think>`` and ``</think>``.

    A thought that does not end takes the rest of the reply.
    """
    return _THOUGHT.sub("", text).strip()


def _plain(text: str) -> str:
    return _EMPHASIS.sub(
        "", unicodedata.normalize("NFKC", strip_thinking(text)).translate(_PLAIN)
    ).strip()


def _normalized(text: str) -> str:
    """Return the words alone, for comparing the text of a reply with that of a choice."""
    return " ".join(text.casefold().split()).strip(" .,;:!?\"'()[]")


def _json_answer(plain: str) -> tuple[str, str] | None:
    """Return the one "answer" of a JSON object in the text, and the text around it."""
    start = plain.find("{")
    end = plain.rfind("}") + 1
    if not 0 <= start < end:
        return None
    try:
        pairs = json.loads(plain[start:end], object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    values = [value for key, value in pairs if key.casefold().strip() == "answer"]
    if len(values) != 1 or not isinstance(values[0], str):
        return None
    return values[0], f"{plain[:start]} {plain[end:]}"


def _read_plain(plain: str, choices: Sequence[str]) -> Letter | None:
    """Return the letter of the reply, else of what follows its last "answer is" or "answer:"."""
    letter = _read_part(plain, "", choices)
    answers = list(_ANSWER.finditer(plain))
    if letter or not answers:
        return letter
    last = answers[-1]
    part = plain[last.end() :]
    # "the answer is a" may break off before its noun
    breaks_off = part == "a" and last["link"].casefold().startswith("is")
    return None if breaks_off else _read_part(part, plain[: last.start()], choices)


def _read_part(part: str, before: str, choices: Sequence[str]) -> Letter | None:
    """Return the letter of one part of the reply; None where the text before names another."""
    part = _LEADING.sub("", part, count=1)
    if lone := _LONE.fullmatch(part):
        letter = _letter(lone[1])
        return None if _named_letters(before) - {letter} else letter
    texts = [_normalized(_plain(choice)) for choice in choices[: len(LETTERS)]]
    words = _normalized(part)
    equal = [letter for letter, text in zip(LETTERS, texts, strict=False) if text and text == words]
    if equal:
        return equal[0] if len(equal) == 1 and not _named_letters(before) - {equal[0]} else None
    return _read_marked(part, before, texts)


def _read_marked(part: str, before: str, texts: Sequence[str]) -> Letter | None:
    """Return the letter of "B) Red", "B. It is red" or "B because ...".

    None where another letter stands beside it.
    """
    marked = _MARKED.match(part)
    if not marked:
        return None
    letter = _letter(marked["letter"])
    rest = marked["rest"]
    words = _normalized(rest)
    index = LETTERS.index(letter)
    if index < len(texts) and words == texts[index]:
        rest = ""
    elif words in texts or not _marks_answer(marked["mark"], rest):
        return None
    return None if (_named_letters(before) | _named_letters(rest)) - {letter} else letter


def _marks_answer(mark: str, rest: str) -> bool:
    """Return whether the mark makes the letter an answer.

    It does in "B) it is" and "B. It is", but not in "A bird", "E. coli" and "C.E.".
    """
    if mark.isspace():
        return "\n" in mark or _REASON.match(rest) is not None
    if mark.endswith("."):
        return not rest or (
            rest[0].isspace() and (rest[0] == "\n" or not rest.strip()[:1].islower())
        )
    return True


def _named_letters(text: str) -> set[Letter]:
    return {_letter(next(filter(None, groups))) for groups in _NAMED.findall(text)}


def _letter(character: str) -> Letter:
    return LETTERS["ABCDE".index(character.upper())]
