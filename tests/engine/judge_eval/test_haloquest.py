"""A judge tried by HaloQuest's questions: what it invents is wrong, what is missing is named, and
people's verdicts are set beside.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from hallascope.backends.scripted import Scripted
from hallascope.cli import main
from hallascope.cli.commands import judge_trial
from hallascope.data.benchmarks.haloquest import read_haloquest
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Ask, Failure, Role, Write
from hallascope.engine.images.downloads import Downloads
from hallascope.engine.judge_eval.haloquest import BY_RULE, haloquest_items, primer_items, try_halo
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.small_pictures import png

HEADER = ",image_name,url,image type,hallucination type,question,groundtruth responses,split\n"
ROWS = (
    "0,a.png,https://b.example/a.png,generated,false premises,What color is the bee?,There is no"
    " bee.;,eval\n1,b.png,https://b.example/b.png,real,visual challenge,How many dots are"
    " there?,Three; 3,eval\n2,gone.png,https://b.example/gone.png,real,insufficient context,Whose"
    " is it?,It cannot be told.,eval\n"
)
REPLIES = {
    "What color is the bee?": "It is yellow.",
    "How many dots are there?": "There are three.",
}


def answer(ask: Ask) -> str:
    return REPLIES.get(ask.question, "There is no bee.")


def grade(write: Write) -> str:
    """Right where the reply is about dots."""
    return json.dumps(
        {
            "reply_main_point": "a",
            "reference_main_point": "b",
            "agree": "There are three." in write.text,
        }
    )


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "haloquest-eval.csv").write_text(HEADER + ROWS, encoding="utf-8")
    (tmp_path / "pictures").mkdir()
    for name in ("a.png", "b.png"):
        (tmp_path / "pictures" / name).write_bytes(png(name, 16))
    return tmp_path / "haloquest-eval.csv"


def services_on(folder: Path, writer: Callable[[Write], Any] = grade) -> Services:
    roles: dict[str, Role] = {"judge": "judge", "down": "judge", "grader": "writer"}
    judge, down, grader = (
        ModelSpec(id=f"scripted/{name}", title=name, roles=(role,), backend="scripted")
        for name, role in roles.items()
    )
    failing = Scripted(down, lambda ask: Failure("timeout", "It did not answer: ask again."))
    backends = {
        judge.id: Scripted(judge, answer),
        down.id: failing,
        grader.id: Scripted(grader, writer),
    }
    return Services(Store(folder=folder / "home"), read_models(), backends)


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    monkeypatch.setattr(judge_trial, "create_services", lambda: services_on(tmp_path))

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main.main(("judge-trial", *arguments))
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run


def halo(table: Path, *more: str) -> tuple[str, ...]:
    return (
        "--judge",
        "scripted/judge",
        "--benchmark",
        "haloquest",
        "--path",
        str(table),
        "--pictures",
        str(table.parent / "pictures"),
        *more,
    )


def test_the_released_questions_are_asked_and_graded_and_a_missing_picture_is_named(
    command: Any, table: Path
) -> None:
    code, out, _ = command(*halo(table, "--grader", "scripted/grader", "--json"))
    said = json.loads(out)
    assert code == 1  # a picture is missing
    assert [(one["source"], one["state"]) for one in said["questions"]] == [
        ("haloquest-eval.csv:2", "incorrect"),
        ("haloquest-eval.csv:3", "correct"),
        ("haloquest-eval.csv:4", "failed"),
    ]
    assert said["questions"][0]["references"] == ["There is no bee."]
    overall = said["answered"]["overall"]
    assert (overall["value"], overall["n"], overall["left_out"]) == (0.5, 2, 1)
    assert said["published"]["overall"]["value"] == pytest.approx(1 / 3)
    assert said["left_out"] == {
        "haloquest-eval.csv:4": (
            "The picture 'gone.png' is missing: put it into the folder of pictures, or allow"
            " downloads."
        )
    }
    assert said["grader"] == "scripted/grader"


def test_for_people_every_slice_has_its_interval_and_what_is_left_out_its_sentence(
    command: Any, table: Path
) -> None:
    _, out, _ = command(*halo(table))
    assert "graded by rule" in out
    for said in (
        "overall",
        "generated",
        "false premises",
        "insufficient context",
        "95 % interval",
        "'gone.png' is missing",
    ):
        assert said in out


def test_a_judge_that_is_down_has_no_score(command: Any, table: Path) -> None:
    code, out, _ = command(*halo(table, "--json", "--judge", "scripted/down"))
    overall = json.loads(out)["answered"]["overall"]
    assert (code, overall["value"], overall["left_out"]) == (1, None, 3)


def test_replies_given_elsewhere_are_graded_and_set_beside_people(
    command: Any, table: Path
) -> None:
    replies = table.parent / "replies.csv"
    replies.write_text(
        "item,reply,value\nhaloquest-eval.csv:2,There is no"
        " bee.,1\nhaloquest-eval.csv:3,four,1\nhaloquest-eval.csv:4,It cannot be"
        " told.,\nhaloquest-eval.csv:9,x,1\nhaloquest-eval.csv:4,again,1\n",
        encoding="utf-8",
    )
    code, out, _ = command(*halo(table, "--replies", str(replies), "--json"))
    said = json.loads(out)
    assert [one["state"] for one in said["questions"]] == ["correct", "incorrect", "correct"]
    assert (said["judge"], code) == ("", 1)
    assert said["agreement_with_people"] == {"value": 0.0, "agreement": 0.5, "n": 2, "left_out": 1}
    assert [(one["file"], one["row"]) for one in said["complaints"]] == [
        ("replies.csv", 5),
        ("replies.csv", 6),
    ]
    assert "Cohen's kappa" in command(*halo(table, "--replies", str(replies)))[1]


def test_a_sample_is_drawn_by_the_seed(command: Any, table: Path) -> None:
    one, again = (command(*halo(table, "--sample", "2", "--json"))[1] for _ in range(2))
    assert one == again
    assert len(json.loads(one)["questions"]) == 2


def test_the_judge_is_tried_on_primer_s_own_questions(command: Any) -> None:
    code, out, _ = command(
        "--judge", "scripted/judge", "--benchmark", "primer-halo", "--sample", "9", "--json"
    )
    said = json.loads(out)
    assert (code, said["grader"], said["answered"]["overall"]["n"]) == (0, BY_RULE, 9)
    assert set(said["answered"]["by_hallucination_type"]) == {
        "false premises",
        "visual challenge",
        "insufficient context",
    }


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--benchmark", "haloquest"), "name its file or folder with --path"),
        (("--benchmark", "haloquest", "--path", "nowhere.csv"), "cannot be opened"),
        (
            ("--benchmark", "haloquest", "--path", "x.csv", "--pictures", "nowhere"),
            "There is no folder 'nowhere'",
        ),
        (
            ("--benchmark", "primer-halo", "--judge", "scripted/judg"),
            "did you mean 'scripted/judge'?",
        ),
        (("--benchmark", "primer-halo", "--grader", "scripted/judge"), "is no writer"),
    ],
)
def test_a_wrong_request_is_exit_code_2_and_one_sentence(
    command: Any, more: tuple[str, ...], said: str
) -> None:
    code, out, err = command("--judge", "scripted/judge", *more)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_what_was_asked_is_not_asked_again(tmp_path: Path) -> None:
    services = services_on(tmp_path)
    items = list(primer_items(3, 0, tmp_path))
    for _ in range(2):
        try_halo(services, items, "scripted/judge", "scripted/grader")
    assert services.registry.backend("scripted/judge").requests == 3  # type: ignore[attr-defined]
    assert services.registry.backend("scripted/grader").requests == 3  # type: ignore[attr-defined]
    services.store.close()


def test_pictures_come_from_the_folder_first_and_else_from_the_web(
    table: Path, tmp_path: Path
) -> None:
    asked: list[str] = []

    def web(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return (
            httpx.Response(200, content=png("w", 8), headers={"content-type": "image/png"})
            if "b.png" in request.url.path
            else httpx.Response(404)
        )

    (table.parent / "pictures" / "b.png").unlink()
    (table.parent / "pictures" / "a.png").write_bytes(b"no picture")
    services = services_on(tmp_path)
    downloads = Downloads(
        tmp_path / "web",
        httpx.Client(transport=httpx.MockTransport(web)),
        lambda _: ["93.184.216.34"],
        sleep=lambda _: None,
    )
    found = list(
        haloquest_items(
            read_haloquest(table).rows,
            table.parent / "pictures",
            downloads,
            services.import_picture,
        )
    )
    assert [item.picture is not None for item in found] == [False, True, False]
    assert "'a.png' is no picture" in found[0].why
    assert "is gone from the web" in found[2].why
    assert asked == ["/b.png", "/gone.png"]
    services.store.close()
    shutil.rmtree(tmp_path / "web")
