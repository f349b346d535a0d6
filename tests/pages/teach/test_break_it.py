"""What the panel of "Break it yourself" asks of Python: drawings, answers, surprises, concepts."""

from typing import Any

import pytest

from hallascope.data.teaching.lesson import item_of
from hallascope.engine.deployment.rate_limit import PictureLimits
from hallascope.engine.services import Services
from hallascope.engine.teaching import exercises
from hallascope.pages.teach import break_it, server_functions
from hallascope.primer.teaching.alterations import read_alteration
from tests.pages.teach.conftest import EVIL


@pytest.fixture
def panel(services: Services) -> dict[str, Any]:
    return {function.__name__: function for function in break_it.functions(services)}


def test_a_newcomer_begins_with_methane_as_it_is(panel: dict[str, Any]) -> None:
    found = panel["begin"]({}, None)
    assert (found["prompt"], found["facts"], found["seed"]) == ("a molecule of methane", "", 0)
    assert (found["fault"], found["judge"]) == ("", "primer/judge")
    assert found["svg"].startswith("<svg")
    assert found["exercises"] == []


def test_counts_stand_in_their_order_with_the_true_one_marked(panel: dict[str, Any]) -> None:
    (hydrogens, centre, *_) = panel["draw"]({"concept": "methane"}, None)["switches"]
    assert [option["label"] for option in hydrogens["options"]] == ["2", "3", "4", "5", "6"]
    assert [option["label"] for option in hydrogens["options"] if option["right"]] == ["4"]
    assert hydrogens["options"][2]["words"] == "Four"
    assert centre["options"][0]["label"] == "A carbon atom (black)"
    assert centre["options"][0]["right"]


def test_an_address_opens_the_drawing_that_it_names(panel: dict[str, Any]) -> None:
    address = {"concept": "methane", "facts": "hydrogens.5_form.square", "seed": "3"}
    found = panel["begin"](address, None)
    assert {name: str(found[name]) for name in address} == address
    wrong = [
        (each["shown"], each["truth"], each["asked"]) for each in found["switches"] if each["wrong"]
    ]
    assert wrong == [("Five", "Four", True), ("Square", "Round", False)]


@pytest.mark.parametrize(
    "address",
    [{"concept": EVIL}, {"concept": "methane", "facts": EVIL}, {"seed": EVIL}],
)
def test_a_wrong_address_is_a_sentence_beside_the_first_drawing(
    panel: dict[str, Any], address: dict[str, str]
) -> None:
    found = panel["begin"](address, None)
    assert found["fault"].endswith((".", "?"))
    assert (found["concept"], found["facts"]) == ("methane", "")
    assert panel["draw"](address, None)["wrong"] == found["fault"]


def test_a_judge_that_is_not_here_is_replaced_by_the_embedded_one(panel: dict[str, Any]) -> None:
    assert panel["begin"]({"judge": "gpt-4o"}, None)["judge"] == "primer/judge"
    assert "not installed here" in panel["ask"]({"judge": "gpt-4o"}, None)["wrong"]


def test_the_judge_answers_the_asked_facts_in_their_order(panel: dict[str, Any]) -> None:
    found = panel["ask"]({"concept": "methane", "facts": "centre.red"}, None)
    outcomes = [answer["outcome"] for answer in found["answers"]]
    assert outcomes == ["false alarm", "missed", "right", "right", "right"]
    assert found["answers"][1]["answer"] == "A carbon atom (black)"


def test_a_surprise_has_an_error_that_a_question_asks_for(panel: dict[str, Any]) -> None:
    found = panel["surprise"]({}, None)
    assert any(each["wrong"] and each["asked"] for each in found["switches"])


def test_all_concepts_can_be_chosen_by_their_images(panel: dict[str, Any]) -> None:
    listed = panel["browse"]({}, None)["concepts"]
    assert len(listed) == 65
    assert all(each["image"].startswith("data:image/webp;base64,") for each in listed)
    assert [read_alteration(each["name"]).concept for each in listed] == [
        each["name"] for each in listed
    ]


def test_an_error_becomes_an_exercise_of_a_class_set(
    services: Services, panel: dict[str, Any]
) -> None:
    (entry,) = panel["draw"]({"concept": "methane", "facts": "centre.red", "seed": "2"}, None)[
        "exercises"
    ]
    assert entry["words"].startswith("a molecule of methane: Which atom is at the center")
    view = exercises.exercise_view(services, item_of(entry["item"]))
    assert view.exercise.shown == "An oxygen atom (red)"


def test_a_visitor_of_a_public_app_has_so_many_judged_drawings(
    services: Services, panel: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    services.picture_quota.limits = PictureLimits(minute=1)
    monkeypatch.setattr(server_functions, "visitor_id", lambda asker: "somebody")
    assert "answers" in panel["ask"]({}, object())
    assert "A visitor here has 1 images a minute" in panel["ask"]({}, object())["wrong"]
    assert "svg" in panel["draw"]({}, object()), "drawings alone are not counted"
