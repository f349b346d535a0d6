"""Marks where a text names a choice: each letter and each choice's words become one sign.

The signs are private-use characters, which `markup` takes out of what comes from outside. It knows
no sentence: `hallascope.metrics.replies.named_answers` decides which of the choices is the answer.
"""

import re
from collections.abc import Sequence

from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE, Letter
from hallascope.metrics.replies.plain_words import rewrite_words

LETTER_SIGNS = "\ue000-\ue00f"
WORD_SIGNS = "\ue010-\ue01f"
BOXED_SIGNS = "\ue020-\ue02f"  # in a box, in tags or in a field: said to be the answer
CONFLICT = "\ue030"  # a letter with the words of another choice, or words of two choices
SIGN = f"[\ue000-{CONFLICT}]"

_NUMBERS = tuple(
    re.findall(r"\w+", "zero one two three four five six seven eight nine ten eleven twelve")
)
_EDGE = "A-Za-z0-9\u00c0-\u024f"
_LONE = re.compile(r"[(\[{\"'<$]*([A-Ea-e])[)\]}\"'>$.:,;!]*")
_INITIALS = re.compile(r"\b[A-Za-z]\.(?:\s?[A-Za-z]\.)+")
_FUNCTION_WORD = r"(?:and|or|the|an?|this|that|it|there|because|since|he|she|they|we|in|on)\b"
# Letters that are choices; the article "A" and the initial of "E. coli" are none.
_LETTERS = re.compile(
    rf"(?<![{_EDGE}+'-])(?:"
    r"[(\[{\"'<]{1,4}([A-Ea-e])(?=[)\]}\"'>])"
    r"|([a-e])(?=\))"
    rf"|([B-E])(?![{_EDGE}+#-]|'\w|\.\s?(?!{_FUNCTION_WORD})[a-z])"
    rf"|(A)(?=\s*(?:[\]:;!\"'}}>)/&=\u2192]|\.(?!\s?(?!{_FUNCTION_WORD})[a-z])|\Z|\n|->?\s))"
    r"|(A)(?=,)(?<=[\w:] A)|(?:(?<=ption )|(?<=hoice ))(A)\b"
    r"|(A)(?=,?\s+(?:because|since|as|for|given|due|based|rather|instead|unlike|not|or|and|I)\b)"
    rf"|(A)(?=,?\s*[(\[\"']{{0,2}}(?:[B-E]|[{LETTER_SIGNS}{BOXED_SIGNS}{CONFLICT}])(?![{_EDGE}]))"
    r"|(A)(?=\s+(?:\(|(?:is|was|may|might|could|would|seems|matches|fits|must|has to|"
    r"should|cannot|can't|can be|does|doesn't|isn't|comes out|remains|it is)\b)|,?\s*Answer\b)"
    r"|(?:(?<=[:=]\s)|(?<=[:=])|(?<=ption )|(?<=hoice ))([a-e])(?=[.!)\"']*\s*(?:\Z|\n))"
    r"|(?<=\bis )([b-e])(?=[.!)\"']*\s*(?:\Z|\n))"
    r")"
)
_WORDS_AND_LETTER = re.compile(
    rf"([{WORD_SIGNS}])(?:,\s*|\s+)(?:option |choice |answer )?([{LETTER_SIGNS}])"
)
_NONE = (
    r"non(?:e of (?:the |these |those )?(?:above|these|those|(?:given |listed |provided |other )*"
    r"(?:options?|choices?|answers?))|e? of the above|e)"
    r"(?: (?:options?|choices?)| (?:is|are) (?:shown|visible)| fits?| match(?:es)?"
    r"| appl(?:y|ies))?(?!\s+of\b)"
)
_SHORT = r"(?=\s*(?:[.,;:!()\"'}]|-\s|\n|\Z)|\s+(?:the|this|it|there|he|she|they)\b)"


def lone_letter(text: str) -> Letter | None:
    """Return the letter of a text that holds nothing else, such as ``(b).``; else None."""
    lone = _LONE.fullmatch(text.strip())
    return LETTERS["ABCDE".index(lone[1].upper())] if lone else None


def normalize_words(text: str) -> str:
    """Return the words alone, for comparing the text of a reply with that of a choice."""
    return " ".join(text.casefold().split()).strip(" .,;:!?\"'()[]")


def boxed(letter: Letter | None) -> str:
    """Return the sign of a letter that is said to be the answer; of None, that of a conflict."""
    return chr(0xE020 + LETTERS.index(letter)) if letter else CONFLICT


def letter_of(sign: str) -> Letter | None:
    """Return the letter that a sign stands for, None of a conflict."""
    return None if sign == CONFLICT else LETTERS[ord(sign) % 16]


def mark_choices(text: str, choices: Sequence[str]) -> str:
    """Return the text with a sign in place of every letter and of the words of every choice.

    ``B) Four`` is one sign; so is ``B) Two``, that of a conflict, where B is "Four".
    """
    texts = [normalize_words(choice) for choice in choices[: len(LETTERS)]]
    has_other_none = sum("none" in words.split() for words in texts) > 1
    patterns = [_words_pattern(words, has_other_none) for words in texts]
    # what is read of a run of spaces or empty lines would take the square of its length
    lines = filter(None, (" ".join(line.split()) for line in text.split("\n")))
    text = _INITIALS.sub("etc", rewrite_words("\n".join(lines), texts))
    listed = zip(LETTERS, patterns, strict=False)
    listing = r"[\s,;]*".join(rf"\(?{letter}[.):]?\s*{words}\.?" for letter, words in listed)
    text = re.sub(
        rf"(?<![{_EDGE}]){listing}(?![{_EDGE}]|\s*- wrong)", " ", text, flags=re.IGNORECASE
    )
    for place, pattern in enumerate(patterns):
        if pattern:
            text = _own_words(LETTERS[place], pattern).sub(chr(0xE000 + place), text)
    for place, pattern in enumerate(patterns):
        if pattern and len(texts[place]) > 1:
            others = "".join(letter for letter in LETTERS if letter != LETTERS[place])
            text = re.sub(
                rf"(?<![{_EDGE}])[(\[]?[{others}][)\].:]+\s*{pattern}(?![{_EDGE}-])",
                CONFLICT,
                text,
                flags=re.IGNORECASE,
            )
    for place in sorted(range(len(texts)), key=lambda place: -len(texts[place])):
        pattern = patterns[place]
        if pattern and not re.fullmatch("[a-z]", texts[place]):
            sign = chr(0xE010 + place) if texts.count(texts[place]) == 1 else CONFLICT
            end = _SHORT if texts[place] in ("yes", "no") else f"(?![{_EDGE}-])"
            text = re.sub(rf"(?<![{_EDGE}-]){pattern}{end}", sign, text, flags=re.IGNORECASE)
    return _WORDS_AND_LETTER.sub(_same_sign, _LETTERS.sub(_letter_sign, text))


def _letter_sign(match: re.Match[str]) -> str:
    letter = next(filter(None, match.groups())).upper()
    return chr(0xE000 + "ABCDE".index(letter))


def _same_sign(match: re.Match[str]) -> str:
    """Return one sign in place of "Blue (B)" and "Blue, B", what is there of "Blue (C)"."""
    return match[2] if letter_of(match[1]) == letter_of(match[2]) else match[0]


def _words_pattern(words: str, has_other_none: bool) -> str:
    """Return the pattern of a choice's words, its article left out or not; "" where it has none."""
    if words == normalize_words(NONE_OF_THE_ABOVE) and not has_other_none:
        return _NONE
    if words in _NUMBERS:
        return rf"(?:{words}|{_NUMBERS.index(words)}(?![.)]))"
    if words.isdecimal() and int(words) < len(_NUMBERS):
        return rf"(?:{words}|{_NUMBERS[int(words)]})"
    bare = re.sub(r"^(?:an?|the)\s+(?=\S)", "", words)
    bare = re.sub(r"\s+(?:it|them)$", "", bare)
    place, _, side = bare.rpartition(" the ")
    pattern = r"\s+".join(map(re.escape, bare.split()))
    if place in ("to", "on", "at", "in"):
        pattern = rf"(?:to|on|at|in)\s+the\s+{re.escape(side)}"
    pattern = re.sub(r"(?<=\w{3})y$", "(?:y|ing)", pattern)
    return pattern if bare == words else rf"(?:(?:an?|the)\s+)?{pattern}"


def _own_words(letter: Letter, pattern: str) -> re.Pattern[str]:
    """Return the pattern of a letter with the words of its choice: "B) Four", "b. Four", "B Four".

    After a space alone, and before further words, these are words of a sentence: "A red ball".
    """
    marked = rf"[{letter}{letter.lower()}](?:[)\]\"']|\s?[.:,;=-])+\s*[(\"']*|{letter}\s+\("
    goes_on = r"\s*(?:[.,;:!?)\]\"'}]|-\s|\n|\Z)|\s+(?:is|as|because|since|seems|would)\b"
    ends = r"[.!)\"']*\s*(?:\n|\Z)"
    return re.compile(
        rf"(?<![{_EDGE}+'-])[(\[\"']{{0,3}}(?:(?:{marked}){pattern}(?![{_EDGE}-])(?={goes_on})"
        rf"[)\"']*|{letter}\s+{pattern}(?={ends}))",
        re.IGNORECASE if pattern else 0,
    )
