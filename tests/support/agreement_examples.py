"""Writes the tables of `data/agreement_examples`: simulated people and metrics, from a fixed seed.

``python -m tests.support.agreement_examples``
"""

import csv
import io
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from hallascope.engine.human_agreement.comparison import FOLDER

RATERS = ("ann", "bo", "cy")
MODELS = ("swift", "linnet", "heron", "crane")  # no models that there are
PROMPTS = (
    "a red cube on a blue ball",
    "a green cup beside a plate",
    "two yellow boxes under a table",
    "a white horse behind a fence",
    "a black cat on a chair",
    "three oranges in a bowl",
    "a blue bicycle against a wall",
    "a small boat on a lake",
    "a brown dog with a ball",
    "a purple hat on a shelf",
    "five candles on a cake",
    "a silver spoon in a glass",
)
# Whether the object is there; its color; the second object; how the two stand.
QUESTIONS: Mapping[str, str] = {
    "is the first object there?": "",
    "has it the right color?": "is the first object there?",
    "is the second object there?": "",
    "do they stand as asked?": "is the first object there?, is the second object there?",
}
Cells = Sequence[object]


def example_tables() -> dict[str, str]:
    """Return the text of each table by the name of its file."""
    chance = random.Random(7)
    quality = {
        (prompt, model): chance.gauss(0, 0.7) + chance.gauss(0, 0.7)
        for prompt in PROMPTS
        for model in MODELS
    }
    items = {key: f"p{PROMPTS.index(key[0]) + 1:02}-{key[1]}" for key in quality}
    return {
        "scores.csv": _table(
            ("item", "group", "metric", "value"), _score_rows(quality, items, chance)
        ),
        "ratings.csv": _table(("item", "rater", "value"), _rating_rows(quality, items, chance)),
        "preferences.csv": _table(
            ("item_a", "item_b", "rater", "choice", "group"),
            _preference_rows(quality, items, chance),
        ),
        "answers.csv": _table(
            ("item", "group", "question", "depends_on", "rater", "metric", "answer"),
            _answer_rows(quality, items, chance),
        ),
    }


Quality = Mapping[tuple[str, str], float]
Items = Mapping[tuple[str, str], str]


def _score_rows(quality: Quality, items: Items, chance: random.Random) -> Iterator[Cells]:
    """`vqa` is a share of ten questions, `reward` a number without ties, `length` knows nothing."""
    for key, value in quality.items():
        share = min(10, max(0, round(6 + 2 * (value + chance.gauss(0, 0.6))))) / 10
        yield items[key], key[0], "vqa", share
        yield items[key], key[0], "reward", f"{value + chance.gauss(0, 0.4):.3f}"
        yield items[key], key[0], "length", len(key[0]) + chance.randint(0, 9)


def _rating_rows(quality: Quality, items: Items, chance: random.Random) -> Iterator[Cells]:
    for key, value in quality.items():
        for rater in RATERS:
            rating = round(3 + 1.1 * (value + chance.gauss(0, 0.5)))
            yield items[key], rater, min(5, max(1, rating))


def _preference_rows(quality: Quality, items: Items, chance: random.Random) -> Iterator[Cells]:
    for prompt in PROMPTS:
        for one, other in combinations(MODELS, 2):
            for rater in RATERS:
                a, b = (one, other) if chance.random() < 0.5 else (other, one)
                difference = quality[prompt, a] - quality[prompt, b] + chance.gauss(0, 0.4)
                yield items[prompt, a], items[prompt, b], rater, _choose(difference, chance), prompt


def _choose(difference: float, chance: random.Random) -> str:
    if chance.random() < 0.03:
        return "unreadable"
    if abs(difference) < 0.4:
        return "tie"
    return "a" if difference > 0 else "b"


def _answer_rows(quality: Quality, items: Items, chance: random.Random) -> Iterator[Cells]:
    """Two metrics answer; `lenient` says yes too easily where an object is missing."""
    by = [(rater, "") for rater in RATERS] + [("", "careful"), ("", "lenient")]
    errors = {"careful": 0.1, "lenient": 0.35}
    for key, value in quality.items():
        if key[1] == MODELS[-1]:
            continue
        holds: dict[str, bool] = {}
        for question, needs in QUESTIONS.items():
            there = all(holds[name] for name in needs.split(", ") if name)
            holds[question] = there and chance.gauss(0, 1) < 0.6 + value
            for rater, metric in by:
                wrong = errors[metric] if metric and not holds[question] else 0.06
                says = holds[question] != (chance.random() < wrong)
                answer = "yes" if says else "no"
                yield items[key], key[0], question, needs, rater, metric, answer


def _table(columns: Sequence[str], rows: Iterable[Cells]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


if __name__ == "__main__":
    for name, content in example_tables().items():
        (FOLDER / name).write_text(content, encoding="utf-8")
