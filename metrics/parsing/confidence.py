"""Says how sure the rules are of a reading: how many of the prompt's words they account for.

A word is accounted for where it stands in a phrase, a position, an action, a text or words of
style, or where it says nothing by itself (articles, "is", "sitting" before a place). Prompts with
words that no rule reads are read wrong more often; `parser-eval` prints how much more often.
"""

import re
from collections.abc import Iterator

from hallascope.data.prompt_reading import PromptReading
from hallascope.data.regions import Span
from hallascope.metrics.parsing.parsed import Parsed
from hallascope.metrics.parsing.words.language import gerund, wordset
from hallascope.metrics.parsing.words.verb_words import MOTION_VERBS, POSTURE_VERBS

# below this share of words, a reading is told to be doubtful
LEAST_CONFIDENCE = 0.95
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_EMPTY_WORDS = wordset("""
    a an the this that these those and or but nor if then is are was were be been being am has have
    had do does did there it its it's his her their he she they them him my your our we you i who
    which whose that while when where very so too also just only even as of to not no with without
    neither none nobody nothing missing lacking instead each both all other up down out together for
    next except than one sat stood lay lain hung stuck set made written reads says here ran flew
    swam rode drove ran sank rose fell
""")
_MOST_WORDS_TOLD = 6


def find_unread(parsed: Parsed) -> tuple[Span, ...]:
    """Return the places of the words that no rule accounts for."""
    read = {place for span in _read_spans(parsed) for place in range(*span)}
    return tuple(word.span() for word in _carrying_words(parsed.text) if word.start() not in read)


def share_read(parsed: Parsed, unread: tuple[Span, ...]) -> float:
    """Return the share in [0, 1] of the words that say something for which a rule accounts."""
    words = sum(1 for _ in _carrying_words(parsed.text))
    return 1 - len(unread) / words if words else 1.0


def doubt(reading: PromptReading) -> str:
    """Return a sentence where the rules are not sure of a reading, "" where they are."""
    if reading.unreadable or reading.confidence >= LEAST_CONFIDENCE:
        return ""
    words = [f"“{reading.prompt[slice(*span)]}”" for span in reading.unread]
    more = " and more" if len(words) > _MOST_WORDS_TOLD else ""
    return (
        f"No rule reads {', '.join(words[:_MOST_WORDS_TOLD])}{more} in the prompt (confidence"
        f" {reading.confidence:.2f}), so what it asks for may be read wrong."
    )


def _carrying_words(text: str) -> Iterator[re.Match[str]]:
    """Yield the words that say something by themselves; adverbs in -ly say how."""
    for word in _WORD.finditer(text):
        lower = word[0].lower()
        if lower not in _CARRYING_NOTHING and not lower.endswith("ly"):
            yield word


def _verb_forms(verb: str) -> Iterator[str]:
    doubled = gerund(verb).removesuffix("ing")
    yield from (verb, f"{verb}s", f"{verb}es", gerund(verb), f"{doubled}ed", f"{verb}d")


_CARRYING_NOTHING = _EMPTY_WORDS.union(
    form for verb in POSTURE_VERBS | MOTION_VERBS for form in _verb_forms(verb)
)


def _read_spans(parsed: Parsed) -> Iterator[Span]:
    for phrase in parsed.phrases:
        yield phrase.span
        if phrase.count_span is not None:
            yield phrase.count_span
        yield from (word.span for word in phrase.modifiers)
    yield from (position.span for position in parsed.positions)
    yield from (action.span for action in parsed.actions)
    yield from (quote.span for quote in parsed.quotes)
    yield from (words.span for words in parsed.style if words.span is not None)
