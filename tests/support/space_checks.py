"""What other programs ask of a running app and must be told, and what its page must keep to itself.

Starts none.

The tests ask so, and ``python space_checks.py ADDRESS SECRET`` in the environment of a Space:
it imports nothing of ours.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

import anyio
import httpx
from gradio_client import Client
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

Told = dict[str, Any]  # a document of the app

PROMPT, MODELS = "a molecule of methane", ["primer/exact", "primer/hasty"]
PATIENCE = 120.0  # seconds, on a machine that is busy otherwise
NAMES = ["/evaluate", "/evidence", "/leaderboard", "/models"]
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("evaluate", {"prompt": "", "models": ["primer/exact"]}, "prompt is empty"),
    ("evaluate", {"prompt": "x" * 5000, "models": ["primer/exact"]}, "at most 4,000"),
    ("evaluate", {"prompt": PROMPT, "models": ["primer/exakt"]}, "did you mean 'primer/exact'"),
    ("evaluate", {"prompt": PROMPT, "models": ["sdxl-base"]}, "cannot run here"),
    ("evaluate", {"prompt": PROMPT, "models": [f"m{i}" for i in range(65)]}, "more than 64"),
    ("evaluate", {"prompt": PROMPT, "models": "primer/exact"}, "give a list of names"),
    ("evaluate", {"prompt": PROMPT, "models": ["primer/exact"], "metrics": ["ihala"]}, "ihalla"),
    (
        "evaluate",
        {"prompt": PROMPT, "models": ["primer/exact"], "trials": "two"},
        "give a whole number",
    ),
    ("leaderboard", {"metric": "ihala"}, "ihalla"),
    ("leaderboard", {"by": "colour"}, "'colour'"),
    ("leaderboard", {"models": ["primer/exakt"]}, "did you mean 'primer/exact'"),
    ("evidence", {"image": "../../etc/passwd"}, "No image"),
    ("models", {"role": "painter"}, "There is no role 'painter'"),
]
# These parts of the page are for one's own machine alone.
LOCAL = {"name-model", "add-model", "keep-model", "getting", "get-models", "look-model"}
RECORDED = ("What this app records", "whoever opens it can see them", "written nowhere")


def connected(address: str, **headers: str) -> Client:
    return Client(address, verbose=False, headers=headers, httpx_kwargs={"timeout": PATIENCE})


def endpoints_say_what_they_take(client: Client) -> None:
    found = client.view_api(return_format="dict", print_info=False)["named_endpoints"]
    assert sorted(found) == NAMES
    for endpoint in found.values():
        assert len(endpoint["description"]) > 40
        for parameter in endpoint["parameters"]:
            assert parameter["python_type"]["type"] not in ("", "Any")
            assert f"{parameter['parameter_name']}: " in endpoint["description"]
        assert "Returns:" in endpoint["description"]
    assert [
        p["parameter_name"]
        for p in found["/evaluate"]["parameters"]
        if not p["parameter_has_default"]
    ] == ["prompt", "models"]
    assert (
        "key"
        not in str(
            [p["parameter_name"] for endpoint in found.values() for p in endpoint["parameters"]]
        ).casefold()
    )


def evaluated(client: Client) -> Told:
    """A prompt by two of the models that ship: a score with what it counted for each, and five
    answers.
    """
    told: Told = client.predict(PROMPT, MODELS, api_name="/evaluate")
    assert [one["model"] for one in told["evaluations"]] == MODELS
    for one in told["evaluations"]:
        assert len(one["verdicts"]) == 5
        assert one["score"]["counted"] + one["score"]["left_out"] == 5
        assert 0 <= one["score"]["value"] <= 1
    return told


def said_again_it_is_stored(client: Client, told: Told) -> None:
    again = client.predict(PROMPT, MODELS, api_name="/evaluate")
    assert again["cached"] is True
    assert again["run"] == told["run"]


def a_picture_is_had(address: str, told: Told) -> None:
    found = httpx.get(f"{address.rstrip('/')}/{told['evaluations'][0]['image']}", timeout=PATIENCE)
    assert found.headers["content-type"] == "image/png"


def evidence_is_what_was_said(client: Client, told: Told) -> None:
    first = told["evaluations"][0]
    found = client.predict(first["sha256"], "ihalla", api_name="/evidence")
    assert found["image"] == first["image"]
    assert {**found["evaluations"][0], "cached": None} == {**first, "cached": None}


def the_leaderboard_counts(client: Client, told: Told) -> None:
    found = client.predict("coi", models=["primer/exact"], api_name="/leaderboard")
    asked = {verdict["coi"] for verdict in told["evaluations"][0]["verdicts"]}
    assert asked <= {row["coi"] for row in found["rows"]}
    assert {row["model"] for row in found["rows"]} == {"primer/exact"}
    assert sum(row["n"] for row in found["rows"]) >= 5
    assert all({"value", "low", "high", "left_out"} <= set(row) for row in found["rows"])
    assert all(row["source"] for row in found["published"])
    assert found["judged_by"]["judge"] == "primer/judge"


def models_say_why_not(client: Client) -> None:
    found = {one["id"]: one for one in client.predict("generator", api_name="/models")["models"]}
    assert found["primer/exact"]["available"] is True
    assert found["sdxl-base"]["reason"].endswith(".")
    assert all("generator" in one["roles"] for one in found.values())


def refused(client: Client, endpoint: str, arguments: dict[str, Any], words: str) -> None:
    """What is wrong is said in one sentence, with these words."""
    try:
        client.predict(**arguments, api_name=f"/{endpoint}")
    except Exception as error:  # whatever the client raises: what it says is what a person reads
        said = str(error)
    else:
        raise AssertionError(f"{endpoint} took {str(arguments)[:80]}")
    assert words in said
    assert "Traceback" not in said
    assert "\n" not in said


def too_many_are_refused(client: Client) -> None:
    """64 pictures at once, where a visitor may have fewer in a minute."""
    models = ["primer/exact", "primer/careful", "primer/hasty", "primer/careless"]
    refused(
        client,
        "evaluate",
        {"prompt": "a ladybug", "models": models, "count": 16},
        "a minute: ask for less",
    )


def nothing_local_is_laid_out(page: Told) -> None:
    """`page`: what goes to every visitor, as /config gives it."""
    parts = {part["props"].get("elem_id"): part["props"] for part in page["components"]}
    assert "models" in parts
    assert not LOCAL & set(parts)
    assert [parts[name]["visible"] for name in ("q-import", "people-import")] == [False, False]
    assert f"at most {parts['cap-run']['value']:g}" in parts["cap-run"]["label"]


def it_says_what_is_recorded(page: Told) -> None:
    told = json.dumps(page)
    assert [words for words in RECORDED if words not in told] == []


def no_key_is_told(page: Told, secret: str) -> None:
    """The names of keys are there, since visitors may bring theirs; the value of none is."""
    told = json.dumps(page)
    assert "OPENAI_API_KEY" in told
    assert secret not in told


def tools_are_the_endpoints(address: str) -> None:
    async def listed() -> list[str]:
        async with (
            streamable_http_client(f"{address.rstrip('/')}/gradio_api/mcp/") as (read, write, _),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            return [tool.name for tool in (await session.list_tools()).tools]

    assert sorted(anyio.run(listed)) == [name[1:] for name in NAMES]


def models_are_told_without_where(client: Client) -> None:
    """On a public app: neither addresses of services nor settings."""
    told = client.predict("judge", api_name="/models")["models"]
    assert told
    assert not any({"base_url", "settings"} & set(model) for model in told)


def visit(address: str, secret: str, done: Callable[[str], None]) -> None:
    """All of it, of a Space; each part is told once it holds.

    Raises AssertionError.
    """
    # The proxy before a Space says in this header who asks.
    client = connected(address, **{"x-forwarded-for": "91.198.174.192"})
    endpoints_say_what_they_take(client)
    tools_are_the_endpoints(address)
    done("endpoints and tools: " + ", ".join(NAMES))
    told = evaluated(client)
    said_again_it_is_stored(client, told)
    a_picture_is_had(address, told)
    done(
        "evaluate: "
        + ", ".join(f"{one['model']} {one['score']['value']}" for one in told["evaluations"])
    )
    evidence_is_what_was_said(client, told)
    done(f"evidence: of {told['evaluations'][0]['sha256'][:12]}, as it was said")
    the_leaderboard_counts(client, told)
    done("leaderboard: counts what was evaluated")
    models_say_why_not(client)
    models_are_told_without_where(client)
    done("models: with why some cannot run, without addresses")
    for endpoint, arguments, words in WRONG:
        refused(client, endpoint, arguments, words)
    done(f"what is wrong: {len(WRONG)} requests, a sentence each")
    too_many_are_refused(client)
    done("limits: more images than a visitor may have are refused before the first")
    page = httpx.get(f"{address.rstrip('/')}/config", timeout=PATIENCE).json()
    nothing_local_is_laid_out(page)
    it_says_what_is_recorded(page)
    no_key_is_told(page, secret)
    done("page: nothing for one's own machine, no key, a notice of what is recorded")
    client.close()


if __name__ == "__main__":
    address, secret = sys.argv[1:3]
    visit(address, secret, lambda said: print(said, flush=True))
