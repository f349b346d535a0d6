"""A parsed text gives its things, with their places among all phrases, and its words by place."""

from hallascope.metrics.parsing.parsed import Parsed, Phrase

TEXT = "the picture of a dog"


def phrase(name: str, *, is_thing: bool) -> Phrase:
    start = TEXT.index(name)
    span = (start, start + len(name))
    return Phrase(
        span=span, name_span=span, name=name, lemmas=(name,), head=name, is_thing=is_thing
    )


def test_only_phrases_that_name_a_thing_are_things_and_keep_their_index() -> None:
    picture, dog = phrase("picture", is_thing=False), phrase("dog", is_thing=True)
    parsed = Parsed(TEXT, (picture, dog))
    assert parsed.things == (dog,)
    assert list(parsed.indexed_things()) == [(1, dog)]
    assert parsed.text_at(dog.span) == "dog"
