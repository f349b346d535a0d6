"""Tests how errors of a scene graph are printed."""

import pytest

from hallascope.cli.output.graphs import _describe_error as describe
from hallascope.data.graphs import GraphError


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (GraphError(type="omission", subject="a dog", asked="a dog", seen=""), "a dog"),
        (GraphError(type="extraneous", subject="a cat", asked="", seen="a cat"), "a cat"),
        (
            GraphError(type="attribute", subject="a car", asked="red", seen="blue"),
            "red -> blue",
        ),
        (
            GraphError(type="relation", subject="a car", asked="left of", seen=""),
            "left of -> nothing seen",
        ),
    ],
)
def test_an_error_sets_what_was_asked_beside_what_is_seen(error: GraphError, words: str) -> None:
    assert describe(error) == words
