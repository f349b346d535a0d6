"""Varies any English prompt by rules of words, for models that draw more than Primer.

Where the number, the color or the material changes, a question about it is made by rule, for
prompts that have no questions of their own. Where the meaning stays, the questions of the first
prompt are asked at every level.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from hallascope.data.lexicon import capitalize, with_article, without_article
from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE, CoI, Question
from hallascope.engine.error_analysis.probe.levels import (
    AxisName,
    CannotVary,
    ProbeLevel,
    PromptVariation,
)
from hallascope.engine.error_analysis.probe.primer_levels import FRAMES
from hallascope.metrics.reading.words.language import NUMBERS, plural, singular

AS_IT_IS = "as it is"
ORIGIN = "made by rule"
NUMBER_WORDS = NUMBERS[1:11]
COLOR_WORDS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black", "white")
MATERIAL_WORDS = ("wooden", "glass", "metal", "stone", "paper", "plastic", "leather", "ceramic")
RELATION_WORDS = (
    "to the left of",
    "to the right of",
    "on top of",
    "under",
    "in front of",
    "behind",
)
_OTHER_RELATIONS = ("next to", "above", "below")  # they hold together with those that are varied
DISTRACTORS = ("a teapot", "a bicycle", "an umbrella", "a violin", "a ladder", "a lantern")
_SETTING = "in soft evening light with a plain wall behind"
_SPATIAL = "|".join(
    (*RELATION_WORDS, *_OTHER_RELATIONS, "on", "in", "at", "with", "of", "and", "beside", "near")
)
_HEAD = re.compile(
    rf"^(?P<number>an?|the|\d+|{'|'.join(NUMBER_WORDS)})\s+(?P<noun>.+?)"
    rf"(?P<rest>(?:,|\s+(?:{_SPATIAL})\b).*)?$",
    re.IGNORECASE,
)


def vary_text(prompt: str, axis: AxisName) -> PromptVariation:
    """Return the levels of an English prompt on an axis, by rules of words.

    Raises CannotVary where the prompt lacks the words that are varied, and for languages, which no
    rule translates.
    """
    prompt = " ".join(prompt.split()).rstrip(". ")
    if versions := _VERSIONS.get(axis):
        prompts = {label: form.format(prompt) for label, form in versions.items()}
        return PromptVariation(levels=same_meaning(prompt, {AS_IT_IS: prompt, **prompts}))
    if axis not in _LEVELS:
        raise CannotVary(
            f"No rule varies the {axis} of a prompt: name a writer, which writes the versions."
        )
    levels = tuple(_LEVELS[axis](prompt))
    note = "The question at each level is made by rule." if levels[0].questions else ""
    return PromptVariation(levels=levels, note=note)


def same_meaning(prompt: str, prompts: Mapping[str, str]) -> tuple[ProbeLevel, ...]:
    """Return levels whose images are judged by the questions of `prompt`; `prompts` by label."""
    return tuple(
        ProbeLevel(label=label, prompt=text, judged_as=prompt) for label, text in prompts.items()
    )


class _Head:
    """Holds the first noun phrase of a prompt, in the singular, and what follows it."""

    def __init__(self, prompt: str) -> None:
        match = _HEAD.match(prompt)
        if match is None:
            raise CannotVary(
                f"{prompt!r} does not begin with how many of a thing it asks for: write it as 'a"
                " cat on a table' or 'three apples'."
            )
        number = match["number"].lower()
        is_plural = number in NUMBER_WORDS[1:] or (number.isdigit() and number != "1")
        self.is_plural = is_plural
        self.number = number if is_plural else "one"
        first, space, last = match["noun"].rpartition(" ")
        self.noun = f"{first}{space}{singular(last)}" if is_plural else match["noun"]
        self.rest = match["rest"] or ""

    @property
    def name(self) -> str:
        """Return the noun in the number of the prompt."""
        return plural(self.noun) if self.is_plural else self.noun

    def noun_without(self, words: Sequence[str]) -> str:
        """Return the noun in the number of the prompt, without a word that comes before it."""
        first, _, others = self.name.partition(" ")
        return others if others and first.lower() in words else self.name

    def prompt(self, noun: str) -> str:
        """Return the prompt with other words for its noun."""
        start = f"{self.number} {noun}" if self.is_plural else with_article(noun)
        return f"{start}{self.rest}"


def _numbers(prompt: str) -> list[ProbeLevel]:
    head = _Head(prompt)
    several = plural(head.noun)
    levels = []
    for count, word in enumerate(NUMBER_WORDS, 1):
        start = with_article(head.noun) if count == 1 else f"{word} {several}"
        near = [count + 1, count - 1 or count + 3, count + 2]
        question = _question(
            f"How many {several} are in the image?", str(count), [str(n) for n in near], "counting"
        )
        levels.append(_with_question(str(count), f"{start}{head.rest}", question, count))
    return levels


def _adjectives(prompt: str, words: Sequence[str], asks: str, coi: CoI) -> list[ProbeLevel]:
    head = _Head(prompt)
    noun = head.noun_without(words)
    verb = "are" if head.is_plural else "is"
    levels = []
    for place, word in enumerate(words):
        others = [words[(place + step) % len(words)] for step in (1, 2, 3)]
        question = _question(f"{asks} {verb} the {noun} in the image?", word, others, coi)
        levels.append(_with_question(word, head.prompt(f"{word} {noun}"), question))
    return levels


def _relations(prompt: str) -> list[ProbeLevel]:
    for words in (*RELATION_WORDS, *_OTHER_RELATIONS):
        first, separator, second = prompt.partition(f" {words} ")
        if separator:
            return [
                _with_question(
                    other,
                    f"{first} {other} {second}",
                    _relation_question(first, second, other),
                )
                for other in RELATION_WORDS
            ]
    raise CannotVary(
        f"{prompt!r} says of no two things how they stand: take one such as 'a cat under a table'."
    )


def _relation_question(first: str, second: str, words: str) -> Question:
    place = RELATION_WORDS.index(words)
    others = [RELATION_WORDS[(place + step) % len(RELATION_WORDS)] for step in (1, 2, 3)]
    subject = without_article(first)
    text = f"Where is the {subject} in the image, seen from the {without_article(second)}?"
    choices = [f"{each.capitalize()} it" for each in (words, *others)]
    return _question(text, choices[0], choices[1:], "relation")


def _distractors(prompt: str) -> list[ProbeLevel]:
    return [
        ProbeLevel(
            label=str(count),
            value=count,
            prompt=", ".join((prompt, *DISTRACTORS[:count])),
            judged_as=prompt,
        )
        for count in range(len(DISTRACTORS))
    ]


_LEVELS: Mapping[AxisName, Callable[[str], list[ProbeLevel]]] = {
    "number": _numbers,
    "color": partial(_adjectives, words=COLOR_WORDS, asks="What color", coi="color"),
    "material": partial(_adjectives, words=MATERIAL_WORDS, asks="What material", coi="others"),
    "relation": _relations,
    "distractors": _distractors,
}
# by axis and level, the prompt in other words
_VERSIONS: Mapping[AxisName, Mapping[str, str]] = {
    "negation": {
        "no people": "{}, without any people",
        "no text": "{}, with no text in it",
        "nothing else": "{}, and nothing else",
        "not blurred": "{}, not blurred and not cut off",
    },
    "position": {
        "named first": f"{{}}, {_SETTING}",
        "named last": f"{capitalize(_SETTING)}: {{}}",
        "named between": f"{capitalize(_SETTING)}: {{}}, in sharp focus and seen from the front",
    },
    "paraphrase": {f"{frame} …": f"{frame} {{}}" for frame in FRAMES},
}


def _with_question(
    label: str, prompt: str, question: Question, value: float | None = None
) -> ProbeLevel:
    return ProbeLevel(
        label=label,
        prompt=prompt,
        value=value,
        counted=frozenset({question.text}),
        questions=(question,),
    )


def _question(text: str, right: str, wrong: Sequence[str], coi: CoI) -> Question:
    """Return a question whose right choice stands at a place that its text decides."""
    choices = list(dict.fromkeys(wrong))[:3]
    place = sum(map(ord, f"{text}{right}")) % 4
    choices.insert(place, right)
    return Question(
        text=text,
        choices=(*(choice[:1].upper() + choice[1:] for choice in choices), NONE_OF_THE_ABOVE),
        gold=LETTERS[place],
        coi=coi,
        origin=ORIGIN,
    )
