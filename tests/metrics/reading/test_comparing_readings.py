"""A reading is held against another one element by element, and nothing is counted twice."""

import re
from dataclasses import replace

from hallascope.data.prompt_reading import (
    MANY,
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    GoldObject,
    GoldReading,
    GoldRelation,
    PromptReading,
)
from hallascope.metrics.reading.comparison import ReadingComparison, compare_reading
from hallascope.metrics.reading.differences import (
    is_reading_difference,
    reading_differences,
)

# --- with a gold reading


def gold(*objects: GoldObject, **more: tuple[object, ...]) -> GoldReading:
    by_key = {each.key: each for each in objects}
    return GoldReading(prompt="-", stratum="own", objects=by_key, **more)  # type: ignore[arg-type]


def gold_object(name: str, *attributes: str, **more: object) -> GoldObject:
    fields = {"key": name, "names": (name,), "attributes": attributes} | more
    return GoldObject(**fields)  # type: ignore[arg-type]


def related(words: str, target: str = "mat") -> tuple[GoldRelation]:
    return (GoldRelation(subject="cat", words=(words,), target=target),)


def asked(id: str, name: str, *attributes: str, **more: object) -> AskedObject:
    words = tuple(map(AskedAttribute, attributes))
    return AskedObject(id=id, name=name, attributes=words, **more)  # type: ignore[arg-type]


def compare(reading: GoldReading, *objects: AskedObject, **more: object) -> ReadingComparison:
    return compare_reading(
        reading,
        PromptReading(prompt="-", objects=objects, **more),  # type: ignore[arg-type]
    )


def mistakes(comparison: ReadingComparison) -> list[tuple[str, str, str]]:
    return [(mistake.kind, mistake.what, mistake.words) for mistake in comparison.mistakes]


def kinds(comparison: ReadingComparison) -> set[str]:
    return {mistake.kind for mistake in comparison.mistakes}


CAT, MAT = gold_object("cat"), gold_object("mat")
READ = (asked("o1", "cat"), asked("o2", "mat"))


def test_a_name_has_the_words_that_the_prompt_gives_it() -> None:
    table = gold(gold_object("table", "wood"))
    assert compare(table, asked("o1", "wood table")).mistakes == []
    assert compare(table, asked("o1", "table", "wood")).mistakes == []
    comparison = compare(
        gold(gold_object("pants"), gold_object("stop sign")),
        asked("o1", "collar pants"),
        asked("o2", "sign"),
    )
    assert kinds(comparison) == {"object"}
    assert not any(element.gold and element.read for element in comparison.elements)


def test_another_count_and_something_absent_that_is_asked_for_are_mistakes() -> None:
    for expected, read in (
        (Count.exactly(2), None),
        (None, MANY),
        (Count.at_least(3), Count.exactly(3)),
    ):
        comparison = compare(
            gold(gold_object("cat", count=expected)), asked("o1", "cat", count=read)
        )
        assert kinds(comparison) == {"count"}
    hat = gold(gold_object("hat", absent=True))
    assert compare(hat, asked("o1", "hat", absent=True)).mistakes == []
    assert mistakes(compare(hat, asked("o1", "hat"))) == [("negation", "missing", "hat")]


def test_relations_are_right_either_way_round_and_an_action_by_its_verb() -> None:
    def found(expected: str, said: str, *places: str) -> list[tuple[str, str, str]]:
        read = (AskedRelation(places[0], said, places[1]),)
        target = PICTURE if places[1] == PICTURE else "mat"
        return mistakes(
            compare(gold(CAT, MAT, relations=related(expected, target)), *READ, relations=read)
        )

    assert found("left of", "right of", "o2", "o1") == []
    assert found("left of", "left of", "o2", "o1") == [
        ("position", "not asked for", "mat left of cat"),
        ("position", "missing", "cat left of mat"),
    ]
    assert found("looking at", "looking", "o1", "o2") == []
    assert {kind for kind, *_ in found("next to", "in", "o1", "o2")} == {"position"}
    assert found("left", "left", "o1", PICTURE) == []


# --- what the rules and a model read differently, in sentences

DOG = asked("o1", "dog", "brown", count=Count.exactly(2))
ON = AskedRelation("o1", "on", "o2")
RULES = PromptReading(
    prompt="two brown dogs on a mat",
    objects=(DOG, READ[1]),
    relations=(ON,),
    texts=(AskedText("HI"),),
)


def differences(**changes: object) -> tuple[str, ...]:
    sentences = reading_differences(RULES, replace(RULES, source="model", **changes))  # type: ignore[arg-type]
    assert all(map(is_reading_difference, sentences)), "else they are not shown under the chips"
    return sentences


def with_dog(**changes: object) -> tuple[str, ...]:
    return differences(objects=(replace(DOG, **changes), READ[1]))  # type: ignore[arg-type]


def test_a_number_read_otherwise_is_one_sentence_with_both() -> None:
    counts = {Count.exactly(3): "three dogs", MANY: "at least two dogs", None: "no number of dogs"}
    for count, words in counts.items():
        assert with_dog(count=count) == (f"The rules read two dogs, the model reads {words}.",)


def test_each_other_thing_is_a_sentence_that_names_who_reads_it() -> None:
    under, left = AskedRelation("o1", "under", "o2"), AskedRelation("o1", "left", PICTURE)
    cat = asked("o3", "cat")
    for sentences, *expected in (
        (with_dog(attributes=(AskedAttribute("black"),)), "rules brown dog", "model black dog"),
        (with_dog(absent=True), "model no dog"),
        (differences(texts=()), "rules hi"),
        (differences(relations=(under,)), "model dog under mat", "rules dog on mat"),
        (differences(relations=(ON, left)), "model dog left picture"),
        (differences(objects=(*RULES.objects, cat)), "model cat"),
    ):
        pattern = re.compile(r"The (\w+) reads? “(.*)”, the \w+ do")
        found = [match.groups() for match in map(pattern.match, sentences) if match]
        assert [" ".join(words) for words in found] == expected
