"""A small table of HaloQuest with its pictures, and services with a judge and a grader for it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hallascope.data.requests import Ask, Failure, Write
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.images import png
from tests.support.scripted_models import scripted, serve

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


FAILURE = Failure("timeout", "It did not answer: ask again.")


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


def services_on(folder: Path, writer: Callable[[Write], Any] = grade) -> Services:
    return serve(
        Store(folder=folder / "home"),
        scripted("scripted/judge", "judge", answer),
        scripted("scripted/down", "judge", lambda ask: FAILURE),
        scripted("scripted/grader", "writer", writer),
    )


def write_table(folder: Path) -> Path:
    """Write the table and its folder of pictures, of which the last is missing; return the table's
    path.
    """
    (folder / "haloquest-eval.csv").write_text(HEADER + ROWS, encoding="utf-8")
    (folder / "pictures").mkdir()
    for name in ("a.png", "b.png"):
        (folder / "pictures" / name).write_bytes(png(name, 16))
    return folder / "haloquest-eval.csv"
