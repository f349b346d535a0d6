"""Presses the button of the Evaluate tab as a browser does, through Gradio's queue.

It knows what the page sends and what stands in the cards, and nothing of models.
"""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

RUN_TIMEOUT = 300.0  # seconds
# the version of a card names how many metrics have judged its image, see `components/cards`
JUDGED_CARD = re.compile(r'data-version="(?:True|False) [1-9]')


@dataclass(frozen=True)
class VerdictTimes:
    """Holds the seconds from a click to the first judged image and to the end of the run."""

    first: float
    last: float


class EvaluatePage:
    """Holds one visitor's page, with the settings that it opens with.

    It reads the page's configuration. Raises httpx.HTTPError where there is none.
    """

    def __init__(self, address: str) -> None:
        self._client = httpx.Client(base_url=address, timeout=RUN_TIMEOUT)
        self._session = uuid.uuid4().hex[:11]
        config = self._client.get("config").raise_for_status().json()
        self._components = {part["id"]: part for part in config["components"]}
        self._events: list[dict[str, Any]] = config["dependencies"]

    def close(self) -> None:
        self._client.close()

    def evaluate(self, prompt: str) -> VerdictTimes:
        """Click on an example: its prompt is evaluated by the models that the page has chosen.

        Raises RuntimeError where no image was judged.
        """
        began = time.perf_counter()
        event = self._event_of_click("go")
        while not event["queue"]:
            self._post("run/predict", event, prompt)
            event = self._event_after(event["id"])
        self._post("queue/join", event, prompt)
        first = None
        for message in self._messages():
            if first is None and _shows_verdict(message.get("output")):
                first = time.perf_counter() - began
            if message["msg"] == "process_completed":
                break
        if first is None:
            raise RuntimeError(f"No image of {prompt!r} was judged: click on it by hand and look.")
        return VerdictTimes(first, time.perf_counter() - began)

    def _event_of_click(self, elem_id: str) -> dict[str, Any]:
        button = next(
            key for key, part in self._components.items() if part["props"].get("elem_id") == elem_id
        )
        return next(event for event in self._events if [button, "click"] in event["targets"])

    def _event_after(self, number: int) -> dict[str, Any]:
        return next(
            event
            for event in self._events
            if event["trigger_after"] == number and not event["trigger_only_on_failure"]
        )

    def _post(self, route: str, event: dict[str, Any], prompt: str) -> None:
        body = {
            "data": [self._value(key, prompt) for key in event["inputs"]],
            "fn_index": event["id"],
            "session_hash": self._session,
            "trigger_id": None,
            "event_data": None,
        }
        self._client.post(f"gradio_api/{route}", json=body).raise_for_status()

    def _value(self, key: int, prompt: str) -> Any:
        """Return what the page sends of a component; the server keeps the value of a State."""
        part = self._components[key]
        if part["type"] == "state":
            return None
        return prompt if part["props"].get("elem_id") == "prompt" else part["props"].get("value")

    def _messages(self) -> Iterator[dict[str, Any]]:
        arguments = {"session_hash": self._session}
        with self._client.stream("GET", "gradio_api/queue/data", params=arguments) as lines:
            for line in lines.iter_lines():
                if line.startswith("data:"):
                    yield json.loads(line.removeprefix("data:"))


def _shows_verdict(output: Any) -> bool:
    """Return whether any text in what an event put out has the card of a judged image."""
    if isinstance(output, str):
        return JUDGED_CARD.search(output) is not None
    if isinstance(output, dict):
        return any(_shows_verdict(value) for value in output.values())
    return isinstance(output, list) and any(map(_shows_verdict, output))
