"""Requests that are to change what others own on a public app: raw ones, to all that it offers.

The operator and a visitor leave runs, labels, tags, notes, a plan, a correction, questions and a
class set; another visitor, or a caller without a cookie, sends forged requests to every server
function and every event of the app.
"""

import json
import sqlite3
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.data.records import Question, QuestionSet
from hallascope.data.teaching.exercise import Grade
from hallascope.data.teaching.lesson import DrawnItem, as_plain, lesson, make_seal, token
from hallascope.engine.access.visitors import COOKIE, Visitor
from hallascope.engine.events import EvaluateRequest, jsonable
from hallascope.engine.image_notes import keep_note
from hallascope.engine.image_tags import TaggedImage, keep_tags
from hallascope.engine.labeling import queue
from hallascope.engine.labeling.plans import create_plan
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import LabelingPlan
from hallascope.engine.storage.people.ratings import FINE, RatingSubject

PROMPT, UNKNOWN = "a molecule of methane", "a green teapot on a shelf"
OWNER = "Ann"  # the name under which the visitor who is robbed says something
CHOICES = ("One", "Two", "Three", "Four", "None of the above")
SECONDS = 120.0  # that an answer may take
ITEM = DrawnItem(PROMPT, "hydrogens", "Five", 6)
# how fast models were here is counted for everybody
_SHARED_TABLES = ("pace", "reservation")
Payload = Mapping[str, Any]
Rows = Mapping[tuple[str, str], str]


@dataclass(frozen=True)
class Belongings:
    """Holds what the operator (`run`) and a visitor have left in the store."""

    run: str
    visitors_run: str
    key: str
    image: str
    evaluation: int
    plan: LabelingPlan
    item: str
    reading: Mapping[str, Any]
    lesson: str


# --- what is there ---


def leave_belongings(services: Services) -> Belongings:
    """Leave what others are to change, and return its names."""
    ann = services.acting_for(
        Visitor(services.signer.visitor(None, services.signer.new_cookie(), "").id)
    )
    asked = EvaluateRequest(
        prompt=PROMPT, models=("primer/exact", "primer/hasty"), judge="primer/judge"
    )
    asked = replace(asked, metrics=("ihalla", "fig"))
    runs = [
        _run(services, asked, None),
        _run(services, replace(asked, prompt="the planet Saturn"), ann.visitor),
    ]
    plan = create_plan(ann, title="Ann's study")
    item = plan.images[0].item
    # before a check of the same image, after which it may not be labeled
    queue.keep(ann, plan, item, ["A"] * 5, OWNER)
    shot = services.view(runs[0]).shots[0]
    about = TaggedImage(str(shot.image), PROMPT)
    reading = PromptReading(prompt=PROMPT, objects=(AskedObject(id="o1", name="molecule"),))
    for own, name in ((services, "The operator"), (ann, OWNER)):
        keep_tags(own.store, [TaggedImage(*about)], f"blurry {name}", name)
        keep_note(own.store, [about], "too dark", name)
        for metric in ("ihalla", "grade", "check", "fig"):
            subject = RatingSubject(about.image, metric, PROMPT, f"a finding of {name}", name)
            own.store.ratings.keep(subject, FINE)
        own.store.readings.keep(reading, name)
        question = Question(text=f"{name}?", choices=CHOICES, gold="A", coi="scene")
        prompt = UNKNOWN if name == OWNER else f"{UNKNOWN} of the operator"
        own.sets.save(QuestionSet(prompt=prompt, questions=(question,)))
    class_set = lesson("A set", [ITEM], make_seal("key"))
    ann.store.lessons.keep(class_set)
    ann.store.lessons.answer(class_set.id, 0, ITEM, OWNER, Grade(True, True))
    return Belongings(
        run=runs[0],
        visitors_run=runs[1],
        key=shot.generation,
        image=about.image,
        evaluation=plan.images[0].evaluation,
        plan=plan,
        item=item,
        reading=jsonable(reading),
        lesson=token(class_set),
    )


def _run(services: Services, request: EvaluateRequest, visitor: Visitor | None) -> str:
    events = list(services.evaluate(request, terms=SpendingPolicy(visitor=visitor)))
    return str(events[0].run)


def read_rows(home: Path) -> Rows:
    """Return every row of the store by its table and key."""
    with sqlite3.connect(next(home.glob("*.db"))) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        rows = {}
        for (table,) in tables.fetchall():
            if table in _SHARED_TABLES:
                continue
            columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
            keys = [column[0] for column in columns if column[5]]
            for row in connection.execute(f"SELECT * FROM {table}"):
                rows[table, repr([row[key] for key in keys])] = repr(row)
        return rows


# --- forged requests ---


def payloads(there: Belongings) -> Mapping[str, list[Payload]]:
    """Return by the name of a server function what is sent to it."""
    runs: list[Payload] = [{"run": there.run}, {"run": there.visitors_run}]
    viewed = {"run": there.run, "key": there.key, "metric": "ihalla", "question": 0, "mark": "B"}
    who = [
        {"rater": name, "plan": there.plan.id, "key": key, "mode": mode}
        for name, key, mode in ((OWNER, "", "questions"), ("Eve", "x" * 24, "grade"))
    ]
    others = [OWNER, "The operator", ""]
    one = [there.evaluation]
    return {
        "rename": [{**run, "name": "stolen"} for run in runs],
        "pin": [{**run, "pinned": True} for run in runs],
        "plan_deletion": runs,
        "delete": runs,
        "compare": [{**run, "other": there.run} for run in runs],
        "keep_verdict": [{**viewed, "rater": name} for name in others],
        "change_tag": [
            {**viewed, "tag": f"blurry {name}", "remove": True, "rater": name}
            for name in (OWNER.casefold(), "the operator")
        ],
        "read": [{"prompt": PROMPT}],
        "save": [{"author": name, "reading": there.reading, "edit": None} for name in others]
        + [{"who": own, "id": there.item, "answers": ["B"] * 5} for own in who]
        + [{"who": own, "id": there.item, "answers": [], "removed": [0, 1]} for own in who],
        "remove": [{"prompt": PROMPT, "author": name} for name in others],
        "change_tags": [
            {"evaluations": one, "tag": f"blurry {name}", "remove": True, "rater": name}
            for name in ("ann", "the operator")
        ],
        "keep_note": [{"evaluations": one, "note": note, "rater": OWNER} for note in ("", "bad")],
        "step": [
            {"who": own, "action": action, "id": there.item, "answers": ["B"] * 5}
            for own in who
            for action in ("keep", "skip", "undo")
        ],
        "forecast": [{"plan": there.plan.id, "rater": OWNER}],
        "check": [
            {
                "name": OWNER,
                "token": there.lesson,
                "position": 0,
                "chosen": 0,
                "item": as_plain(ITEM),
            }
        ],
        "export_sets": [{"prompt": UNKNOWN, "form": "jsonl"}],
    }


class RawVisitor:
    """Sends to an app what a script sends, once it has the cookie of the page.

    `headers` go with every request.
    """

    def __init__(self, address: str, **headers: str) -> None:
        self.client = httpx.Client(base_url=address, timeout=SECONDS, headers=headers)
        self.client.get("/")
        self.config = self.client.get("/config").json()

    def call_function(self, component: int, name: str, sent: Any) -> httpx.Response:
        """Call a server function of a component, and return the answer."""
        body = {
            "data": sent,
            "fn_name": name,
            "component_id": component,
            "session_hash": uuid.uuid4().hex,
        }
        return self.client.post("/gradio_api/component_server", json=body)

    def raise_event(
        self, handler: int, data: Sequence[Any], event: Any = None, session: str = ""
    ) -> list[Any]:
        """Raise an event, and return what it gives once it has ended: [] where it gives nothing.

        `session`: the open page that raises it, else a new one.
        """
        session = session or uuid.uuid4().hex
        body = {"data": data, "fn_index": handler, "session_hash": session, "event_data": event}
        if self.client.post("/gradio_api/queue/join", json=body).status_code != 200:
            return []
        address = f"/gradio_api/queue/data?session_hash={session}"
        with self.client.stream("GET", address) as stream:
            for line in stream.iter_lines():
                message = json.loads(line[5:]) if line.startswith("data:") else {}
                if message.get("msg") == "process_completed":
                    return list(message["output"].get("data") or [])
                if message.get("msg") == "close_stream":
                    break
        return []


class Caller(RawVisitor):
    """Sends forged requests to an app, with the cookie that it gave or without any."""

    def __init__(self, address: str, there: Belongings, *, has_cookie: bool) -> None:
        super().__init__(address)
        if not has_cookie:
            self.client.cookies.clear()
        assert (COOKIE in self.client.cookies) == has_cookie
        self._there = there
        self._payloads = payloads(there)

    def call_functions(self) -> int:
        """Send every payload to every server function of that name; return how many."""
        calls = [
            (component["id"], name, payload)
            for component in self.config["components"]
            for name in component["props"].get("server_fns") or ()
            for payload in self._payloads.get(name, [{"run": self._there.run}])
        ]
        for call in calls:
            self.call_function(*call)
        return len(calls)

    def raise_events(self) -> int:
        """Send one event to every handler that takes any, wait for its end, return how many."""
        types = {one["id"]: one for one in self.config["components"]}
        event = {
            **{"run": self._there.run, "key": self._there.key, "metric": "fig", "value": None},
            **{"about": "finding=1", "action": "remove", "prompt": UNKNOWN, "name": OWNER},
        }
        handlers = [one for one in self.config["dependencies"] if one.get("backend_fn")]
        for handler in handlers:
            data = [self._value(types[name]) for name in handler["inputs"]]
            self.raise_event(handler["id"], data, event)
        return len(handlers)

    def _value(self, component: Mapping[str, Any]) -> Any:
        """Return what a component is said to hold."""
        chosen = {"queue-plan": [self._there.plan.id], "queue-judge": ["primer/judge"]}
        name = component["props"].get("elem_id")
        values = {"textbox": OWNER, "number": 1, "checkbox": True, "html": chosen.get(name, [])}
        return values.get(component["type"])
