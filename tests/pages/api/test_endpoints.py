"""What stands behind the endpoints, without a running app: money, keys, what a Space keeps to
itself, what is broken off; the examples.
"""

import json
import re
import subprocess
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from hallascope.data.requests import Answer, Generated
from hallascope.engine.storage.store import Store
from hallascope.pages.api.endpoints import Endpoints
from tests.support import paid_models, space_checks
from tests.support.images import png
from tests.support.question_making import writes
from tests.support.scripted_models import scripted, serve
from tests.support.space_checks import PATIENCE, PROMPT

EXAMPLES = (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.fixture
def endpoints(services: Any) -> Endpoints:
    return Endpoints(services)


def test_money_is_spent_within_the_caps_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLASCOPE_BUDGET_RUN", "0.005")
    services = paid_models.build(tmp_path)
    with pytest.raises(Exception, match="No image was bought"):
        list(Endpoints(services).evaluate(PROMPT, ["paid/painter"], judge="paid/judge"))
    *_, told = Endpoints(services).evaluate(PROMPT, ["primer/exact"], judge="paid/judge")
    assert told["stopped"]
    assert {failure["kind"] for failure in told["failures"]} & {"over_budget"}
    assert told["spent"]["amount"] <= 0.02
    services.store.close()


def test_a_model_whose_price_nobody_knows_is_not_asked(tmp_path: Path) -> None:
    services = paid_models.build(tmp_path)
    with pytest.raises(Exception, match="It is unknown what 'unknown/judge' costs"):
        list(Endpoints(services).evaluate(PROMPT, ["primer/exact"], judge="unknown/judge"))
    services.store.close()


def test_no_key_is_told(endpoints: Endpoints, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-to-be-told")
    *_, told = endpoints.evaluate(PROMPT, ["primer/exact"])
    everything = json.dumps(
        [
            told,
            endpoints.models(),
            endpoints.leaderboard(),
            endpoints.evidence(told["evaluations"][0]["sha256"]),
        ]
    )
    assert "sk-not" not in everything


def test_a_space_keeps_to_itself_where_models_are_served(
    endpoints: Endpoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert any(model["base_url"] for model in endpoints.models("judge")["models"])
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    assert not any(
        {"base_url", "settings"} & set(model) for model in endpoints.models("judge")["models"]
    )


def test_an_evaluation_that_is_broken_off_goes_on_where_it_was(
    endpoints: Endpoints, services: Any
) -> None:
    begun = endpoints.evaluate(PROMPT, ["primer/exact"], count=2)
    run = next(begun)["run"]
    assert isinstance(begun, Generator)
    begun.close()
    assert services.store.run(run).state == "stopped"
    *_, told = endpoints.evaluate(PROMPT, ["primer/exact"], count=2)
    assert (told["run"], len(told["evaluations"])) == (run, 2)


def test_free_words_are_drawn_as_primer_understands_them(endpoints: Endpoints) -> None:
    *_, told = endpoints.evaluate("ladybird", ["primer/exact"])
    assert told["note"] == "Drawn as: A ladybug."
    assert told["evaluations"][0]["score"]["counted"]


def test_a_judge_that_can_write_makes_the_questions_that_a_prompt_lacks(tmp_path: Path) -> None:
    def reply(request: Any) -> Answer:
        return Answer("D") if getattr(request, "choices", ()) else writes(request)

    judge = scripted("a/judge", ("judge", "writer"), reply)
    painter = scripted("a/painter", "generator", lambda request: Generated(png()))
    services = serve(Store(folder=tmp_path), judge, painter)
    *_, told = Endpoints(services).evaluate("a cat on a mat", ["a/painter"], judge="a/judge")
    assert told["evaluations"][0]["score"]["counted"] == 5
    assert "note" not in told
    services.store.close()


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"seed": float("nan")}, "seed is nan"),
        ({"seed": 10**400}, "whole number"),
        ({"trials": True}, "repetitions is True"),
        ({"count": 17}, "from 1 to 16"),
        ({"models": ["x" * 500]}, "has 500 characters"),
        ({"models": [{"a": 1}]}, "give it as text"),
        ({"prompt": "x" * 5000}, "at most 4,000"),
        ({"judge": None}, "judge is None"),
    ],
)
def test_values_of_any_kind_are_taken_or_said(
    endpoints: Endpoints, wrong: dict[str, Any], words: str
) -> None:
    with pytest.raises(Exception, match=words):
        list(endpoints.evaluate(**{"prompt": PROMPT, "models": ["primer/exact"], **wrong}))


def test_the_leaderboard_is_corrected_only_by_true_or_false(endpoints: Endpoints) -> None:
    assert "corrected_by_people" in endpoints.leaderboard(corrected=True)
    with pytest.raises(Exception, match="value of corrected is 'yes': give true or false"):
        endpoints.leaderboard(corrected="yes")  # type: ignore[arg-type]


def _examples(language: str, address: str) -> list[str]:
    found = re.findall(rf"```{language}\n(.*?)```", EXAMPLES, re.DOTALL)
    patient = (
        example.replace('7860")', "7860\", httpx_kwargs={'timeout': 120})") for example in found
    )
    return [example.replace("http://127.0.0.1:7860", address.rstrip("/")) for example in patient]


@pytest.mark.full
@pytest.mark.parametrize("number", [0, 1])
def test_the_examples_in_python_do_what_they_say(address: str, number: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _examples("python", address)[number]], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert ("{'value': 0.8, 'counted': 5, 'left_out': 0}", "'primer/exact'")[number] in done.stdout


@pytest.mark.full
def test_the_example_with_curl_does_what_it_says(address: str) -> None:
    (example,) = _examples("sh", address)
    done = subprocess.run(["sh", "-c", example], capture_output=True, text=True, check=True)
    assert "event: complete" in done.stdout
    assert '"model": "primer/exact"' in done.stdout


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[Any]:
    found = space_checks.connected(address)
    yield found
    found.close()


@pytest.fixture(scope="module")
def told(client: Any) -> Any:
    return space_checks.evaluated(client)


def test_the_endpoints_are_these_each_with_types_and_a_description(client: Any) -> None:
    space_checks.endpoints_say_what_they_take(client)


def test_evaluate_tells_what_the_command_line_tells(told: Any, client: Any) -> None:
    assert told["evaluations"][0]["score"] == {"value": 0.8, "counted": 5, "left_out": 0}
    space_checks.said_again_it_is_stored(client, told)


def test_evaluate_says_how_far_it_is_before_its_document(client: Any) -> None:
    outputs = list(
        client.submit("four tulips", ["primer/exact"], metrics=["tifa"], api_name="/evaluate")
    )
    *on_the_way, whole = outputs
    assert [(one["done"], one["of"]) for one in on_the_way] == [(0, 2), (1, 2), (2, 2)]
    assert {one["run"] for one in on_the_way} == {whole["run"]}
    assert [one["metric"] for one in whole["evaluations"]] == ["tifa"]


@pytest.mark.parametrize(
    "file",
    [
        "gradio_api/file=/etc/passwd",
        "gradio_api/file=pyproject.toml",
        "gradio_api/file={home}/hallascope.db",
        "gradio_api/file={home}/{image}",
        "images/../hallascope.db",
        "images/%2e%2e/hallascope.db",
        "images/00/" + "0" * 62 + ".png",
    ],
)
def test_nothing_but_pictures_of_the_store_is_had(
    told: Any, address: str, home: Path, file: str
) -> None:
    place = file.format(home=home, image=told["evaluations"][0]["image"])
    found = httpx.get(f"{address.rstrip('/')}/{place}", timeout=PATIENCE)
    assert found.status_code in (403, 404)


def test_no_answer_says_where_the_store_is(
    told: Any, address: str, client: Any, home: Path
) -> None:
    image = told["evaluations"][0]
    assert re.fullmatch(r"images/[0-9a-f]{2}/[0-9a-f]{62}\.png", image["image"])
    answers = [told, client.predict(image["sha256"], "ihalla", api_name="/evidence")]
    answers += [client.predict(api_name=name) for name in ("/models", "/leaderboard")]
    answers += [
        httpx.get(f"{address.rstrip('/')}/{place}", timeout=PATIENCE).text
        for place in ("config", "gradio_api/info", "images/00/none.png")
    ]
    assert str(home) not in str(answers)


def test_models_are_listed_by_role_with_why_they_cannot_run(client: Any) -> None:
    space_checks.models_say_why_not(client)


@pytest.mark.parametrize("endpoint, arguments, words", space_checks.WRONG)
def test_what_is_wrong_is_said_in_one_sentence(
    client: Any, endpoint: str, arguments: dict[str, Any], words: str
) -> None:
    space_checks.refused(client, endpoint, arguments, words)


def test_plain_http_takes_names_and_streams_the_document(address: str) -> None:
    call = f"{address.rstrip('/')}/gradio_api/call"
    event = httpx.post(f"{call}/v2/models", json={"role": "judge"}, timeout=PATIENCE).json()[
        "event_id"
    ]
    *_, last = httpx.get(f"{call}/models/{event}", timeout=PATIENCE).text.strip().split("\n\n")
    event_line, data = last.split("\n")
    assert event_line == "event: complete"
    assert "primer/judge" in {
        one["id"] for one in json.loads(data.removeprefix("data: "))[0]["models"]
    }


def test_a_picture_is_had_at_its_address(told: Any, address: str) -> None:
    space_checks.a_picture_is_had(address, told)


def test_evidence_is_what_evaluate_said_of_the_picture(told: Any, client: Any) -> None:
    space_checks.evidence_is_what_was_said(client, told)


def test_the_leaderboard_counts_what_was_evaluated(told: Any, client: Any) -> None:
    space_checks.the_leaderboard_counts(client, told)
