"""Words have their kind, and those that say the same meet."""

from hallascope.metrics.scene_graph.words.attributes import choices, kind, meets, normal


def test_words_have_their_kind_and_those_that_say_the_same_meet() -> None:
    assert [kind(word) for word in ("maroon", "circular", "wooden", "old", "other")] == [
        "color",
        "shape",
        "texture",
        "state",
        None,
    ]
    assert meets("gray", "grey")
    assert meets("circular", "round")
    assert meets("fluffy", "furry")
    assert not meets("red", "blue")
    assert not meets("light blue", "green")
    assert set(choices("color", ["maroon", "gray"])) - set(choices("color")) == {"maroon"}
    assert normal("Metal") == "metallic"
