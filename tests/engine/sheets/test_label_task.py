"""Images to be labeled: each of another prompt, the same pixels without loss, on sheets with every
question.
"""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.cli.commands import label_folders, trial
from hallascope.data.files import label_folder as labels
from hallascope.engine.errors import BadRequest
from hallascope.engine.sheets.contact_sheet import COLUMN
from hallascope.engine.sheets.label_task import PlannedLabelItem, make_label_task
from hallascope.engine.trials.records import LabeledTrial
from hallascope.engine.trials.store import TrialStore
from hallascope.primer import scenes
from tests.support import label_folder

ONE, TWO = (
    PlannedLabelItem("001", "a ladybug", "primer/exact", 0),
    PlannedLabelItem("002", "two tulips", "primer/careless", 1),
)


def test_the_folder_holds_the_same_pixels_and_the_questions_of_each_prompt(
    services: Any, tmp_path: Path
) -> None:
    told: list[tuple[int, int]] = []
    made = make_label_task(services, tmp_path / "out", [ONE, TWO], lambda *now: told.append(now))
    assert told == [(0, 2), (1, 2), (2, 2)]
    assert labels.read_items(tmp_path / "out") == (list(made.items), [])
    assert [item.questions for item in made.items] == [
        scenes.parse(one.prompt).questions().questions for one in (ONE, TWO)
    ]
    path = labels.picture(tmp_path / "out", "001")
    assert made.items[0].sha256 == sha256(path.read_bytes()).hexdigest()
    (shot,) = services.store.generated_pictures(services.store.runs()[-1].id)
    with Image.open(path) as kept, Image.open(shot.path) as drawn:
        assert kept.format == "WEBP"
        assert kept.convert("RGB").tobytes() == drawn.convert("RGB").tobytes()
    assert b"ladybug" not in path.read_bytes()


def test_the_same_call_again_keeps_every_picture_and_others_are_refused_or_counted(
    services: Any, tmp_path: Path
) -> None:
    first = make_label_task(services, tmp_path, [ONE])
    odd = TWO._replace(id="003", prompt="a harbour at dawn")
    with_odd = make_label_task(services, tmp_path / "odd", [ONE, odd])
    assert ([item.id for item in with_odd.items], with_odd.failures) == (["001"], (odd,))
    with pytest.raises(BadRequest, match="No image was made"):
        make_label_task(services, tmp_path / "other", [odd])
    both = make_label_task(services, tmp_path, [ONE, TWO])
    assert both.items[0] == first.items[0]
    assert make_label_task(services, tmp_path, [ONE, TWO]) == both
    for other in (
        ONE._replace(seed=5),
        ONE._replace(prompt="two tulips"),
        ONE._replace(model="primer/hasty"),
    ):
        with pytest.raises(BadRequest, match="holds other images to be labeled"):
            make_label_task(services, tmp_path, [other])
    with (tmp_path / labels.ITEMS).open("a", encoding="utf-8") as file:
        file.write("{")
    with pytest.raises(BadRequest, match="row 3"):
        make_label_task(services, tmp_path, [ONE, TWO])


# --- the commands ---


@pytest.fixture
def command(
    services: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    from hallascope.cli import main

    for module in (label_folders, trial):
        monkeypatch.setattr(module, "create_services", lambda: services)

    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main.main([str(one) for one in arguments])
        return int(left.value.code or 0), *capsys.readouterr()

    return run


def test_from_pictures_to_a_trial_on_the_command_line(
    command: Any, services: Any, tmp_path: Path
) -> None:
    folder, typed = tmp_path / "set", tmp_path / "typed.txt"
    code, out, _ = command(
        "label", "make", folder, "--model", "primer/exact,primer/careless", "--count", 2
    )
    assert (code, out.splitlines()[0]) == (0, f"2 images with 10 questions: {folder}")
    assert command("label", "page", folder, "--out", tmp_path / "s.png", "--from", 2, "--to", 2)[
        :2
    ] == (
        0,
        f"{tmp_path / 's.png'}\n",
    )
    with Image.open(tmp_path / "s.png") as sheet:
        assert sheet.width < 2 * COLUMN
    typed.write_text("1: A A A A ?\n7: A\n", encoding="utf-8")
    code, out, _ = command("label", "page", folder, "--typed", typed, "--labeler", "ada")
    assert code == 1
    assert out.splitlines() == [
        "1 labels read from typed.txt; 1 of 2 images are labeled by ada",
        "typed.txt, row 2: there is no item '7'; the line is left out",
        f"Next: `hallascope trial --labeled {folder}`",
    ]
    code, out, _ = command("trial", "--labeled", folder, "--json")
    found = json.loads(out)
    assert (
        found["pictures"],
        found["overall"]["n"],
        found["cannot_be_told"],
        found["not_labelled"],
    ) == (1, 4, 1, 5)
    assert found["labellers"] == {"ada": 1}
    assert (
        "primer/judge on 1 images labeled by ada (1); left out: 1 cannot be told"
        in command("trial", "--labeled", folder)[1]
    )
    # both trials asked the same, so that the second stands in place of the first
    (kept,) = TrialStore(services.store.folder).all()
    assert isinstance(kept.trial, LabeledTrial)
    assert (kept.trial.judge, kept.trial.overall.asked) == ("primer/judge", 4)
    typed.write_text("1: A A A B ?\n", encoding="utf-8")
    code, out, _ = command("label", "page", folder, "--typed", typed, "--labeler", "bo")
    lines = out.splitlines()
    assert (code, lines[0]) == (0, "1 labels read from typed.txt; 1 of 2 images are labeled by bo")
    assert lines[1].startswith("ada and bo agree (ceiling): the same answer 0.750")


@pytest.mark.parametrize(
    "arguments, said",
    [
        (
            ("label", "make", "OUT", "--model", "primer/exect", "--count", "1"),
            "did you mean 'primer/exact'?",
        ),
        (("label", "page", "HERE", "--out", "sheet.txt"), "ends in .png or .webp"),
        (
            ("label", "page", "HERE", "--out", "sheet.png", "--from", "9"),
            "the folder holds 001 to 003",
        ),
        (("label", "page", "OUT", "--out", "sheet.png"), "cannot be opened"),
        (
            ("trial", "--labeled", "HERE"),
            "holds no labels: label with `hallascope label page`",
        ),
    ],
)
def test_a_wrong_request_is_one_sentence(
    command: Any, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    label_folder.write(tmp_path / "here")
    places = {"HERE": tmp_path / "here", "OUT": tmp_path / "nowhere"}
    code, out, err = command(*(places.get(one, one) for one in arguments))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
