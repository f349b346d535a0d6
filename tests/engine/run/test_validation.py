"""A request that cannot stand is refused in one sentence before anything starts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import HallaScopeError, Unavailable, UnknownModel
from hallascope.engine.errors import BadImage, BadRequest
from hallascope.engine.run.validation import checked_prompt
from tests.support.evaluations import REQUEST, first_choice


def test_joiners_within_emoji_and_words_of_other_scripts_stay_in_a_prompt() -> None:
    for prompt in (
        "a family \U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\u0915\u094d\u200d\u0937 on a sign",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    ):
        assert checked_prompt(prompt) == prompt
    for alone in ("\u200d", " \u200c "):
        with pytest.raises(BadRequest, match="The prompt is empty"):
            checked_prompt(alone)


WRONG: list[tuple[dict[str, Any], type[HallaScopeError], str]] = [
    ({"prompt": "   "}, BadRequest, "The prompt is empty: "),
    ({"prompt": "x" * 10_000}, BadRequest, "10,000 characters"),
    ({"prompt": "a\x00cat"}, BadRequest, "cannot be shown"),
    ({"prompt": "a \ud800 cat"}, BadRequest, "cannot be shown"),
    ({"models": ()}, BadRequest, "No model is chosen"),
    ({"models": ("scripted/paintr",)}, UnknownModel, "did you mean 'scripted/painter'"),
    ({"models": ("Primer/Exact",)}, UnknownModel, "did you mean 'primer/exact'"),
    ({"models": ("qqqqqqqq",)}, UnknownModel, "lists all"),
    ({"models": ("scripted/judge",)}, BadRequest, "is no generator: choose one of"),
    ({"models": ("openai/gpt-image-2",)}, Unavailable, "cannot run here"),
    ({"judge": "scripted/painter"}, BadRequest, "is no judge: choose one of"),
    ({"metrics": ("ihala",)}, BadRequest, "did you mean 'ihalla'"),
    ({"count": 0}, BadRequest, "number of count is 0"),
    ({"trials": 1000}, BadRequest, "number of trials is 1000"),
    ({"seed": -1}, BadRequest, "The seed is -1"),
    ({"images": (Path("nowhere.png"),)}, BadImage, "'nowhere.png' cannot be read"),
]


@pytest.mark.parametrize(("change", "kind", "said"), WRONG, ids=[said for _, _, said in WRONG])
def test_a_wrong_request_is_one_sentence_before_anything_starts(
    serve_scripted: Any,
    judge: Any,
    painter: Any,
    change: dict[str, Any],
    kind: type[HallaScopeError],
    said: str,
) -> None:
    services = serve_scripted(judge(first_choice), painter())
    with pytest.raises(kind, match=said.replace("(", r"\(")):
        services.evaluate(replace(REQUEST, **change))
    assert services.runs() == []
