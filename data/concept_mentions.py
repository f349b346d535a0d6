"""Finds where a prompt names a concept, and puts the concept's definition behind the name."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from hallascope.data.concepts import ConceptRef
from hallascope.data.regions import Span

# words that a prompt may leave out of a name: "a Samoyed" is the samoyed dog, "lasagna" the plate
# of lasagna
_KINDS = "dog|cat|horse|bird|fish|hat|bag|cheese"
_SERVED = re.compile(r"(?:plate|bowl|cup|glass|piece|slice) of (?=\w)", re.IGNORECASE)
_KIND = re.compile(rf" (?:{_KINDS})$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:an?|the) ", re.IGNORECASE)
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")
_JOINTS = r"[\s_\-‐‑–]+"  # what may stand between two words of a name
# what belongs to a name and stands behind it: "aardvark(animal)", "Setter's"
_AFTER = re.compile(r"\s?\([^()\s]{1,24}\)|['’]s\b|['’](?=\s)")


class InjectedPrompt(NamedTuple):
    """Holds a prompt with definitions, and the concepts not mentioned or without a definition."""

    prompt: str
    left_out: tuple[str, ...]


def spoken_name(name: str) -> str:
    """Return a concept's name as it is said.

    For example, "beagle_dog" is "beagle dog" and "bongo(animal)" is "bongo".
    """
    plain = " ".join(name.replace("_", " ").split())
    return _QUALIFIER.sub("", plain) or plain


def inject(prompt: str, concepts: Sequence[ConceptRef]) -> InjectedPrompt:
    """Put each concept's definition in brackets behind its first mention (paper, section 5.1).

    This is text-knowledge injection.

    Upper and lower case, `_` for a space, the plural, and a kind that the prompt leaves out
    ("Samoyed" for the samoyed dog) do not matter. A name within a longer one is no mention: "fox"
    is not where the prompt says "red fox" and both are concepts.
    """
    spans = mentions(prompt, concepts)
    text = prompt
    left_out = []
    for concept, span in sorted(
        zip(concepts, spans, strict=True),
        key=lambda pair: pair[1][1] if pair[1] else -1,
        reverse=True,
    ):
        definition = " ".join(concept.definition.split())
        if span and definition:
            text = f"{text[: span[1]]} ({definition}){text[span[1] :]}"
        else:
            left_out.append(concept.name)
    return InjectedPrompt(
        text, tuple(concept.name for concept in concepts if concept.name in left_out)
    )


def definitions(prompt: str, injected: str, concepts: Sequence[ConceptRef]) -> list[str] | None:
    """Return the definitions that somebody else injected, in the order of the concepts.

    None where they cannot be told apart.

    What `injected` has beyond `prompt` must be texts in brackets, at most one for each concept;
    they belong to the last name before.
    """
    inserted = _inserted(prompt, injected)
    if inserted is None:
        return None
    spans = mentions(prompt, concepts)
    by_concept = [""] * len(concepts)
    for place, definition in inserted:
        nearest = [
            at for at, span in enumerate(spans) if span and span[0] < place and not by_concept[at]
        ]
        if not nearest and len(concepts) > 1:
            return None
        by_concept[max(nearest, key=lambda at: (spans[at] or (0, 0))[0]) if nearest else 0] = (
            definition
        )
    return by_concept


def _inserted(prompt: str, injected: str) -> list[tuple[int, str]] | None:
    """Return where in the prompt a text in brackets was put, and that text.

    None where the two differ otherwise. Spaces do not count.
    """
    texts: list[tuple[int, str]] = []
    here = 0
    there = 0
    while there < len(injected):
        end = _closing(injected, there)
        if end and injected[there:end] != prompt[here : here + end - there]:
            texts.append((here, " ".join(injected[there + 1 : end - 1].split())))
            there = end
        elif here < len(prompt) and prompt[here] == injected[there]:
            here = here + 1
            there = there + 1
        elif injected[there].isspace():
            there += 1
        elif here < len(prompt) and prompt[here].isspace():
            here += 1
        else:
            return None
    return texts if not prompt[here:].strip() else None


def _closing(text: str, start: int) -> int | None:
    """Return the place behind the bracket that closes the one at `start`.

    None where none stands there, or none closes it.
    """
    depth = 0
    for place in range(start, len(text) if text[start] == "(" else start):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if not depth:
            return place + 1
    return None


def mentions(text: str, concepts: Sequence[ConceptRef]) -> list[Span | None]:
    """Return where each concept is named first, in their order; None where it is not.

    Longer names go first, and none overlap.
    """
    spans: dict[int, Span] = {}
    for place in sorted(range(len(concepts)), key=lambda at: -len(spoken_name(concepts[at].name))):
        for pattern in _patterns(concepts[place].name, concepts[place].phrase):
            free = (
                match.span()
                for match in pattern.finditer(text)
                if not _overlaps_any(match.span(), spans.values())
            )
            if span := next(free, None):
                behind = _AFTER.match(text, span[1])
                spans[place] = (span[0], behind.end() if behind else span[1])
                break
    return [spans.get(place) for place in range(len(concepts))]


def _overlaps_any(span: Span, others: Iterable[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


@cache
def _patterns(name: str, phrase: str) -> tuple[re.Pattern[str], ...]:
    """Return the whole name, then how sentences call it, then what is left of it in a prompt."""
    whole = spoken_name(name)
    bare = _SERVED.sub("", whole, count=1)
    forms = dict.fromkeys((whole, _ARTICLE.sub("", phrase), bare, _KIND.sub("", bare)))
    return tuple(pattern for form in forms if (pattern := _pattern(form)))


def _pattern(form: str) -> re.Pattern[str] | None:
    words = [word for word in re.split(_JOINTS, form) if word]
    if not words:
        return None
    inner = _JOINTS.join(map(_word, words))
    return re.compile(rf"(?<!\w){inner}(?!\w)", re.IGNORECASE)


# the ending of a singular, and the pattern of singular and plural
_ENDINGS = (
    ("us", "(?:us(?:es)?|i)"),
    ("man", "m[ae]n"),
    ("fe", "(?:fe|ves)"),
    ("f", "(?:fs?|ves)"),
)


def _word(word: str) -> str:
    """Return the pattern of a word of a name in singular or plural.

    Typographic apostrophes are plain ones.
    """
    plain = re.sub("['’]", "['’]", re.escape(word))
    if not word[-1].isalpha():
        return plain
    if re.search(r"[^aeiou]y$", word, re.IGNORECASE):
        return f"{plain[:-1]}(?:y|ies)"
    both = next(
        (
            f"{plain[: -len(end)]}{either}"
            for end, either in _ENDINGS
            if word.casefold().endswith(end)
        ),
        None,
    )
    return both or f"{plain}(?:e?s)?"
