"""Which of several choices a local judge gives, from how likely each is as its answer.

It knows no model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hallascope.data.records import CANNOT_TELL, LETTERS, NONE_OF_THE_ABOVE
from hallascope.data.requests import Answer, Ask

# Of what the choices leave over, so much goes to None of the above: on a strange picture a judge's
# probability is spread over many
# words for the same thing, and None of the above is seldom right. Chosen on
# `data/labelled/primer-diffusion`, where 45 of 779 are.
LEFT_OVER = 0.1


def ranked(choices: Sequence[str]) -> tuple[str, ...]:
    """Return what a judge ranks that reads no instructions: the choices.

    None of the above is left out, or is "I cannot tell" where that is no choice.
    """
    if NONE_OF_THE_ABOVE in choices:
        return tuple(c for c in choices if c != NONE_OF_THE_ABOVE)
    return tuple(dict.fromkeys((*choices, CANNOT_TELL))) if choices else ()


def spellings(tokenizer: Any, words: str) -> list[list[int]]:
    """Return the tokens of an answer as a model may begin it, each once.

    It may begin with a space, or with a small letter.
    """
    ways = [space + way for way in (words, words[:1].lower() + words[1:]) for space in ("", " ")]
    each = (tokenizer(way, add_special_tokens=False)["input_ids"] for way in ways)
    return [list(ids) for ids in dict.fromkeys(map(tuple, each)) if ids]


def choose(choices: Sequence[str], likely: Mapping[str, float]) -> Answer:
    """The likeliest choice as ``A) text``.

    None of the above has LEFT_OVER of what the others leave. `likely`: probabilities of answers.

    Without None of the above, a judge likelier to say "I cannot tell" than any choice says that:
    metrics leave it out as unreadable.
    """
    if (
        NONE_OF_THE_ABOVE not in choices
        and CANNOT_TELL not in choices
        and likely[CANNOT_TELL] > max(likely[c] for c in choices)
    ):
        return Answer(CANNOT_TELL)
    rest = LEFT_OVER * max(0.0, 1.0 - sum(likely.values()))
    return likeliest(choices, [rest if c == NONE_OF_THE_ABOVE else likely[c] for c in choices])


def likeliest(choices: Sequence[str], chances: Sequence[float]) -> Answer:
    """The likeliest choice, as ``A) text`` where None of the above is one.

    `chances` are those of all choices, in any scale.
    """
    total = sum(chances) or 1.0
    best = max(range(len(choices)), key=chances.__getitem__)
    text = f"{LETTERS[best]}) {choices[best]}" if NONE_OF_THE_ABOVE in choices else choices[best]
    return Answer(text, tuple(c / total for c in chances))


# --- judges that follow instructions
# ------------------------------------------------------------------------------------


def lettered(request: Ask) -> bool:
    """Whether the prompt sets the choices out as A) to E), so that a letter is the answer."""
    lines = [
        f"{letter}) {choice}" for letter, choice in zip(LETTERS, request.choices, strict=False)
    ]
    return (
        bool(lines)
        and len(lines) == len(request.choices)
        and all(line in request.text for line in lines)
    )


def offered(request: Ask) -> tuple[str, ...]:
    """Return what may be answered, in order: letters, or the words of the choices.

    "I cannot tell" is among them where the prompt allows it.
    """
    if lettered(request):
        return LETTERS[: len(request.choices)]
    more = (
        (CANNOT_TELL,) if CANNOT_TELL in request.text and CANNOT_TELL not in request.choices else ()
    )
    return (*request.choices, *more)


def answer(request: Ask, place: int, chances: Sequence[float]) -> Answer:
    """The offer at that place as an answer.

    `chances` are those of all that was offered, in any scale.

    Letters come with the words of their choice. "I cannot tell" where it is no choice has no
    probabilities: nothing was chosen.
    """
    if place >= len(request.choices):
        return Answer(CANNOT_TELL)
    total = sum(chances[: len(request.choices)]) or 1.0
    words = request.choices[place]
    return Answer(
        f"{LETTERS[place]}) {words}" if lettered(request) else words,
        tuple(c / total for c in chances[: len(request.choices)]),
    )
