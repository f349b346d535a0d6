"""Says in sentences where two readings of one prompt differ, that of the rules and that of a model.

They are compared as a reading is with a gold reading.
"""

from collections.abc import Iterator
from itertools import chain, count

from hallascope.data.prompt_reading import (
    PICTURE,
    AskedObject,
    Count,
    GoldObject,
    GoldReading,
    GoldRelation,
    GoldText,
    PromptReading,
)
from hallascope.metrics.reading.comparison import (
    MISSING,
    Mistake,
    compare_reading,
    pair_objects,
)
from hallascope.metrics.reading.words.language import count_words, plural

_BEGINNINGS = ("The rules read ", "The model reads ")  # of all sentences


def reading_differences(rules: PromptReading, model: PromptReading) -> tuple[str, ...]:
    """Return a sentence for each thing that the rules and a model read differently.

    Where one of them cannot read the prompt, there is nothing to compare.
    """
    if rules.unreadable or model.unreadable:
        return ()
    expected = _as_gold(rules)
    mistakes = compare_reading(expected, model).mistakes
    return (
        *_count_differences(expected, model),
        *(_sentence(mistake) for mistake in mistakes if mistake.kind != "count"),
    )


def is_reading_difference(note: str) -> bool:
    """Return whether a note on a judgment is a sentence of `reading_differences`."""
    return note.startswith(_BEGINNINGS)


def _sentence(mistake: Mistake) -> str:
    words = f"no {mistake.words}" if mistake.kind == "negation" else mistake.words
    if mistake.what == MISSING:
        return f"The rules read “{words}”, the model does not."
    return f"The model reads “{words}”, the rules do not."


# --- counts


def _count_differences(rules: GoldReading, model: PromptReading) -> Iterator[str]:
    """Yield where the number of an object differs, or whether it is one of others."""
    for key, id in pair_objects(rules, model).items():
        first, second = rules.objects[key], model.object(id)
        if first.absent or second.absent:
            continue
        if first.count != second.count:
            name = first.names[0]
            yield (
                f"The rules read {_counted(name, first.count)},"
                f" the model reads {_counted(name, second.count)}."
            )
        if bool(first.one_of) != bool(second.one_of):
            reader, other = ("rules", "model") if first.one_of else ("model", "rules")
            verb, denial = ("read", "does not") if first.one_of else ("reads", "do not")
            yield f"The {reader} {verb} “{key}” as one of several, the {other} {denial}."


def _counted(name: str, number: Count | None) -> str:
    if number is None:
        return f"no number of {plural(name)}"
    return f"{count_words(number)} {name if number.exact == 1 else plural(name)}"


# --- a reading in the form of a gold reading


def _as_gold(reading: PromptReading) -> GoldReading:
    keys = _keys(reading)
    return GoldReading(
        prompt=reading.prompt,
        stratum="",
        objects={keys[asked.id]: _gold_object(asked, keys) for asked in reading.objects},
        relations=tuple(
            GoldRelation(
                subject=keys[relation.subject],
                words=(relation.words,),
                target=keys[relation.target],
            )
            for relation in reading.relations
        ),
        texts=tuple(
            GoldText(text=text.text, on=keys[text.on] if text.on else "") for text in reading.texts
        ),
    )


def _gold_object(asked: AskedObject, keys: dict[str, str]) -> GoldObject:
    return GoldObject(
        key=keys[asked.id],
        names=(asked.name,),
        count=asked.count,
        attributes=tuple(attribute.value for attribute in asked.attributes),
        absent=asked.absent,
        one_of=keys[asked.one_of] if asked.one_of else "",
    )


def _keys(reading: PromptReading) -> dict[str, str]:
    """Return what each object is called in a sentence: its name, with a number if it is taken."""
    keys = {PICTURE: PICTURE}
    for asked in reading.objects:
        numbered = (f"{asked.name} {number}" for number in count(2))
        taken = keys.values()
        keys[asked.id] = next(key for key in chain([asked.name], numbered) if key not in taken)
    return keys
