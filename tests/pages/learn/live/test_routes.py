"""The addresses of a class answer those whom they are for, and say in a sentence why not others."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from markupsafe import Markup
from starlette.testclient import TestClient

from hallascope.data.teaching.class_lesson import read_class_lessons
from hallascope.engine.access.visitors import COOKIE
from hallascope.engine.teaching import live_class
from hallascope.engine.teaching.live_class import JOIN_BURST, MAX_BYTES, LiveClasses
from hallascope.pages.learn.live.routes import KEY, PUPIL, create_pages, qr_address

LESSONS = read_class_lessons().lessons
LESSON = LESSONS[0]


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(create_pages(LiveClasses()), follow_redirects=False) as found:
        yield found


@pytest.fixture
def started(client: TestClient) -> dict[str, str]:
    """The code and the key of a class that waits for its first step."""
    reply = client.post("/class/classes", json={"lesson": LESSON.id})
    assert reply.status_code == 201
    found: dict[str, str] = reply.json()
    return found


class Pupil:
    """A pupil of a class."""

    def __init__(self, client: TestClient, code: str) -> None:
        self.client = client
        self.code = code
        reply = client.post(f"/class/{code}/join", json={})
        assert reply.status_code == 201
        self.token = reply.json()["token"]

    def state(self, etag: str = "") -> Any:
        return self.client.get(
            f"/class/{self.code}/state", headers={PUPIL: self.token, "if-none-match": etag}
        )

    def answer(self, **sent: Any) -> Any:
        return self.client.post(
            f"/class/{self.code}/answer", json=sent, headers={PUPIL: self.token}
        )


def move(client: TestClient, started: dict[str, str], step: int, phase: str = "question") -> Any:
    reply = client.post(
        f"/class/{started['code']}/move",
        json={"step": step, "phase": phase},
        headers={KEY: started["key"]},
    )
    assert reply.status_code == 200, reply.text
    return client.get(f"/class/{started['code']}/view", headers={KEY: started["key"]})


def test_every_page_of_a_lesson_is_there(client: TestClient) -> None:
    for lesson in LESSONS:
        for page in ("", "/sheet", "/key", "/start"):
            reply = client.get(f"/class/lessons/{lesson.id}{page}")
            assert reply.status_code == 200
            assert lesson.title in Markup(reply.text).unescape()
        for step in lesson.steps:
            if step.image:
                image = client.get(f"/class/lessons/images/{step.image.file}")
                assert image.headers["content-type"] == "image/webp"


def test_a_printed_sheet_leads_to_the_class_unless_only_this_computer_can_go_there(
    client: TestClient,
) -> None:
    path = f"/class/lessons/{LESSON.id}/sheet"
    sheet = client.get(path).text
    assert qr_address("http://testserver/class") in sheet
    assert "Join the class: http://testserver/class." in sheet
    assert "QR code" not in client.get(f"http://localhost{path}").text


@pytest.mark.parametrize(
    "path",
    [
        "lessons/nothing",
        "lessons/nothing/key",
        "lessons/images/lessons.json",
        "lessons/images/..%2Flessons.json",
        "BCDFGHJK/teacher",
        "BCDFGHJK/state",
        "a/b/c/d",
    ],
)
def test_what_is_not_there_is_a_sentence(client: TestClient, path: str) -> None:
    reply = client.get(f"/class/{path}")
    assert reply.status_code == 404
    assert reply.json()["error"].endswith(".")


def test_a_class_goes_through_a_step(client: TestClient, started: dict[str, str]) -> None:
    ada, ben = Pupil(client, started["code"]), Pupil(client, started["code"].lower())
    assert "You are in the class" in ada.state().json()["html"]
    assert move(client, started, 0).json()["pupils"] == [[1, 0], [2, 0]]
    assert ada.answer(step=0, choice=3, at=[0.5, 0.88]).json() == {"choice": 3, "at": [0.5, 0.88]}
    assert ben.answer(step=0, choice=0).status_code == 200

    open_view = ada.state().json()
    assert open_view["mine"] == {"choice": 3, "at": [0.5, 0.88]}
    assert "answers" not in open_view["html"].partition("<fieldset")[0]
    assert 'class="number"' not in open_view["html"], "what others say is not shown yet"
    seen = move(client, started, 0, "class").json()
    assert (seen["counts"], seen["answered"], seen["taps"]) == (
        [1, 0, 0, 1, 0, 0],
        2,
        [[0.5, 0.88]],
    )
    numbers = re.findall(r'<span class="number">(\d+)', ben.state().json()["html"])
    assert numbers == ["1", "0", "0", "1", "0", "0"]
    late = ben.answer(step=0, choice=3)
    assert late.status_code == 409
    assert "are closed" in late.json()["error"]

    assert "Drawn: Blue" not in ben.state().json()["html"]
    assert move(client, started, 0, "truth").json()["hits"] == 1
    truth = ben.state().json()["html"]
    right = Markup.escape(LESSON.steps[0].choices[3])
    assert f'<span class="words">{right}</span><span class="tag right">' in truth
    assert "Drawn: Blue. Expected: Orange." in truth
    move(client, started, len(LESSON.steps))
    assert "This was the last step" in ada.state().json()["html"]


def test_what_has_not_changed_is_not_sent_again(
    client: TestClient, started: dict[str, str]
) -> None:
    ada, ben = Pupil(client, started["code"]), Pupil(client, started["code"])
    move(client, started, 0)
    first = ada.state()
    etag = first.headers["etag"]
    ben.answer(step=0, choice=1)
    for known in (etag, f"W/{etag}"):
        again = ada.state(known)
        assert (again.status_code, again.content) == (304, b"")
    ada.answer(step=0, choice=1)
    assert ada.state(etag).status_code == 200


def test_the_teachers_key_opens_the_teachers_view_alone(
    client: TestClient, started: dict[str, str]
) -> None:
    code = started["code"]
    ada = Pupil(client, code)
    for key in ("", "wrong", ada.token):
        for ask in (
            client.get(f"/class/{code}/view", headers={KEY: key}),
            client.post(f"/class/{code}/move", json={"step": 0}, headers={KEY: key}),
            client.post(f"/class/{code}/end", json={}, headers={KEY: key}),
        ):
            assert ask.status_code == 403
            assert "for the teacher" in ask.json()["error"]
    for page in (f"/class/{code}", f"/class/{code}/teacher", f"/class/{code}/state"):
        reply = client.get(page, headers={PUPIL: ada.token})
        assert reply.status_code == 200
        assert started["key"] not in reply.text
        assert reply.headers["cache-control"] == "no-store"
        assert "set-cookie" not in reply.headers


def test_a_pupils_page_holds_nothing_of_the_lesson(
    client: TestClient, started: dict[str, str]
) -> None:
    html = client.get(f"/class/{started['code']}").text
    assert LESSON.title not in html
    assert LESSON.steps[0].image
    assert LESSON.steps[0].image.why not in html


def test_an_ended_class_is_over_for_everybody(client: TestClient, started: dict[str, str]) -> None:
    ada = Pupil(client, started["code"])
    done = client.post(f"/class/{started['code']}/end", json={}, headers={KEY: started["key"]})
    assert done.status_code == 200
    reply = ada.state()
    assert reply.status_code == 404
    assert "or it is over" in reply.json()["error"]


def test_a_code_leads_to_its_class(client: TestClient, started: dict[str, str]) -> None:
    code = started["code"]
    assert client.get("/class").status_code == 200
    assert client.get(f"/class?code=%20{code.lower()}").headers["location"] == f"class/{code}"
    assert client.get(f"/class/?code={code}").headers["location"] == f"../class/{code}"
    assert client.get(f"/class/{code.lower()}").headers["location"] == code
    for address in ("/class?code=BBBBBBBB", "/class/BBBBBBBB", "/class/%3Cscript%3E"):
        wrong = client.get(address)
        assert wrong.status_code == 404
        assert "look at the code again" in wrong.text
        assert "<script>" not in wrong.text


def test_wrong_codes_shut_nobody_out(client: TestClient, started: dict[str, str]) -> None:
    ada = Pupil(client, started["code"])
    for _ in range(70):
        assert client.get("/class/BBBBBBBB/state").status_code == 404
    assert ada.state().status_code == 200
    assert move(client, started, 0).json()["pupils"] == [[1, 0]]
    assert client.get(f"/class?code={started['code']}").status_code == 303
    Pupil(client, started["code"])


def test_a_script_that_joins_two_hundred_times_gets_no_more_places_than_a_class_has(
    client: TestClient, started: dict[str, str]
) -> None:
    ada = Pupil(client, started["code"])
    codes = [client.post(f"/class/{started['code']}/join").status_code for _ in range(200)]
    assert codes.count(201) == JOIN_BURST - 1
    assert set(codes) == {201, 429}
    again = client.post(f"/class/{started['code']}/join", headers={PUPIL: ada.token})
    assert (again.status_code, again.json()["token"]) == (201, ada.token)


def test_a_stranger_does_not_start_all_classes(client: TestClient) -> None:
    browser = {"cookie": f"{COOKIE}={'a' * 32}"}
    lesson = {"lesson": LESSON.id}
    starts = [client.post("/class/classes", json=lesson, headers=browser) for _ in range(99)]
    assert [reply.status_code for reply in starts].count(201) == live_class.MAX_OF_BROWSER
    assert "end one of them" in starts[-1].json()["error"]


def test_a_teacher_stops_joining_and_removes_a_pupil(
    client: TestClient, started: dict[str, str]
) -> None:
    code, key = started["code"], {KEY: started["key"]}
    ada, ben = Pupil(client, code), Pupil(client, code)
    for number, pupil in ((1, ada), (2, ben)):
        assert f"You are pupil {number}." in pupil.state().json()["html"]
    sent = {"open": False, "remove": [1]}
    assert client.post(f"/class/{code}/admit", json=sent).status_code == 403
    assert client.post(f"/class/{code}/admit", json=sent, headers=key).status_code == 200
    view = client.get(f"/class/{code}/view", headers=key).json()
    assert (view["pupils"], view["open"]) == ([[2, 0]], False)
    assert ben.state().status_code == 200
    for refused in (
        ada.state(),
        ada.answer(step=0, choice=0),
        client.post(f"/class/{code}/join", headers={PUPIL: ada.token}),
        client.post(f"/class/{code}/join"),
    ):
        assert refused.status_code == 410
        assert refused.json()["error"].endswith(".")


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b"\xff", b"{}" + b" " * MAX_BYTES, b'{"step": 0, "choice": NaN}']
)
def test_a_message_that_is_none_changes_nothing(
    client: TestClient, started: dict[str, str], body: bytes
) -> None:
    ada = Pupil(client, started["code"])
    move(client, started, 0)
    reply = client.post(
        f"/class/{started['code']}/answer", content=body, headers={PUPIL: ada.token}
    )
    assert reply.status_code == 400
    assert json.loads(reply.text)["error"].count(".") >= 1
    assert ada.state().json()["mine"] == {"choice": None, "at": None}
