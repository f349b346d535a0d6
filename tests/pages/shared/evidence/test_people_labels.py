"""Verdicts and tags of people are kept in the store, with a sentence where they cannot be."""

from typing import Any

import pytest

from hallascope.engine.image_tags import image_tags
from hallascope.engine.ratings import CHECK
from hallascope.engine.storage.people.ratings import QUESTION
from hallascope.pages.shared.evidence.all_metrics import all_metrics_exhibit
from hallascope.pages.shared.evidence.people_labels import server_functions
from tests.pages.conftest import Judged


def sent(view: Any, **changes: Any) -> dict[str, Any]:
    shot = view.shots[0]
    request = {"run": view.run, "key": shot.generation, "metric": "ihalla", "question": 0}
    return {**request, "mark": "B", "rater": "Ann", **changes}


def test_a_verdict_is_kept_as_one_that_was_given_with_the_judge_in_sight(judged: Judged) -> None:
    services, view = judged("ihalla")
    keep_verdict, _ = server_functions(services)
    question = view.questions[0]
    reply = keep_verdict(sent(view))
    assert question.choices[1] in reply["html"]
    (rating,) = services.store.ratings.all()
    assert rating.subject.metric == CHECK, "no correction of scores counts it"
    assert rating.subject.finding == f"{QUESTION}{question.text}"
    assert (rating.subject.rater, rating.value) == ("Ann", question.choices[1])
    shown = all_metrics_exhibit(services, view, view.shots[0])
    assert "<b>Ann</b>" in shown.groups[0].body


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rater": " "}, "type your name"),
        ({"question": 99}, "no question of this image"),
        ({"question": "0"}, "no question of this image"),
        ({"mark": "Z"}, "no question of this image"),
        ({"mark": None}, "no question of this image"),
        ({"metric": "fig"}, "no question of this image"),
        ({"run": "nothing"}, "No run"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_a_sentence(
    judged: Judged, changes: dict[str, Any], words: str
) -> None:
    services, view = judged("ihalla")
    keep_verdict, _ = server_functions(services)
    assert words in keep_verdict(sent(view, **changes))["wrong"]
    assert services.store.ratings.all() == []


def test_tags_are_added_and_removed(judged: Judged) -> None:
    services, view = judged("ihalla")
    _, change_tag = server_functions(services)
    shot = view.shots[0]
    assert "blurry" in change_tag(sent(view, tag="Blurry"))["html"]
    assert image_tags(services.store, str(shot.image), view.request.prompt) == ("blurry",)
    assert all_metrics_exhibit(services, view, shot).tags == ("blurry",)
    assert change_tag(sent(view, tag="blurry", remove=True))["html"] == ""
    assert "empty" in change_tag(sent(view, tag=""))["wrong"]
