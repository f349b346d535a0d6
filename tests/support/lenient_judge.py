"""A judge that finds nothing wrong, and a folder of labels by a person who does."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hallascope.backends.base import CallLimits
from hallascope.data.files.label_folder import Label, LabelItem, LabelMark, add_labels, item_line
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Answer, Ask, Failure
from hallascope.primer import scenes
from tests.support import label_folder

PROMPTS = ("a ladybug", "two tulips", "a molecule of methane", "a honeybee")


class Lenient:
    """A judge that sees the expected answer everywhere, but of questions that it is told to fail.

    Those of `refused` it leaves unanswered.
    """

    limits = CallLimits()
    revision = "test"

    def __init__(self, refused: str = "") -> None:
        self.spec = ModelSpec(id="test/lenient", title="test", roles=("judge",), backend="scripted")
        self.asked: list[Ask] = []
        self.refused = refused

    def ask(self, requests: Sequence[Ask], on_step: object = None) -> list[Answer | Failure]:
        self.asked += requests
        return [
            Failure("timeout", "Too slow.")
            if ask.question == self.refused
            else Answer(GOLDS[ask.question])
            for ask in requests
        ]


GOLDS = {
    question.text: question.gold
    for prompt in PROMPTS
    for question in scenes.parse(prompt).questions().questions
}


def label_items(folder: Path, count: int, untold: int = 0) -> list[LabelItem]:
    """Write images, each of a prompt of its own, and label them.

    A person sees another answer to the first question of every third image, and cannot tell the
    last `untold` ones.
    """
    items = label_folder.write(folder, [PROMPTS[i % len(PROMPTS)] for i in range(count)])
    lines = [
        item_line(replace(item, prompt=f"{item.prompt} number {number}"))
        for number, item in enumerate(items)
    ]
    (folder / "items.jsonl").write_text("".join(lines), encoding="utf-8")
    add_labels(folder, [label_of(item, number, untold) for number, item in enumerate(items)])
    return items


def label_of(item: LabelItem, number: int, untold: int, labeler: str = "ada") -> Label:
    golds: list[LabelMark] = [question.gold for question in item.questions]
    marks: list[LabelMark] = golds[: len(golds) - untold] + ["?"] * untold
    if number % 3 == 0:
        marks[0] = "A" if golds[0] != "A" else "B"
    return Label(item.id, labeler, tuple(marks))
