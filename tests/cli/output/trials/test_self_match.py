"""Tests what is printed of prompts held against themselves."""

from hallascope.cli.output.trials import self_match
from hallascope.engine.judge_eval.parsers.self_match import SelfMatch, SelfMatchEvaluation

EVALUATION = SelfMatchEvaluation(
    (
        SelfMatch("a dog", {"fig": (), "scene-graph": ()}),
        SelfMatch("a red cat", {"fig": ("color: red cat",), "scene-graph": ("Is the cat red?",)}),
        SelfMatch("eine Katze", unreadable="This is not English."),
    )
)


def test_shares_are_of_the_prompts_that_are_read() -> None:
    document = self_match.document(EVALUATION)
    assert document["prompts"] == 3
    perfect = {
        system: (share["part"], share["of"]) for system, share in document["perfect"].items()
    }
    assert perfect == {"fig": (1, 2), "scene-graph": (1, 2)}
    assert document["faults"] == [
        {"prompt": "a red cat", "fig": ["color: red cat"], "scene-graph": ["Is the cat red?"]}
    ]
    assert document["unreadable"] == [{"prompt": "eine Katze", "reason": "This is not English."}]


def test_prompts_with_faults_are_listed_below_the_table() -> None:
    table, *prompts = self_match.lines(EVALUATION).split("\n\n")
    assert table.splitlines()[1].split()[:4] == ["perfect", "for", "FiG", "0.500"]
    assert prompts == [
        "a red cat\n  FiG: color: red cat\n  scene graph: Is the cat red?",
        "no reading: eine Katze\n  This is not English.",
    ]
