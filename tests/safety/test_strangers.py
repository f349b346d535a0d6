"""Strangers at a public app, by raw requests: what they cannot store, change or pretend."""

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hallascope.data.files.question_files import write
from hallascope.data.records import Question, QuestionSet
from hallascope.engine.access.limits import MEGABYTE, TEXTS
from hallascope.engine.access.visitors import COOKIE, PROXIES
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.labeling.plans import create_plan
from hallascope.engine.services import Services, create_services
from hallascope.engine.storage.store import Store
from tests.conftest import build, dashboard
from tests.support import space_checks
from tests.support.forged_requests import (
    CHOICES,
    UNKNOWN,
    Caller,
    RawVisitor,
    leave_belongings,
    read_rows,
)
from tests.support.shipped_app import running_app

INNER = "proxy.internal.example"
TITLE = "The operator's study"


class Stranger(RawVisitor):
    """Names what it calls by the ids of the page."""

    def call(self, elem_id: str, name: str, sent: Any) -> Any:
        """Call a server function of the component with that id."""
        component = next(
            one["id"] for one in self.config["components"] if one["props"].get("elem_id") == elem_id
        )
        return self.call_function(component, name, sent).json()

    def click(self, elem_id: str, event: str = "click", **values: Any) -> list[Any]:
        """Click a button, with these values of components by their ids; return what is sent."""
        ids = {one["id"]: one["props"].get("elem_id") for one in self.config["components"]}
        button = next(number for number, name in ids.items() if name == elem_id)
        handler = next(
            one for one in self.config["dependencies"] if [button, event] in one["targets"]
        )
        data = [values.get((ids[each] or "").replace("-", "_")) for each in handler["inputs"]]
        found = self.raise_event(handler["id"], data, session=f"{id(self)}")
        assert found, "the event gives nothing"
        return found


class PublicApp(NamedTuple):
    address: str
    home: Path
    evaluation: int
    opened: ExitStack

    def stranger(self, **headers: str) -> Stranger:
        stranger = Stranger(self.address, **headers)
        self.opened.callback(stranger.client.close)
        return stranger

    def store(self) -> Store:
        store = Store(folder=self.home)
        self.opened.callback(store.close)
        return store


class Failing(BaseHTTPRequestHandler):
    """A service that fails and says where it lives."""

    def do_POST(self) -> None:
        assert isinstance(self.server, ThreadingHTTPServer)
        port = self.server.server_port
        where = f"http://127.0.0.1:{port}/v1"
        said = {"error": {"message": f"{where} and 127.0.0.1:{port} are broken"}}
        body = json.dumps(said).encode()
        self.send_response(400)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def ports() -> Iterator[Mapping[str, int]]:
    """The ports of two services by the names of their judges; on the second nobody listens."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Failing) as server, socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield {"acme/judge": server.server_port, "gone/judge": held.getsockname()[1]}
        server.shutdown()


@pytest.fixture(scope="module")
def public_app(
    tmp_path_factory: pytest.TempPathFactory, ports: Mapping[str, int]
) -> Iterator[PublicApp]:
    home = tmp_path_factory.mktemp("public")
    services: Services = build(home)
    list(services.evaluate(EvaluateRequest(prompt="a ladybug", models=("primer/exact",))))
    plan = create_plan(services, title=TITLE)
    services.store.close()
    entry = {"roles": ["judge"], "backend": "openai", "kind": "local"}
    entries = {
        name: {**entry, "title": name, "base_url": f"http://127.0.0.1:{port}/v1"}
        for name, port in ports.items()
    }
    (home / "more.yaml").write_text(json.dumps(entries))
    environment = {
        "GRADIO_TEMP_DIR": str(home / "gradio"),
        "HALLASCOPE_MODELS": str(home / "more.yaml"),
        "HALLASCOPE_PUBLIC": "1",
        "HALLASCOPE_UPLOAD_MB_A_DAY": "1",
        "OPENAI_BASE_URL": f"https://{INNER}/v1",
    }
    with pytest.MonkeyPatch.context() as patched:
        for name, value in environment.items():
            patched.setenv(name, value)
        patched.delenv(PROXIES, raising=False)
        with dashboard(home, 0.0) as address, ExitStack() as opened:
            yield PublicApp(address, home, plan.images[0].evaluation, opened)


def test_no_text_of_a_stranger_is_longer_than_its_limit(public_app: PublicApp) -> None:
    stranger = public_app.stranger()
    before = public_app.store().stored_bytes()
    said = stranger.click(
        "queue-create",
        queue_title="x" * 3_900_000,
        queue_judge="primer/judge",
        queue_raters=1,
        queue_seed=0,
    )
    most = TEXTS["labeling_plan"]["title"].most
    assert f"has 3,900,000 characters: shorten it to {most} or fewer" in json.dumps(said)
    note = {"evaluations": [public_app.evaluation], "note": "x" * 1_001, "rater": "Eve"}
    assert "shorten it to 1,000" in stranger.call("errors-grid", "keep_note", note)["wrong"]
    assert [plan.title for plan in public_app.store().labeling.plans()] == [TITLE]
    assert public_app.store().stored_bytes() < before + 1_000_000


def test_a_plan_of_a_stranger_is_in_nobody_elses_list_and_theirs_to_delete(
    public_app: PublicApp,
) -> None:
    eve, bo = public_app.stranger(), public_app.stranger()
    eve.click(
        "queue-create",
        queue_title="Eve's study",
        queue_judge="primer/judge",
        queue_raters=1,
        queue_seed=7,
    )
    (plan,) = (one for one in public_app.store().labeling.plans() if one.title == "Eve's study")
    chosen = {"chosen": plan.id}
    assert plan.id in eve.call("queue-export", "export_labels", chosen)["name"]
    board = {"results": "mine", "plan": plan.id}
    unknown = f"no labeling plan '{plan.id}'"
    assert unknown not in str(eve.click("board", "submit", board=board))
    assert unknown in str(bo.click("board", "submit", board=board)).replace("&#39;", "'")
    assert unknown in bo.call("queue-export", "export_labels", chosen)["wrong"]
    chosen = {"chosen": plan.id[:1]}
    assert plan.id not in str(bo.call("queue-export", "export_labels", chosen))
    assert "Press again" in json.dumps(eve.click("queue-delete", queue_plan=plan.id))
    assert "no labeling plan" in json.dumps(bo.click("queue-delete", queue_plan=plan.id))
    assert plan.id in [one.id for one in public_app.store().labeling.plans()]


def test_a_file_of_a_stranger_saves_no_questions(public_app: PublicApp, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    question = Question(text="What is it?", choices=CHOICES, gold="A", coi="scene")
    write([QuestionSet(prompt=UNKNOWN, questions=(question,))], file)
    stranger = public_app.stranger()
    sent = stranger.client.post(
        "/gradio_api/upload", files={"files": (file.name, file.read_bytes())}
    )
    held = {"path": sent.json()[0], "meta": {"_type": "gradio.FileData"}}
    said = stranger.click("q-import", "upload", q_import=held)
    assert public_app.store().question_sets() == []
    assert "are not taken in" in json.dumps(said)


def test_what_a_stranger_corrects_changes_no_reading_of_others(public_app: PublicApp) -> None:
    eve, bo = public_app.stranger(), public_app.stranger()
    before = bo.click("asked", "expand", prompt="a ladybug")
    *_, objects, relations, texts = eve.click("asked", "expand", prompt="a ladybug")
    objects["data"][0][0] = "zebra"
    rows = {"asked_objects": objects, "asked_relations": relations, "asked_texts": texts}
    assert "Eve" in json.dumps(eve.click("save-reading", asked_author="Eve", **rows))
    for visitor in (eve, bo):  # what is shown is read again only where the prompt changed
        visitor.click("asked", "expand", prompt="a tulip")
    assert bo.click("asked", "expand", prompt="a ladybug") == before
    assert "zebra" in json.dumps(eve.click("asked", "expand", prompt="a ladybug"))


@pytest.mark.parametrize("cookie", ["", "x" * 57, f"{'0' * 32}.{'A' * 24}"])
def test_without_a_cookie_that_was_signed_here_nobody_writes(
    public_app: PublicApp, cookie: str
) -> None:
    stranger = public_app.stranger()
    assert COOKIE in stranger.client.cookies
    stranger.client.cookies.clear()
    if cookie:
        stranger.client.cookies.set(COOKIE, cookie)
    note = {"evaluations": [public_app.evaluation], "note": "mine", "rater": "Nobody"}
    assert "who you are" in stranger.call("errors-grid", "keep_note", note)["wrong"]


def test_nothing_that_visitors_get_tells_where_a_service_lives(
    public_app: PublicApp, ports: Mapping[str, int]
) -> None:
    client = space_checks.connected(public_app.address)
    told: list[Any] = [client.predict(api_name=name) for name in ("/models", "/leaderboard")]
    # A public app does not ask what lies in a private net.
    for judge in ports:
        try:
            asked = (space_checks.PROMPT, ["primer/exact"])
            told.append(client.predict(*asked, judge=judge, api_name="/evaluate"))
        except Exception as error:  # whatever the client raises: a person reads what it says
            told.append(str(error))
    client.close()
    reasons = {model["id"]: model["reason"] for model in told[0]["models"]}
    assert reasons["gone/judge"]
    visitor = public_app.stranger().client
    paths = ("", "config", "gradio_api/info", "gradio_api/openapi.json")
    for said in [*map(str, told), *(visitor.get(path).text for path in paths)]:
        for where in (*(f":{port}" for port in ports.values()), INNER):
            assert where not in said, said[max(0, said.find(where) - 200) :][:400]


def test_uploads_end_at_the_quota_which_a_forwarded_address_or_a_new_cookie_does_not_renew(
    public_app: PublicApp,
) -> None:
    image = {"files": ("a.png", b"x" * 400_000)}
    upload = "/gradio_api/upload"
    said = [
        public_app.stranger(**{"x-forwarded-for": f"8.8.8.{number}"}).client.post(
            upload, files=image
        )
        for number in range(3)
    ]
    assert [one.status_code for one in said] == [200, 200, 429]
    assert said[-1].json()["detail"].startswith("A visitor here has 1 MB of uploads a day")
    client = public_app.stranger().client
    large = client.post(upload, files={"files": ("a.png", b"x" * (65 * MEGABYTE))})
    assert large.status_code == 413
    assert "at most 64 MB" in large.json()["detail"]
    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert client.post(upload, content=iter([b"x"]), headers=headers).status_code == 411
    uploaded = (public_app.home / "gradio").rglob("*.png")
    assert 0 < sum(path.stat().st_size for path in uploaded) < MEGABYTE


@pytest.mark.full
def test_no_forged_request_changes_what_is_anothers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path))
    services = create_services()
    there = leave_belongings(services)
    services.store.close()
    limits = ("HALLASCOPE_WRITES_A_MINUTE", "HALLASCOPE_PICTURES_A_MINUTE")
    with running_app(tmp_path, HALLASCOPE_PUBLIC="1", **dict.fromkeys(limits, "none")) as app:
        before, sent = read_rows(tmp_path), 0
        for has_cookie in (True, False):
            caller = Caller(app.address, there, has_cookie=has_cookie)
            sent += caller.call_functions() + caller.raise_events()
            caller.client.close()
            after = read_rows(tmp_path)
            assert [key for key, row in before.items() if after.get(key) != row] == []
    assert sent >= 200
