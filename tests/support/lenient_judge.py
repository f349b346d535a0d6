"""A judge that finds nothing wrong, and a folder of labels by a person who does."""

from dataclasses import replace
from pathlib import Path

from hallascope.data.files.label_folder import Label, LabelItem, LabelMark, add_labels, item_line
from hallascope.data.requests import Answer, Failure
from hallascope.primer import scenes
from tests.support import label_folder
from tests.support.scripted_judges import FixedJudge

PROMPTS = ("a ladybug", "two tulips", "a molecule of methane", "a honeybee")


GOLDS = {
    question.text: question.gold
    for prompt in PROMPTS
    for question in scenes.parse(prompt).questions().questions
}


def lenient_judge(refused: str = "") -> FixedJudge:
    """A judge that sees the expected answer everywhere; a question of `refused` has none."""
    failure = Failure("timeout", "Too slow.")
    return FixedJudge(
        lambda ask: failure if ask.question == refused else Answer(GOLDS[ask.question])
    )


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
