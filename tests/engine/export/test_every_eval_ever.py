"""What leaves as Every Eval Ever fits its two schemas, counts what ours counts, and calls nothing
wrong that has no answer.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from hallascope.engine.events import UPLOADED
from hallascope.engine.storage.store import Store
from tests.support import labeled_board
from tests.support.exports import export_runs
from tests.support.filled_store import Said
from tests.support.filled_store import keep as keep_scores
from tests.support.shared_runs import keep

SCHEMAS = Path(__file__).parent / "every_eval_ever"


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    return found


AGGREGATE, INSTANCE = (
    Draft7Validator(schema("eval")),
    Draft7Validator(schema("instance_level_eval")),
)


def documents(out: Path) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Every aggregate with its samples, each held to its schema."""
    for file in sorted(out.rglob("*.json")):
        found = json.loads(file.read_text("utf-8"))
        AGGREGATE.validate(found)
        detailed = found.get("detailed_evaluation_results")
        lines = (
            (out / detailed["file_path"]).read_text("utf-8").split("\n")[:-1] if detailed else []
        )
        samples = [json.loads(line) for line in lines]
        for sample in samples:
            INSTANCE.validate(sample)
        assert len(samples) == (detailed["total_rows"] if detailed else 0)
        yield found, samples


def test_every_model_has_a_file_that_fits_with_its_scores_and_samples(
    store: Store, tmp_path: Path
) -> None:
    keep(store)
    written = export_runs(store, "every-eval-ever", tmp_path / "out")
    found = {
        document["model_info"]["name"]: (document, samples)
        for document, samples in documents(tmp_path / "out")
    }
    assert len(found) == 2
    document, samples = next(pair for pair in found.values() if "hasty" in pair[1][0]["model_id"])
    scores = {
        result["metric_config"]["metric_id"]: result["score_details"]
        for result in document["evaluation_results"]
    }
    assert scores["hallascope.ihalla.score"]["score"] == 0.0
    assert scores["hallascope.ihalla.score"]["details"]["questions_unanswered"] == "1"
    assert scores["hallascope.fig.object"]["score"] == 1.0
    assert "hallascope.fig.chair_i" not in scores, "nothing was counted of it"
    assert [sample["metadata"]["asked"] for sample in samples] == [
        "molecule",
        "a red molecule",
        "How many hydrogen atoms are there?",
    ]
    assert [sample["evaluation"]["is_correct"] for sample in samples] == [True, False, False]
    assert written.verdicts == 10
    results = {result["evaluation_result_id"] for result in document["evaluation_results"]}
    assert {sample["evaluation_result_id"] for sample in samples} <= results
    judged = next(
        r
        for r in document["evaluation_results"]
        if r["metric_config"]["metric_id"] == "hallascope.ihalla.score"
    )
    assert judged["metric_config"]["llm_scoring"]["judges"][0]["model_info"]["id"] == "primer/judge"


def test_what_people_would_give_stands_beside_the_judges_score_only_where_it_may_leave(
    store: Store, tmp_path: Path
) -> None:
    labeled_board.fill(store, prompts=40, labeled=30)

    def details(people: bool) -> dict[str, str]:
        out = tmp_path / str(people)
        export_runs(store, "every-eval-ever", out, labeled_board.RUN, people=people)
        found = {one["model_info"]["id"]: one for one, _ in documents(out)}
        (result,) = (
            result
            for result in found["example/almond"]["evaluation_results"]
            if result["metric_config"]["metric_id"] == "hallascope.ihalla.score"
        )
        said: dict[str, str] = result["score_details"]["details"]
        return said | {"score": str(result["score_details"]["score"])}

    corrected = details(people=True)
    assert corrected["prompts_labeled"] == "30"
    people = float(corrected["corrected_by_people"])
    low, high = (float(corrected[f"corrected_by_people_{end}"]) for end in ("lower", "upper"))
    assert low < people < high < float(corrected["score"]), "the judge overlooks errors"
    assert "corrected_by_people" not in details(people=False)


@pytest.mark.parametrize("model", ["m/one", "sdxl-turbo"])
def test_images_drawn_with_knowledge_are_of_a_model_of_their_own(
    model: str, store: Store, tmp_path: Path
) -> None:
    keep_scores(store, Said(model=model))
    keep_scores(store, Said(model=model, states=("incorrect",), settings={"injected": "text"}))
    export_runs(store, "every-eval-ever", tmp_path / "out", "r")
    found = [document for document, _ in documents(tmp_path / "out")]
    for name in ("id", "name"):
        assert len({document["model_info"][name] for document in found}) == 2
    assert {
        document["model_info"]["additional_details"].get("injected", ""): (
            document["evaluation_results"][0]["score_details"]["score"]
        )
        for document in found
    } == {"": 1.0, "text": 0.0}
    export_runs(store, "latex", tmp_path / "out.tex", "r")
    text = (tmp_path / "out.tex").read_text("utf-8")
    assert text.count(f"{model} + text knowledge") == 2


@pytest.mark.parametrize("model", [UPLOADED, "ollama/some: model", "../../../etc/x", "a/b/c"])
def test_whatever_a_model_is_called_its_file_fits_and_lies_within(
    model: str, store: Store, tmp_path: Path
) -> None:
    keep(store, models=(model,))
    export_runs(store, "every-eval-ever", tmp_path / "out")
    assert len(list(documents(tmp_path / "out"))) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"home", "out"}
