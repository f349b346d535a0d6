"""Holds the prompt of FiG: its reading, with the names of the objects as the parser reads them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hallascope.data.prompt_reading import AskedObject, Count, PromptReading
from hallascope.data.regions import Span
from hallascope.metrics.reading.names import name_phrase, same_name
from hallascope.metrics.reading.parsed import Parsed, Phrase
from hallascope.metrics.reading.parser import parse
from hallascope.metrics.reading.words.language import count_words, one_spelling, plural


@dataclass(frozen=True)
class AskedPrompt:
    """Holds a reading; `names` are the names of its objects. `describing` is as in `parse`."""

    reading: PromptReading
    names: tuple[Phrase, ...]
    describing: frozenset[str] = frozenset()

    @property
    def objects(self) -> tuple[AskedObject, ...]:
        """All objects of the reading, those that must not be shown among them."""
        return self.reading.objects

    @property
    def text(self) -> Parsed:
        """The prompt (or its translation) as parsed; of one that cannot be read nothing is."""
        if self.reading.unreadable:
            return Parsed(self.reading.prompt)
        return parse(self.reading.translation or self.reading.prompt, self.describing)

    def present(self) -> Iterator[tuple[int, AskedObject]]:
        """Yield the objects that are to be shown, each with its index among all."""
        return ((at, thing) for at, thing in enumerate(self.objects) if not thing.absent)

    def groups(self, *, absent: bool = False) -> list[tuple[int, ...]]:
        """Return the objects by their names: those to be shown, or those that must not be."""
        groups: list[list[int]] = []
        for at, thing in enumerate(self.objects):
            if thing.absent != absent:
                continue
            for group in groups:
                if is_same(self.names[group[0]], self.names[at]):
                    group.append(at)
                    break
            else:
                groups.append([at])
        return [tuple(group) for group in groups]

    def index(self, id: str) -> int | None:
        """Return which of the objects has an id; None where none has."""
        ids = [thing.id for thing in self.objects]
        return ids.index(id) if id in ids else None

    def spans(self, *objects: int | None) -> tuple[Span, ...]:
        """Return where the prompt names some objects, each at its first mention."""
        return tuple(
            span for at in objects if at is not None for span in self.objects[at].spans[:1]
        )

    def count_phrase(self, at: int, count: Count) -> str:
        """Return an object with a count of it: "at least two circles"."""
        thing = self.objects[at]
        mention = self.reading.prompt[slice(*thing.spans[0])] if thing.spans else ""
        name = thing.name if count.most == 1 else plural(thing.name)
        # A phrase without a noun ("one of them") does not say the name.
        if self.reading.source == "rules" and mention[:1].casefold() == name[:1].casefold():
            name = mention
        return f"{count_words(count)} {name}"

    def values(self, at: int, words: frozenset[str]) -> dict[str, tuple[Span, ...]]:
        """Return the words of a list that describe an object, each with its places."""
        return {
            one_spelling(word): attribute.spans
            for attribute in self.objects[at].attributes
            for word in (attribute.value, *attribute.value.split())
            if word in words
        }


def asked_prompt(reading: PromptReading, describing: frozenset[str] = frozenset()) -> AskedPrompt:
    """Return the prompt of a reading. `describing` is as in `parse`.

    A name is read in the prompt where the prompt has it, as captions are; another is read alone.
    """
    prompt = AskedPrompt(reading, (), describing)
    phrases: dict[Span, Phrase] = {}
    if not reading.translation:
        phrases = {phrase.name_span: phrase for phrase in prompt.text.phrases}
    names = []
    for thing in reading.objects:
        mention = next((phrases[span] for span in thing.spans if span in phrases), None)
        is_its_name = mention is not None and mention.name == thing.name
        names.append(mention if mention and is_its_name else name_phrase(thing.name))
    return replace(prompt, names=tuple(names))


def is_same(name: Phrase, other: Phrase) -> bool:
    """Return whether two names are the same either way."""
    return same_name(name, other) and same_name(other, name)
