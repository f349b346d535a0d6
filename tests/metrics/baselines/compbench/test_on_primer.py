"""With the embedded segmenter's boxes, T2I-CompBench's scores tell right images from wrong ones."""

from collections.abc import Sequence
from pathlib import Path

from hallascope import metrics
from hallascope.data.models.specs import read_models
from hallascope.engine.judge_eval.harness import ignore_progress, run_metric, save_picture
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import Case
from hallascope.primer.groups import OPPOSITE
from hallascope.primer.truth.compositions import SIZE, Composition
from tests.support.compositions import made_of

PAIRS = (
    ("a red circle", "to the left of", "a blue square"),
    ("a green triangle", "to the right of", "a red circle"),
    ("a blue square", "above", "a ladybug"),
    ("a ladybug", "below", "a green triangle"),
)


def scores(metric: str, made: Sequence[Composition], folder: Path) -> list[float | None]:
    """Return the score of each drawing by the boxes of the embedded segmenter."""
    store = Store(folder=folder / "home")
    services = Services(store, read_models())
    detector = services.registry.bind("primer/segmenter")
    cases = [
        Case(
            prompt=each.prompt,
            image=save_picture(each.drawing.image(SIZE), folder / f"{number}.png"),
            roles=frozenset({"detector"}),
            vocabulary="primer",
        )
        for number, each in enumerate(made)
    ]
    reports = run_metric(metrics.get(metric), cases, {"detector": detector}, ignore_progress)
    store.close()
    return [report.score.value for report in reports]


def test_right_and_wrong_positions_are_told_apart(tmp_path: Path) -> None:
    right, wrong = [], []
    for first, relation, second in PAIRS:
        made = made_of(f"{first} {relation} {second}", first, second)
        assert made.relation
        right.append(made)
        wrong.append(made_of(made.prompt, first, second, relation=OPPOSITE[made.relation]))
    values = scores("compbench-spatial", [*right, *wrong], tmp_path)
    assert [value is not None and value >= 0.75 for value in values] == [True] * 4 + [False] * 4
    assert values[4:] == [0] * 4


def test_right_and_wrong_numbers_are_told_apart(tmp_path: Path) -> None:
    prompt = "two red circles to the left of a blue square"
    made = [
        made_of(prompt, "two red circles", "a blue square"),
        made_of(prompt, "three red circles", "a blue square"),
        made_of(prompt, "two red circles", ""),
    ]
    assert scores("compbench-numeracy", made, tmp_path) == [1, 0.75, 0.5]
