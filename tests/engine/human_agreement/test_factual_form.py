"""People rate by T2I-FactualBench's form; ratings are kept by name and leave as a table."""

import csv
import io
from pathlib import Path

import pytest

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.files.ratings import read_ratings
from hallascope.data.reproduce.paper_tables import read_papers
from hallascope.engine import ratings
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.human_agreement.factual_form import (
    ERROR_TYPES,
    FORM_RATINGS,
    form_questions,
    form_table,
)
from hallascope.engine.ratings import Rateable
from hallascope.engine.reproduce.scores import read_image_ratings
from hallascope.engine.services import Services
from hallascope.engine.storage.scores import prompt_key

PROMPT = "a gentoo penguin"
ONE = FactualPrompt(prompt=PROMPT, concepts=(ConceptRef(name="gentoo penguin"),))
TASK = FactualPrompt(
    prompt="a sleeping gentoo penguin",
    concepts=ONE.concepts,
    task="action",
    variations=("sleeping",),
)
TWO = FactualPrompt(
    prompt="a gentoo penguin beside a zebra",
    concepts=(*ONE.concepts, ConceptRef(name="zebra")),
    task="interaction",
    variations=("they play",),
)
DIMENSIONS = {
    "SKCM": ["concept", "error"],
    "SKCU": ["concept", "task", "error"],
    "MKCC": ["concept", "concept", "task", "composition", "error"],
}


@pytest.fixture
def items(services: Services) -> list[Rateable]:
    """The images of two models, of a prompt with two concepts and a task."""
    models = ("primer/exact", "primer/careless")
    request = EvaluateRequest(prompt=PROMPT, models=models, metrics=(), judge=None, factual=TWO)
    list(services.evaluate(request))
    return ratings.rateable_pictures(services, None, "ann", lambda item: bool(item.factual))


@pytest.mark.parametrize("factual", [ONE, TASK, TWO])
def test_each_level_is_asked_what_the_paper_asks(factual: FactualPrompt) -> None:
    questions = form_questions(factual)
    assert [question.dimension for question in questions] == DIMENSIONS[factual.level]
    marks = {question.dimension: list(question.choices) for question in questions}
    assert marks["concept"] == ["0", "1", "2", "3", "4"]
    assert marks.get("task", ["0", "1"]) == ["0", "1"]
    assert marks["error"] == list(ERROR_TYPES)


def test_the_table_has_means_over_concepts_and_two_readers_take_it(
    services: Services, items: list[Rateable], tmp_path: Path
) -> None:
    ratings.keep_marks(services, items[0], ["4", "1", "1", "3", "no error"], "ann", FORM_RATINGS)
    ratings.keep_marks(
        services, items[0], ["?", "2", "0", None, "concept error"], "=bo", FORM_RATINGS
    )
    file = tmp_path / "ratings.csv"
    file.write_text(form_table(services), encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    told = {(row["rater"], row["dimension"]): row["value"] for row in rows}
    assert told == {
        ("ann", "concept"): "2.5",
        ("ann", "task"): "1",
        ("ann", "composition"): "3",
        ("'=bo", "concept"): "2",
        ("'=bo", "task"): "0",
    }
    by_dimension = read_ratings(file).by_dimension()
    assert by_dimension["concept"] == {items[0].picture.sha256: [2.5, 2.0]}
    (paper,) = [each for each in read_papers() if each.name == "factualbench"]
    (table,) = [each for each in paper.tables if each.name == "4"]
    means, complaints = read_image_ratings(file, table)
    key = items[0].model, prompt_key(PROMPT)
    assert means["concept"] == {key: pytest.approx(2.25 / 4)}
    assert means["composition"] == {key: pytest.approx(3 / 4)}
    assert complaints == []
    file.write_text("model,prompt,value\nm/a,a  cafe\u0301 ,2\n", encoding="utf-8")
    means, _ = read_image_ratings(file, table)
    assert means[""] == {("m/a", prompt_key("a caf\u00e9")): pytest.approx(0.5)}
