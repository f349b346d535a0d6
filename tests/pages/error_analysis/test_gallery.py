"""A gallery is told what is shown of images; what cannot be done is one sentence."""

from typing import Any

import pytest

from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.pages.error_analysis.gallery import (
    MOST_AT_ONCE,
    NOT_UNDERSTOOD,
    GalleryHandlers,
    server_functions,
)
from tests.pages.conftest import Judged


@pytest.fixture
def shown(judged: Judged) -> tuple[dict[str, Any], list[int]]:
    """The functions of a gallery by name, and the evaluations of a run."""
    services, _ = judged("ihalla")
    functions = {each.__name__: each for each in server_functions(GalleryHandlers(services))}
    ids = read_judged_images(services.store, ErrorSelection()).images["evaluation"].tolist()
    return functions, ids


def test_an_image_is_shown_with_its_file_and_every_answer(shown: Any) -> None:
    functions, ids = shown
    (image, *_) = functions["read_images"]({"evaluations": ids})["images"]
    assert image["src"].endswith(".webp")
    assert len(image["answers"]) == 5
    assert {kind for kind, _, _ in image["answers"]} <= {"correct", "incorrect", "left-out"}
    wrong = sum(kind == "incorrect" for kind, _, _ in image["answers"])
    assert image["verdict"].startswith(f"{wrong} of 5 wrong")


def test_tags_and_notes_are_kept_and_offered_again(shown: Any) -> None:
    functions, ids = shown
    one = ids[:1]
    changed = functions["change_tags"]({"evaluations": one, "tag": " Green  Fur ", "rater": "Ann"})
    assert changed == {"number": 1, "tag": "green fur"}
    functions["keep_note"]({"evaluations": one, "note": "It is fur.", "rater": "Ann"})
    choices = functions["read_tag_choices"]({"evaluations": one})
    assert choices["counts"] == [("green fur", 1)]
    assert choices["latest"] == ["green fur"]
    assert choices["notes"] == [{"author": "Ann", "text": "It is fur."}]
    assert len(choices["questions"]) == 5
    (image,) = functions["read_images"]({"evaluations": one})["images"]
    assert image["tags"] == ["green fur"]
    removed = {"evaluations": one, "tag": "green fur", "remove": True}
    assert functions["change_tags"](removed) == {"number": 1}


@pytest.mark.parametrize(
    ("name", "sent", "words"),
    [
        ("read_images", {"evaluations": "all"}, NOT_UNDERSTOOD),
        ("read_images", {"evaluations": [1] * (MOST_AT_ONCE + 1)}, NOT_UNDERSTOOD),
        ("change_tags", {"evaluations": [1], "tag": " "}, "The tag is empty"),
        ("change_tags", {"evaluations": [999], "tag": "blurry"}, "None of these images"),
        ("keep_note", {"evaluations": [1], "note": "x" * 1001}, "shorten it"),
        ("read_tag_choices", {}, NOT_UNDERSTOOD),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    shown: Any, name: str, sent: dict[str, Any], words: str
) -> None:
    functions, _ = shown
    assert words in functions[name](sent)["wrong"]
