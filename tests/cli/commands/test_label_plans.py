"""`hallascope label plan`, `plans`, `queue`, `progress`, `raters`, `export` and `import`, from a
plan to its report, here and elsewhere.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.exchanged_plans import OTHER_NAME, SECRET_NAME, build_labeled
from tests.support.labeling_store import build


@pytest.fixture
def plan(command: Any, tmp_path: Path) -> str:
    """The id of a plan of 12 prompts by two models."""
    build(tmp_path / "home").store.close()  # where the command keeps its store
    made = command("label", "plan", "--title", "What people see", "--raters", "2", "--json")
    assert made.code == 0
    return str(made.json["id"])


def test_a_plan_says_its_frame_and_how_to_label_it(command: Any, plan: str) -> None:
    again = command("label", "plan", "--title", "What people see", "--raters", "2")
    lines = again.out.splitlines()
    assert lines[0] == f"plan {plan}"
    assert ["m/one", "12", "12"] in [line.split() for line in lines]
    assert "24 images judged by j/one, random design, seed 0, 2 raters an image" in again.out
    assert lines[-1] == f"Label it: hallascope label queue {plan} --rater NAME"


def test_plans_are_listed(command: Any, plan: str) -> None:
    (listed,) = command("label", "plans", "--json").json
    assert (listed["id"], listed["images"], listed["judge"]) == (plan, 24, "j/one")
    assert listed["strata"] == {name: {"prompts": 12, "images": 12} for name in ("m/one", "m/two")}
    assert plan in command("label", "plans").out


def test_without_a_plan_it_says_how_to_make_one(command: Any) -> None:
    assert "make one with `hallascope label plan`" in command("label", "plans").out


def test_the_queue_shows_what_is_next_and_why_and_neither_model_nor_answers(
    command: Any, plan: str
) -> None:
    shown = command("label", "queue", plan, "--rater", "Ann")
    assert shown.out.startswith("Image 1: ")
    assert "1. color?\n   A) Yes\n   B) No" in shown.out
    assert "Why: random within its model: image 1 of 12." in shown.out
    assert not re.search("m/(one|two)", shown.out)
    found = command("label", "queue", plan, "--rater", "Ann", "--json")
    assert found.json["next"]["questions"][0] == {"question": "color?", "choices": ["Yes", "No"]}
    assert not re.search("m/(one|two)", found.out)
    assert "gold" not in found.out


def test_images_are_labeled_skipped_and_taken_back_from_the_terminal(
    command: Any, plan: str
) -> None:
    def queue(answer: str, rater: str = "Ann") -> str:
        result = command("label", "queue", plan, "--rater", rater, "--answer", answer)
        assert result.code == 0
        return str(result.out)

    assert queue("a, ?").startswith("Image 1 is labeled.\n\nImage 2: ")
    assert queue("skip").startswith("Image 2 is skipped.\n\nImage 3: ")
    assert queue("Undo").startswith("Taken back; it is next again.\n\nImage 2: ")
    queue("BB")
    queue("AB", "Bo")
    raters = command("label", "raters", plan, "--json").json
    assert [(one["rater"], one["labeled"]) for one in raters["raters"]] == [("Ann", 2), ("Bo", 1)]
    assert raters["ceiling"]["n"] == 1
    progress = command("label", "progress", plan, "--json").json
    assert (progress["labeled"], progress["finished"], progress["frame"]) == (2, 1, 24)


def test_progress_and_raters_are_printed_for_people(command: Any, plan: str) -> None:
    before = command("label", "raters", plan)
    assert before.out == f"No image of the plan {plan} has been labeled or skipped yet.\n"
    for _ in range(20):
        command("label", "queue", plan, "--rater", "Ann", "--answer", "AB")
    progress = command("label", "progress", plan)
    assert f"plan {plan}: 20 of 24 images labeled, 0 by as many raters as planned" in progress.out
    (row,) = (line.split() for line in progress.out.splitlines() if line.startswith("m/one "))
    assert row[1:3] == ["1.000", "0.500"]
    assert row[-4:] == ["10", "of", "12", "0"]
    assert "m/one: ±0." in progress.out
    raters = command("label", "raters", plan[:6])
    assert "Each rater against the others (the human ceiling): no question has two" in raters.out
    assert "j/one against each rater: same 0.500" in raters.out


def test_when_nothing_is_left_it_says_so(command: Any, plan: str) -> None:
    for _ in range(24):
        command("label", "queue", plan, "--rater", "Ann", "--answer", "AA")
    end = command("label", "queue", plan, "--rater", "Ann")
    assert end.out == "Nothing is left to label for this rater.\n"
    assert command("label", "queue", plan, "--rater", "Ann", "--json").json["next"] is None
    refused = command("label", "queue", plan, "--rater", "Ann", "--answer", "AA")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == f"Nothing is left to label in the plan {plan} for Ann.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("queue", "PLAN", "--rater", "Ann", "--answer", "AX"), "'X' is none of A, B, C, D, E, ?"),
        (("queue", "PLAN", "--rater", "Ann", "--answer", "A"), "there are 1 marks and 2 questions"),
        (("queue", "PLAN", "--rater", "Ann", "--answer", "AC"), "give each a mark"),
        (("queue", "PLAN", "--rater", "Ann", "--answer", "undo"), "Ann has labeled and skipped"),
        (("queue", "PLAN", "--rater", " "), "type your name"),
        (("queue", "zz", "--rater", "Ann"), "There is no labeling plan 'zz'"),
        (("progress", "zz"), "There is no labeling plan 'zz'"),
        (("raters", "zz"), "There is no labeling plan 'zz'"),
        (("plan", "--design", "best"), "There is no design 'best': take random or active."),
        (("plan", "--models", "m/none"), "No image of m/none that j/one judged"),
        (("plan", "--raters", "9"), "take 1 to 5"),
    ],
)
def test_a_wrong_request_is_one_sentence(
    command: Any, plan: str, arguments: tuple[str, ...], words: str
) -> None:
    result = command("label", *(part.replace("PLAN", plan) for part in arguments))
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert words in result.err


def test_the_leaderboard_counts_the_labels_of_a_plan_by_their_probabilities(
    command: Any, plan: str
) -> None:
    for _ in range(20):
        assert command("label", "queue", plan, "--rater", "Ann", "--answer", "BA").code == 0
    found = command("leaderboard", "--plan", plan, "--json").json
    rows = found["corrected_by_people"]
    assert [row["labeled"] for row in rows] == [10, 10]
    assert all(row["score"]["value"] == pytest.approx(0.5) for row in rows)
    assert found["correction_by_people"]["sampling"].startswith("The labeled prompts were drawn")
    refused = command("leaderboard", "--plan", plan, "--labels", "elsewhere")
    assert refused.code == 2
    assert "give one of them" in refused.err
    refused = command("leaderboard", "--plan", "nothing")
    assert "There is no labeling plan 'nothing'" in refused.err


# --- export and import ---


@pytest.fixture
def exchanged(command: Any, tmp_path: Path) -> str:
    """The id of a plan that two raters labeled."""
    services, plan = build_labeled(tmp_path / "home")
    services.store.close()
    return plan.id


def texts_of(folder: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in folder.iterdir() if path.is_file())


def test_an_exported_plan_gives_the_same_corrected_leaderboard_in_another_store(
    command: Any, exchanged: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    boards = [
        ("leaderboard", "--corrected", "--json"),
        ("leaderboard", "--plan", exchanged, "--json"),
    ]
    before = [command(*words).json for words in boards]
    assert before[0]["corrected_by_people"][0]["score"]
    sent = command("label", "export", exchanged[:6], out)
    assert sent.code == 0
    assert f"the plan {exchanged} with 32 images, 32 labels and 7 skipped by 2 raters" in sent.out
    assert "With 16 runs.\nRaters stand in it as rater 1 and so on: --with-names" in sent.out

    (tmp_path / "home").rename(tmp_path / "sender")
    came = command("label", "import", out)
    assert came.code == 0
    assert came.out.splitlines()[:2] == [
        f"plan {exchanged}: 32 images; 39 labels came in, 0 were here already.",
        "16 runs and 32 evaluations came with it.",
    ]
    assert "32 images cannot be shown to raters here" in came.out
    after = [command(*words).json for words in boards]
    keys = ("corrected_by_people", "correction_by_people", "rows")
    assert [[one[key] for key in keys] for one in after] == [
        [one[key] for key in keys] for one in before
    ]
    assert [one["id"] for one in command("label", "plans", "--json").json] == [exchanged]
    again = command("label", "import", out, "--json").json
    assert (again["labels"], again["there"], again["faults"]) == (0, 39, [])


def test_raters_are_named_only_with_a_switch(command: Any, exchanged: str, tmp_path: Path) -> None:
    command("label", "export", exchanged, tmp_path / "out")
    text = texts_of(tmp_path / "out")
    assert "rater 1" in text
    assert SECRET_NAME not in text
    named = command("label", "export", exchanged, tmp_path / "named", "--with-names", "--json").json
    assert (named["named"], named["raters"]) == (True, 2)
    text = texts_of(tmp_path / "named")
    assert SECRET_NAME in text
    assert f'"{OTHER_NAME}"' in text
    assert "rater 1" not in text


def test_what_cannot_be_exported_or_imported_is_one_sentence(
    command: Any, exchanged: str, tmp_path: Path
) -> None:
    def refused(*words: object) -> str:
        result = command("label", *words)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        return str(result.err)

    out = tmp_path / "out"
    command("label", "export", exchanged, out)
    assert "holds something already" in refused("export", exchanged, out)
    assert "There is no labeling plan 'zz'" in refused("export", "zz", tmp_path / "other")
    assert "leave --no-runs out" in refused("export", exchanged, out, "--images", "--no-runs")
    assert "name the folder that `hallascope label export` wrote" in refused("import", tmp_path)
    (out / "plan.json").write_text("<script>", encoding="utf-8")
    assert "plan.json' is no JSON" in refused("import", out)
