"""Readers of prompts are measured on the prompts that they are made for, and on knowing others."""

from hallascope.data.files.readings.gold_names import GoldNamePair
from hallascope.data.prompt_reading import AskedObject, GoldObject, GoldReading, PromptReading
from hallascope.engine.judge_eval.parsers.parser_eval import evaluate_names, evaluate_reader


def _gold(prompt: str, stratum: str = "own-long", **more: str) -> GoldReading:
    cat = GoldObject(key="cat", names=("cat",))
    return GoldReading(prompt=prompt, stratum=stratum, objects={"cat": cat}, **more)  # type: ignore[arg-type]


def _reader(prompt: str) -> PromptReading:
    if prompt == "eine Katze":
        return PromptReading(prompt=prompt, unreadable="This is not English.")
    name = "dog" if "wrong" in prompt else "cat"
    return PromptReading(prompt=prompt, objects=(AskedObject(id="o1", name=name),))


def test_shares_are_of_the_prompts_that_can_be_read() -> None:
    gold = [
        _gold("a cat"),
        _gold("a wrong cat"),
        _gold("a cat", "coco"),
        _gold("eine Katze", language="de"),
        _gold("un chat", language="fr"),
    ]
    evaluation = evaluate_reader(gold, _reader)
    assert evaluation.right("fig")[:2] == (2, 3)
    assert evaluation.right("fig", natural=True)[:2] == (1, 1)
    assert {name: share[:2] for name, share in evaluation.right_by_stratum("fig").items()} == {
        "coco": (1, 1),
        "own-long": (1, 2),
    }
    assert evaluation.recognized[:2] == (1, 2)
    scores = evaluation.elements()["object"]
    assert scores.precision[:2] == scores.recall[:2] == (2, 3)
    assert scores.precision.interval is not None


def test_a_reading_that_is_withheld_counts_as_wrong_and_is_listed() -> None:
    evaluation = evaluate_reader(
        [_gold("a cat")], lambda prompt: PromptReading(prompt=prompt, unreadable="No.")
    )
    assert evaluation.right("scene-graph").value == 0
    assert evaluation.withheld == ("a cat",)


def test_of_nothing_there_is_no_share() -> None:
    evaluation = evaluate_reader([], _reader)
    assert evaluation.right("fig").value is None
    assert evaluation.recognized.interval is None


def test_names_judged_otherwise_than_by_a_person_are_mistakes() -> None:
    wrong = GoldNamePair(expected="jam", observed="traffic jam", same=False)
    gold = [
        wrong,
        GoldNamePair(expected="sofa", observed="couch", same=True),
        GoldNamePair(expected="hair", observed="hare", same=False),
    ]
    evaluation = evaluate_names(gold, lambda expected, observed: expected != "hair")
    assert evaluation.share[:2] == (2, 3)
    assert evaluation.share.interval is not None
    assert evaluation.mistakes == (wrong,)
