"""Rewrites what a judge says in other words: misspellings, "the second option", "oui" for "yes".

It knows neither markup nor which choice is the answer.
"""

import re
from collections.abc import Sequence

from hallascope.data.records import LETTERS

_CUES = ("answer", "correct", "option", "choice", "because", "matches")
_SHORTEST = 6  # letters of a word that may be misspelled
_PLACES = (
    "first|1st|one|1",
    "second|2nd|two|2",
    "third|3rd|three|3",
    "fourth|4th|four|4",
    "fifth|5th|five|5",
)
_OPTION = r"(?:option|choice|alternative|possibility)"
_LEAD = (
    r"(?:[^.!?\n]{0,40}\b)?(?:answer|antwort|antwoord|respuesta|r\u00e9ponse|risposta|resposta|"
    r"\u043e\u0442\u0432\u0435\u0442|\u7b54\u6848|\u7b54\u3048|\uc815\ub2f5|\ub2f5)\s*"
    r"(?:is|ist|est|es|\u00e8|\u00e9|\u662f|\u306f|\uc740)?\s*[:-]?\s*"
)
_NO_OFFER = (
    r"(?![\s.,!]*(?:let me|please|here|I can|I'll|I will|I'd)\b|\W*(?:ja|nein|oui|non|no)\W*\Z)"
)
_YES = (
    r"yes|yep|yeah|yup|ja|jawohl|jo|oui|si|s\u00ed|s\u00ec|sim|da|\u0434\u0430|tak|evet|"
    r"\u662f\u7684?|\u5bf9|\u6709|\u306f\u3044|\u3048\u3048|\ub124|\uc608|\u0646\u0639\u0645|"
    r"\u0939\u093e\u0901|\u0939\u093e\u0902|absolutely|affirmative|certainly(?!!)|definitely|indeed|"
    r"of course(?!!)|(?:(?:that is|that's|this is|it is|it's) )?(?:correct|true)"
)
_NO = (
    r"no|nope|nah|nein|nee|non|n\u00e3o|nej|nei|nie|\u043d\u0435\u0442|hay\u0131r|"
    r"\u5426|\u4e0d\u662f\u7684?|\u4e0d|\u4e0d\u5bf9|\u6ca1\u6709|\u3044\u3044\u3048|"
    r"\uc544\ub2c8\uc694|\uc544\ub2c8\uc624|\u0644\u0627|\u0928\u0939\u0940\u0902|negative|"
    r"not at all|(?:absolutely|certainly|definitely|of course) not|not (?:really|quite)|"
    r"(?:(?:that is|that's|this is|it is|it's) )?(?:incorrect|untrue|false|not (?:correct|true))"
)


def rewrite_words(text: str, choices: Sequence[str]) -> str:
    """Return a text with its misspelled words mended, and ordinals and words for yes and no plain.

    `choices` are in small letters, without their marks.
    """
    text = _correct_spelling(re.sub(r"\b(?i:awns?er)\b", "answer", text), choices)
    if not re.search(rf"\b(?:{'|'.join(_PLACES)}|last)\b", " ".join(choices)):
        for letter, place in zip(LETTERS[: len(choices)], _PLACES, strict=False):
            last = "|last" if letter == LETTERS[len(choices) - 1] else ""
            pattern = (
                rf"\b(?:the )?(?!(?:one|two|three|four|five|\d)\b)(?:{place}{last}) {_OPTION}\b|"
                rf"\b{_OPTION} (?:number |no\. ?|# ?)?(?:{place})\b(?!\.\d)"
            )
            text = re.sub(pattern, f"Option {letter}", text, flags=re.IGNORECASE)
    if {"yes", "no"} <= set(choices):
        for word, others in (("Yes", _YES), ("No", _NO)):
            pattern = rf"\A({_LEAD}|\s*)(?:{others})(?=\s*(?:[.,;:!(\n]|- |\Z)){_NO_OFFER}"
            text = re.sub(pattern, rf"\1{word}", text, count=1, flags=re.IGNORECASE)
    return text


def _correct_spelling(text: str, choices: Sequence[str]) -> str:
    """Return a text with the words in place of those that lack a letter or have two swapped."""
    words = set(" ".join(choices).split())
    for word in sorted(words.union(_CUES)):
        if len(word) >= _SHORTEST and word.isalpha():
            cuts = [
                (word[:place], word[place], word[place + 1 :]) for place in range(1, len(word) - 1)
            ]
            wrong = {start + rest for start, _, rest in cuts}
            wrong |= {start + rest[0] + sign + rest[1:] for start, sign, rest in cuts[:-1]}
            pattern = rf"\b(?:{'|'.join(wrong - words)})\b"
            text = re.sub(pattern, word, text, flags=re.IGNORECASE)
    return text
