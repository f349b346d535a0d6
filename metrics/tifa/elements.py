"""Makes the elements that TIFA's questions are about from the reading of a prompt.

They are things, their numbers and colors, and how they stand to each other. Rules, a model or a
person read the prompt.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hallascope.data.lexicon import NamedThing, noun_forms
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.metrics.reading.words import language

MOST = 8  # things a prompt is asked about
# The relations that have a question, and how the question words them.
RELATIONS: dict[str, str] = {
    "to the left of": "to the left of",
    "to the right of": "to the right of",
    "left of": "to the left of",
    "right of": "to the right of",
    "in front of": "in front of",
    "on top of": "on",
    "next to": "next to",
    "beside": "next to",
    "near": "next to",
    "above": "above",
    "over": "above",
    "below": "below",
    "under": "under",
    "underneath": "under",
    "beneath": "under",
    "behind": "behind",
    "inside": "in",
    "on": "on",
    "in": "in",
}
_ARTICLES = {
    **dict.fromkeys(("a", "an", "another", "one", "no", "any", "without"), "a"),
    "some": "some",
    "the": "the",
}


@dataclass(frozen=True, kw_only=True)
class PromptThing:
    """Holds a thing of the prompt.

    `name` as the prompt says it; `many`: more than one; `count` where a number stands before it,
    or things of one name were joined. `article` is "a", "some", "the", or "" where the prompt has
    none. `known` where the lexicon has it.
    `absent`: the prompt says that it is not there ("without a hat", "no hat").
    """

    name: str
    many: bool = False
    count: int | None = None
    color: str | None = None
    article: str = ""
    known: NamedThing | None = None
    absent: bool = False

    @property
    def singular(self) -> str:
        """Return the name of one of them, without article."""
        if self.known:
            return self.known.name
        first, space, last = self.name.rpartition(" ")
        return f"{first}{space}{language.singular(last)}" if self.many else self.name

    @property
    def plural(self) -> str:
        """Return the name of several, without article."""
        if self.known:
            return self.known.plural
        return self.name if self.many else language.plural(self.name)

    @property
    def name_phrase(self) -> str:
        """Return the name as a question uses it."""
        return self.plural if self.many else self.singular


@dataclass(frozen=True)
class ThingRelation:
    """Holds how the first of two things stands to the second, in words of `RELATIONS`."""

    first: PromptThing
    words: str
    second: PromptThing


@dataclass(frozen=True)
class Elements:
    """Holds the things of a prompt in order, none twice, and the relations between neighbors."""

    things: tuple[PromptThing, ...]
    relations: tuple[ThingRelation, ...]


def elements_of_reading(reading: PromptReading) -> Elements:
    """Return the things of a reading, none twice, and the relations that have a question.

    An object that may be missing ("at most two cats") has no question, and so is left out; so is
    one that is to be there in another place ("a man without a hat beside a man with a hat").
    """
    things: dict[str, PromptThing] = {}
    name_by_id: dict[str, str] = {}
    asked_for = {named.name.casefold() for named in reading.objects if not named.absent}
    for named in reading.objects:
        if named.name.casefold() in asked_for if named.absent else named.is_optional:
            continue
        thing = _prompt_thing(reading, named)
        name = thing.singular.casefold()
        if name not in things and len(things) == MOST:
            continue
        first = things.setdefault(name, thing)
        if first is not thing and not named.one_of:
            things[name] = _joined(first, thing)
        name_by_id[named.id] = name
    thing_by_id = {id: things[name] for id, name in name_by_id.items()}
    return Elements(tuple(things.values()), tuple(_relations(reading, thing_by_id)))


def _joined(thing: PromptThing, other: PromptThing) -> PromptThing:
    """Return two things of one name as one: with their number, and the color that both have."""
    number, others = _number(thing), _number(other)
    return replace(
        thing,
        count=number + others if number and others else None,
        color=thing.color if thing.color == other.color else None,
    )


def _number(thing: PromptThing) -> int | None:
    """Return how many a thing is; "a ball" is one, "some snow" has no number."""
    return thing.count or (1 if thing.article == "a" and not thing.many else None)


def _prompt_thing(reading: PromptReading, asked: AskedObject) -> PromptThing:
    noun = noun_forms().get(asked.name.casefold())
    is_many = asked.count is not None and (asked.count.most is None or asked.count.most > 1)
    colors = (attribute.value for attribute in asked.attributes)
    return PromptThing(
        name=language.plural(asked.name) if is_many and noun is None else asked.name,
        many=is_many,
        count=None if asked.count is None or asked.absent else asked.count.exact,
        color=next((color for color in colors if color in language.COLORS), None),
        article="" if noun else _article(reading, asked),
        known=noun.thing if noun else None,
        absent=asked.absent,
    )


def _article(reading: PromptReading, asked: AskedObject) -> str:
    """Return the article before the first mention, "a" where there is a number or no mention.

    Only words that describe the object stand between the two.
    """
    if asked.count_spans or not asked.spans:
        return "a"
    described = {word for attribute in asked.attributes for word in attribute.value.split()}
    start, _ = asked.spans[0]
    for word in reversed(reading.prompt[:start].casefold().split()):
        if word.strip(",") not in described:
            return _ARTICLES.get(word, "")
    return ""


def _relations(
    reading: PromptReading, thing_by_id: dict[str, PromptThing]
) -> Iterator[ThingRelation]:
    for relation in reading.relations:
        words = RELATIONS.get(relation.words)
        first = thing_by_id.get(relation.subject)
        second = thing_by_id.get(relation.target)
        if not words or first is None or second is None or first == second:
            continue
        if not (first.absent or second.absent):
            yield ThingRelation(first, words, second)
