"""A class answers on the real app, also forty pupils at once, and no answer is lost."""

import asyncio
import re
from collections.abc import Sequence

import httpx
import pytest

from hallascope.data.teaching.class_lesson import read_class_lessons
from hallascope.pages.learn.live.routes import KEY, PUPIL
from tests.support.coroutines import run_apart

LESSON = read_class_lessons().lessons[0]
STEPS = [number for number, step in enumerate(LESSON.steps) if step.marking]


class Class:
    """A class on a server, as its teacher has it."""

    def __init__(self, client: httpx.AsyncClient, code: str, key: str) -> None:
        self.client = client
        self.code = code
        self._key = {KEY: key}

    async def move(self, step: int, phase: str) -> None:
        sent = {"step": step, "phase": phase}
        reply = await self.client.post(f"class/{self.code}/move", json=sent, headers=self._key)
        assert reply.status_code == 200, reply.text

    async def view(self) -> dict[str, object]:
        reply = await self.client.get(f"class/{self.code}/view", headers=self._key)
        found: dict[str, object] = reply.json()
        return found


async def start(client: httpx.AsyncClient) -> Class:
    reply = await client.post("class/classes", json={"lesson": LESSON.id})
    assert reply.status_code == 201, reply.text
    return Class(client, **reply.json())


async def join(client: httpx.AsyncClient, code: str) -> str:
    assert (await client.get(f"class/{code}")).status_code == 200
    reply = await client.post(f"class/{code}/join", json={})
    assert reply.status_code == 201, reply.text
    return str(reply.json()["token"])


async def answer(
    client: httpx.AsyncClient, code: str, token: str, step: int, number: int, tap_at: float
) -> None:
    """Tap, look at the class, then choose, as a page does; the choice tells the pupils apart."""
    headers = {PUPIL: token}
    address = f"class/{code}/answer"
    tap = {"step": step, "at": [tap_at, 0.5]}
    assert (await client.post(address, json=tap, headers=headers)).status_code == 200
    state = await client.get(f"class/{code}/state", headers=headers)
    assert state.json()["mine"]["at"] == [round(tap_at, 3), 0.5]
    choice = {"step": step, "choice": number % len(LESSON.steps[step].choices)}
    assert (await client.post(address, json=choice, headers=headers)).status_code == 200


async def give_lesson(address: str, pupils: int, steps: Sequence[int]) -> None:
    limits = httpx.Limits(max_connections=pupils)
    places = [number / pupils for number in range(pupils)]
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=20) as client:
        assert (await client.get("")).status_code == 200
        own = await start(client)
        tokens = await asyncio.gather(*(join(client, own.code) for _ in range(pupils)))
        assert len(set(tokens)) == pupils
        for step in steps:
            await own.move(step, "question")
            await asyncio.gather(
                *(
                    answer(client, own.code, token, step, number, place)
                    for number, (token, place) in enumerate(zip(tokens, places, strict=True))
                )
            )
            await own.move(step, "class")
            view = await own.view()
            choices = len(LESSON.steps[step].choices)
            expected = [len(range(choice, pupils, choices)) for choice in range(choices)]
            assert view["counts"] == expected
            assert (view["answered"], sum(view["counts"])) == (pupils, pupils)
            assert len(view["pupils"]) == pupils  # type: ignore[arg-type]
            assert sorted(view["taps"]) == [[round(place, 3), 0.5] for place in places]  # type: ignore[call-overload]
            states = await asyncio.gather(
                *(client.get(f"class/{own.code}/state", headers={PUPIL: each}) for each in tokens)
            )
            for state in states:
                numbers = re.findall(r'<span class="number">(\d+)', state.json()["html"])
                assert [int(number) for number in numbers] == expected


def test_three_pupils_answer_and_the_teacher_sees_it(address: str) -> None:
    run_apart(give_lesson(address, 3, STEPS[:1]))


@pytest.mark.full
def test_forty_pupils_answer_at_once_and_no_answer_is_lost(address: str) -> None:
    run_apart(give_lesson(address, 40, STEPS))


async def ask_from_elsewhere(address: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=address) as client:
        return await client.post(
            "class/classes",
            json={"lesson": LESSON.id},
            headers={"origin": "https://elsewhere.example"},
        )


def test_a_page_of_another_site_starts_no_class(address: str) -> None:
    reply = run_apart(ask_from_elsewhere(address))
    assert reply.status_code == 403
    assert "elsewhere.example" in reply.json()["error"]
