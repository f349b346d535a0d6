"""A prompt in other words becomes the one that Primer draws; facets are those of its questions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.models.specs import read_models
from hallascope.data.records import Category, Difficulty, Provenance, QuestionSet
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.run import prompt_facets
from hallascope.engine.run.prompt_understanding import draws_primer_only
from hallascope.engine.services import Services
from hallascope.engine.storage.scores import Facets
from hallascope.engine.storage.store import Store
from hallascope.primer import scenes

BOTH = ("primer/exact", "primer/diffusion-tiny")


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    store = Store(folder=tmp_path / "home")
    yield Services(store, read_models())
    store.close()


@pytest.mark.parametrize(
    ("prompt", "drawn", "note"),
    [
        ("ladybird", "a ladybug", "Drawn as: A ladybug."),
        ("A photo of a ladybug on a table", "a ladybug", "Drawn as: A ladybug."),
        ("CH4", "a molecule of methane", "Drawn as: A molecule of methane."),
        ("a ladybug", "a ladybug", ""),
        ("a unicorn", "a unicorn", ""),
    ],
)
def test_the_request_has_the_prompt_that_is_drawn(
    services: Any, prompt: str, drawn: str, note: str
) -> None:
    understood = services.understand(EvaluateRequest(prompt=prompt, models=BOTH))
    assert (understood.request.prompt, understood.note) == (drawn, note)


@pytest.mark.parametrize(
    "request_",
    [
        EvaluateRequest(prompt="ladybird", models=(*BOTH, "sdxl-turbo")),
        EvaluateRequest(prompt="ladybird", models=("no/such-model",)),
        EvaluateRequest(prompt="ladybird"),
        EvaluateRequest(prompt="ladybird", models=BOTH, concept="ladybird"),
        EvaluateRequest(
            prompt="ladybird",
            models=BOTH,
            factual=FactualPrompt(prompt="ladybird", concepts=(ConceptRef(name="ladybird"),)),
        ),
    ],
    ids=["another model draws", "unknown model", "own image", "own concept", "a benchmark's"],
)
def test_the_prompt_stays_where_it_means_more_than_primer_draws(
    services: Any, request_: EvaluateRequest
) -> None:
    assert services.understand(request_) == (request_, "")


def test_the_prompt_stays_where_a_person_has_questions_for_it(services: Any) -> None:
    own = scenes.parse("a ladybug").questions()
    services.store.keep_question_set(
        QuestionSet(
            prompt="ladybird", questions=own.questions, category=own.category, domain=own.domain
        )
    )
    request = EvaluateRequest(prompt="ladybird", models=BOTH)
    assert services.understand(request) == (request, "")


def test_the_models_that_draw_primer_alone_are_those_that_ship() -> None:
    names = {name for name, spec in read_models().items() if draws_primer_only(spec)}
    drawn = ("exact", "careful", "hasty", "careless", "diffusion-small", "diffusion-tiny")
    assert names == {f"primer/{name}" for name in drawn}


def test_the_facets_of_a_prompt_are_those_of_its_questions_and_of_the_hardest_image() -> None:
    prompt = "a hamburger on a plate"
    request = EvaluateRequest(prompt=prompt, models=(), metrics=("ihalla",))
    assert prompt_facets.for_request(request) == Facets()
    difficulty: dict[str, Difficulty] = {"a": "easy", "b": "hard", "c": "medium"}
    made = Provenance(judge="j", writer="w", reasoning="", difficulty=difficulty)
    for about, facet, value in (
        ({"domain": "food"}, "domain", "food"),
        ({"category": Category.EASTERN_MODERN}, "field", "History"),
        ({"field": "Science"}, "field", "Science"),
        ({"provenance": made}, "difficulty", "hard"),
        ({"provenance": made, "difficulty": "easy"}, "difficulty", "easy"),
    ):
        fields: dict[str, Any] = {"prompt": prompt, "questions": (), **about}
        facets = prompt_facets.for_request(request, QuestionSet(**fields))
        assert getattr(facets, facet) == value, about
