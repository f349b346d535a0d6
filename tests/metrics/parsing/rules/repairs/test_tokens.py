"""Tags of single words are repaired: participles, and "someone", who is a person."""

from hallascope.metrics.parsing.reading import read_prompt
from tests.support.parsed_texts import things


def test_someone_is_a_person_in_the_picture() -> None:
    assert things("Someone is standing over a dirty toilet") == ["Someone", "dirty toilet"]
    assert things("Somebody rides a horse") == ["Somebody", "horse"]


def test_someone_who_did_something_before_is_not() -> None:
    assert "someone" not in things("A wall that someone has painted, and a dog")


def test_what_describes_a_noun_from_behind_is_a_participle() -> None:
    (tower, _) = read_prompt("a large clock tower lit at night with a clock").objects
    assert "lighting" not in [attribute.value for attribute in tower.attributes]


def test_plurals_that_are_tagged_as_singulars_are_of_several() -> None:
    girl, bikini = read_prompt("Two girls in bikinis walking on a beach").objects[:2]
    assert (girl.name, bikini.name) == ("girl", "bikini")


def test_how_things_were_put_somewhere_is_no_past_tense() -> None:
    reading = read_prompt("Motorcycles lined up in a row outside a restaurant")
    assert [asked.name for asked in reading.objects] == ["motorcycle", "restaurant"]
    assert [relation.words for relation in reading.relations] == ["outside"]
