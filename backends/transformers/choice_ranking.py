"""Decides which of several choices a local judge gives, by how likely each is as its answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hallascope.data.records import CANNOT_TELL, LETTERS, NONE_OF_THE_ABOVE
from hallascope.data.requests import Answer, Ask

# None of the above gets this share of what the choices leave over: on a strange image a judge's
# probability is spread over many words for the same thing, and None of the above is seldom right.
# It was chosen on `data/labelled/primer-diffusion`, where 45 of 779 are.
LEFT_OVER = 0.1


def choices_to_rank(choices: Sequence[str]) -> tuple[str, ...]:
    """Return what a judge ranks that reads no instructions: the choices.

    None of the above is left out, or is "I cannot tell" where that is no choice.
    """
    if NONE_OF_THE_ABOVE in choices:
        return tuple(c for c in choices if c != NONE_OF_THE_ABOVE)
    return tuple(dict.fromkeys((*choices, CANNOT_TELL))) if choices else ()


def choose(choices: Sequence[str], probabilities: Mapping[str, float]) -> Answer:
    """Return the likeliest choice, as ``A) text`` where None of the above is one.

    None of the above has LEFT_OVER of what the others leave. Without None of the above, a judge
    likelier to say "I cannot tell" than any choice says that: metrics leave it out as unreadable.
    """
    if (
        NONE_OF_THE_ABOVE not in choices
        and CANNOT_TELL not in choices
        and probabilities[CANNOT_TELL] > max(probabilities[c] for c in choices)
    ):
        return Answer(CANNOT_TELL, protocol="ranked")
    rest = LEFT_OVER * max(0.0, 1.0 - sum(probabilities.values()))
    return likeliest(
        choices, [rest if c == NONE_OF_THE_ABOVE else probabilities[c] for c in choices]
    )


def likeliest(choices: Sequence[str], likelihoods: Sequence[float]) -> Answer:
    """Return the likeliest choice, as ``A) text`` where None of the above is one.

    `likelihoods` are those of all choices, in any scale.
    """
    best = max(range(len(choices)), key=likelihoods.__getitem__)
    return _ranked_answer(choices, best, likelihoods, NONE_OF_THE_ABOVE in choices)


def _ranked_answer(
    choices: Sequence[str], place: int, likelihoods: Sequence[float], has_letter: bool
) -> Answer:
    total = sum(likelihoods) or 1.0
    text = f"{LETTERS[place]}) {choices[place]}" if has_letter else choices[place]
    return Answer(text, tuple(p / total for p in likelihoods), protocol="ranked")


# --- choices in any spelling ---


class SpelledChoice(NamedTuple):
    """Holds the tokens of one spelling of a choice, by the numbers of question and choice."""

    question: int
    choice: int
    ids: list[int]


def spellings(tokenizer: Any, words: str) -> list[list[int]]:
    """Return the tokens of an answer as a model may begin it, each once.

    It may begin with a space, or with a small letter.
    """
    uncapitalized = words[:1].lower() + words[1:]
    texts = (words, f" {words}", uncapitalized, f" {uncapitalized}")
    tokens = (tuple(tokenizer(text, add_special_tokens=False)["input_ids"]) for text in texts)
    return [list(ids) for ids in dict.fromkeys(tokens) if ids]


def spelled_choices(tokenizer: Any, offers: Sequence[Sequence[str]]) -> list[SpelledChoice]:
    """Return all spellings of the choices of all questions; `offers` has one row a question."""
    return [
        SpelledChoice(question, choice, ids)
        for question, offer in enumerate(offers)
        for choice, words in enumerate(offer)
        for ids in spellings(tokenizer, words)
    ]


def sum_over_spellings(
    offers: Sequence[Sequence[str]], choices: Sequence[SpelledChoice], logs: Sequence[float]
) -> list[list[float]]:
    """Return for each question the probability of each choice in any spelling.

    `logs` are the log-probabilities of the spellings.
    """
    probabilities = [[0.0] * len(offer) for offer in offers]
    for spelled, log in zip(choices, logs, strict=True):
        probabilities[spelled.question][spelled.choice] += math.exp(log)
    return probabilities


# --- judges that follow instructions ---


def is_lettered(request: Ask) -> bool:
    """Return whether the prompt lists the choices as A) to E), so that a letter is the answer."""
    lines = [
        f"{letter}) {choice}" for letter, choice in zip(LETTERS, request.choices, strict=False)
    ]
    return (
        bool(lines)
        and len(lines) == len(request.choices)
        and all(line in request.text for line in lines)
    )


def possible_answers(request: Ask) -> tuple[str, ...]:
    """Return what may be answered, in order: letters, or the words of the choices.

    "I cannot tell" is among them where the prompt allows it.
    """
    if is_lettered(request):
        return LETTERS[: len(request.choices)]
    if CANNOT_TELL in request.text and CANNOT_TELL not in request.choices:
        return (*request.choices, CANNOT_TELL)
    return request.choices


def answer(request: Ask, place: int, likelihoods: Sequence[float]) -> Answer:
    """Return the possible answer at that place.

    `likelihoods` are those of all possible answers, in any scale. Letters come with the words of
    their choice. "I cannot tell" where it is no choice has no probabilities: nothing was chosen.
    """
    if place >= len(request.choices):
        return Answer(CANNOT_TELL, protocol="ranked")
    own = likelihoods[: len(request.choices)]
    return _ranked_answer(request.choices, place, own, is_lettered(request))
