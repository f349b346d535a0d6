"""Makes the elements that TIFA's questions are about from a reading of the prompt.

A person or a model read the prompt then, in place of the rules of `elements`.
"""

from collections.abc import Iterator

from hallascope.data.lexicon import noun_forms
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.metrics.parsing.words import language
from hallascope.metrics.tifa.elements import (
    MOST,
    RELATIONS,
    Elements,
    PromptThing,
    ThingRelation,
)

_ARTICLES = {"a": "a", "an": "a", "some": "a", "one": "a", "the": "the"}


def elements_of_reading(reading: PromptReading) -> Elements:
    """Return the things of a reading, none twice, and the relations that have a question.

    An object that may be missing ("at most two cats") has no question, and so is left out.
    """
    things: dict[str, PromptThing] = {}
    thing_by_id: dict[str, PromptThing] = {}
    for named in reading.objects:
        if named.count is not None and named.count.least == 0 and not named.absent:
            continue
        thing = _prompt_thing(reading, named)
        name = thing.singular.casefold()
        if name not in things and len(things) == MOST:
            continue
        thing_by_id[named.id] = things.setdefault(name, thing)
    return Elements(tuple(things.values()), tuple(_relations(reading, thing_by_id)))


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
