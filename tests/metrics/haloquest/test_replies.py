"""A grader's reply is read as main points and a verdict; what contradicts itself is not."""

import json

import pytest

from hallascope.metrics.haloquest.replies import Grading, parse_grading


def written(agree: object) -> str:
    return json.dumps(
        {
            "reply_main_point": "The collar is red.",
            "reference_main_point": "There is no collar.",
            "agree": agree,
        }
    )


FULL = Grading("The collar is red.", "There is no collar.", False)


@pytest.mark.parametrize(
    "text, grading",
    [
        (written(False), FULL),
        (f"```json\n{written(False)}\n```", FULL),
        (f"Let me see.\n{written('No.')}\nDone.", FULL),
        (
            (
                '{"question": "q", "sentence_interpret_model_response_main_point": "The collar is'
                ' red.", "sentence_interpret_groundtruth_response_main_point": "There is no'
                ' collar.", "is_prediction_correct": false}'
            ),
            FULL,
        ),
        (
            (
                "1. **Main point of the reply:** The collar is red.\n2. Main point of the"
                " references: There is no collar.\n3. Agree: no"
            ),
            FULL,
        ),
        (
            (
                "reply_main_point: The collar is red.\nreference_main_point: There is no"
                " collar.\nagree: False"
            ),
            FULL,
        ),
        ("Incorrect.", Grading("", "", False)),
        ("**yes**", Grading("", "", True)),
        ("Verdict: correct", Grading("", "", True)),
        # These hold two verdicts that differ, a broken one, or none.
        (f"{written(True)} {written(False)}", None),
        ('{"agree": true, "agree": false}', None),
        ('{"agree": true, "correct": false}', None),
        ('{"agree": "partly"}', None),
        ('{"agree": null}', None),
        ('{"reply_main_point": "a", "reference_main_point": "b"}', None),
        ("Agree: yes\nAgree: no", None),
        ("It is correct that the reply is incorrect.", None),
        ("", None),
    ],
)
def test_a_grading_is_read_however_it_is_wrapped(text: str, grading: Grading | None) -> None:
    assert parse_grading(text) == grading
