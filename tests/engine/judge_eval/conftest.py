"""The fixtures of trials of judges."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.engine.judge_eval import ihalla
from hallascope.engine.judge_eval.answers import TrialQuestion
from hallascope.engine.judge_eval.ihalla import primer_items
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.scripted import Scripted
from tests.support.scripted_judges import (
    PICTURES,
    always_a,
    at_random,
    knows,
    refuses_a_third,
)


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., list[TrialQuestion]]:
    """Draw each image of a trial once for all tests: what is drawn depends on its name alone."""
    folder, draw = tmp_path_factory.mktemp("drawn"), ihalla._draw_questions

    @cache
    def once(prompt: str, name: str, share: float) -> list[TrialQuestion]:
        return list(draw(prompt, name, share, folder / f"{prompt} {name}.png"))

    return lambda prompt, name, share, path: once(prompt, name, share)


@pytest.fixture(autouse=True)
def drawn_once(drawn: Callable[..., list[TrialQuestion]]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ihalla, "_draw_questions", drawn)
        yield


@pytest.fixture
def truth(drawn_once: None, tmp_path: Path) -> dict[tuple[str, str], str]:
    """The right choice of each question about each picture, in words."""
    items = primer_items(PICTURES, tmp_path)
    return {(item.image, item.question.text): item.right_choice for item in items}


@pytest.fixture
def judge_services(tmp_path: Path, truth: dict[tuple[str, str], str]) -> Any:
    know = knows(truth)
    says = {
        "good": know,
        "always-a": always_a,
        "random": at_random(),
        "refuser": refuses_a_third(know),
    }
    specs = {
        name: ModelSpec(
            id=f"scripted/{name}",
            title=name,
            roles=("judge",),
            backend="scripted",
            settings={"temperature": 1.0} if name == "random" else {},
        )
        for name in says
    }
    opened = Services(
        Store(folder=tmp_path / "home"),
        read_models(),
        {s.id: Scripted(s, says[name]) for name, s in specs.items()},
    )
    yield opened
    opened.store.close()
