"""What leaves for FiftyOne, LaTeX, the methods paragraph and the Hub holds what the store says and
no key.
"""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.export import records
from hallascope.engine.export.folder import HoldsSecret
from hallascope.engine.export.formats import (
    ExportSource,
    read_selection,
)
from hallascope.engine.export.methods import MethodsText, describe_methods
from hallascope.engine.export.writers.latex import (
    escape_latex,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.store import PictureSlot, Store
from tests.support.exports import export_runs, read_table
from tests.support.shared_runs import PROMPT, keep, keep_corrected, rate


def samples_of(out: Path) -> list[dict[str, Any]]:
    samples: list[dict[str, Any]] = json.loads((out / "samples.json").read_text("utf-8"))["samples"]
    return samples


def test_every_image_is_a_sample_that_says_what_the_store_says(
    store: Store, tmp_path: Path
) -> None:
    keep(store)
    out = tmp_path / "out"
    export_runs(store, "fiftyone", out)
    metadata = json.loads((out / "metadata.json").read_text("utf-8"))
    fields = {field["db_field"]: field for field in metadata["sample_fields"]}
    samples = samples_of(out)
    assert [sample["model"] for sample in samples] == ["primer/exact", "primer/hasty"]
    for sample, shot in zip(samples, store.generated_pictures("run1"), strict=False):
        assert sample["filepath"] == f"data/{shot.image}.png"
        assert shot.path is not None
        assert (out / sample["filepath"]).read_bytes() == shot.path.read_bytes()
        assert set(sample) <= set(fields)
        for name in ("regions", "segments", "detections", "verdicts", "findings", "scores"):
            (declared,) = fields[name]["fields"]
            known = {field["db_field"] for field in declared["fields"]} | {"_cls"}
            labels = sample[name][declared["name"]]
            assert declared["embedded_doc_type"].endswith(sample[name]["_cls"].removesuffix("s"))
            assert all(set(label) <= known for label in labels), name
    sample = samples[1]
    (counting, color) = sample["verdicts"]["classifications"]
    assert (counting["label"], counting["expected"], counting["answer"]) == (
        "incorrect",
        "four",
        "three",
    )
    assert counting["confidence"] == 0.75
    assert (color["label"], "answer" in color) == ("failed", False)
    box = sample["detections"]["detections"][0]
    assert box["label"] == "molecule"
    assert box["bounding_box"] == pytest.approx([0.1, 0.1, 0.5, 0.5])
    (outline,) = sample["segments"]["polylines"]
    assert outline["closed"]
    assert all(0 <= value <= 1 for point in outline["points"][0] for value in point)
    scores = {label["label"]: label["value"] for label in sample["scores"]["classifications"]}
    assert scores == {"ihalla": 0.0, "fig": 0.5}


def test_a_missing_image_is_left_out_and_named(store: Store, tmp_path: Path) -> None:
    keep(store)
    shot = store.generated_pictures("run1")[0]
    assert shot.path is not None
    shot.path.unlink()
    summary = export_runs(store, "fiftyone", tmp_path / "out")
    assert summary.missing == [shot.image]
    assert len(samples_of(tmp_path / "out")) == 1


# What LaTeX makes of an escape, said apart from how it is written.
MEANINGS = {
    r"\textbackslash{}": "\\",
    r"\{": "{",
    r"\}": "}",
    r"\$": "$",
    r"\&": "&",
    r"\#": "#",
    r"\%": "%",
    r"\_": "_",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"{\char34}": '"',
    r"\textasciigrave{}": "`",
    "-{}": "-",
    "'{}": "'",
    "{[}": "[",
    "{*}": "*",
}
TOKEN = re.compile("|".join(map(re.escape, MEANINGS)) + r"|[^\\{}$&#%_^~<>|\"`]", re.S)


def read_latex(text: str) -> str:
    """What LaTeX prints of a text. Raises ValueError where it has a command of any other kind."""
    printed = []
    place = 0
    while place < len(text):
        token = TOKEN.match(text, place)
        if token is None:
            raise ValueError(f"{text[place : place + 20]!r} is a command")
        printed.append(MEANINGS.get(token.group(), token.group()))
        place = token.end()
    return "".join(printed)


@given(st.text())
def test_latex_prints_any_text_as_it_stands(text: str) -> None:
    escaped = escape_latex(text)
    cleaned = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+", " ", text).strip()
    assert read_latex(escaped) == cleaned
    assert not re.search(r"--|''|``|\n|^[\[*]", escaped), "nothing is a dash, a quote or an option"


def write_latex(store: Store, out: Path) -> str:
    export_runs(store, "latex", out, "all")
    return (out if out.suffix else out / "tables.tex").read_text("utf-8")


def test_scores_stand_by_model_and_metric_with_interval_and_n(store: Store, tmp_path: Path) -> None:
    keep(store, "run0", "another prompt", models=("primer/exact",))
    keep(store)
    text = write_latex(store, tmp_path / "out.tex")
    head, rest = text.split(r"\end{table}")
    assert r"Model & FiG & I-HallA \\" in head
    assert re.search(
        r"primer/exact & 0\.50 \[.*\] \(n = 2, 0 left out\) & 1\.00 \[0\.\d\d, 1\.00\] ", head
    )
    assert r"primer/hasty & 0.50 (n = 1, 0 left out) & 0.00 (n = 1, 0 left out) \\" in head, (
        "one prompt has no interval"
    )
    assert "95 \\% interval by prompt" in head
    for rule in (r"\toprule", r"\midrule", r"\bottomrule"):
        assert rule in head
        assert rule in rest


def test_numbers_by_two_line_ups_of_models_have_a_column_each(store: Store, tmp_path: Path) -> None:
    keep(store)
    keep(store, "run2")
    for one in store.evaluations("run2"):
        store.keep_evaluation("run2", replace(one, lineup={"detector": "d/two"}), "")
    head, _ = write_latex(store, tmp_path / "out.tex").split(r"\end{table}")
    assert r"Model & FiG (1) & FiG (2) & I-HallA (1) & I-HallA (2) \\" in head
    assert "FiG (1): version 1, detector d/two; FiG (2): version 1; " in head


def test_a_row_has_seven_cells_whatever_stands_in_them(store: Store, tmp_path: Path) -> None:
    keep(store, prompt=r"a & b \\ \end{longtable} % _ ^ {")
    text = write_latex(store, tmp_path / "out")
    rows = [line for line in text.split(r"\endfoot")[1].splitlines() if line.startswith("primer/")]
    assert len(rows) == 10
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) == 6
        assert row.endswith(r" \\")
    assert text.count(r"\end{longtable}") == 1


def describe(store: Store, runs: str = "all") -> MethodsText:
    names = records.select_runs(store, runs)
    return describe_methods(ExportSource(services=Services(store, {}), runs=names))


def test_it_names_images_models_seeds_versions_and_judge(store: Store) -> None:
    keep(store)
    text = describe(store).paragraph
    assert "We generated 2 images of the prompt “a molecule of methane” with primer/exact" in text
    assert "primer/hasty (revision r1, seed 1)" in text
    assert "1 image could not be made and was left out." in text
    assert "I-HallA [lim2025ihalla], version 2, was computed on 2 images" in text
    assert "judge primer/judge (revision j1)" in text
    assert "FiG [fig], version 1, was computed on 2 images" in text
    assert "Of 4 questions, 2 had no answer that could be read and were left out" in text
    assert "of one prompt, so that there is no interval" in text
    keep(store, "run2")
    keep_corrected(store)
    keep_corrected(store, "run2")
    text = describe(store).paragraph
    assert "What 1 prompt asked for was corrected by people" in text
    assert "Ann" not in text


def test_what_two_runs_say_of_the_same_images_counts_once(store: Store) -> None:
    keep(store)
    alone = describe(store)
    slots = [
        PictureSlot(shot.generation, PROMPT, shot.model, "r1", shot.seed, {})
        for shot in store.generated_pictures("run1")
    ]
    store.start_run("run2", store.run("run1").request, slots)
    for one in store.evaluations("run1"):
        store.keep_evaluation("run2", one, "j1" if one.judge else "")
    assert describe(store) == alone


def test_a_key_in_a_prompt_does_not_leave(store: Store) -> None:
    keep(store, prompt="sk-proj-abcdefghijklmnop1234")
    with pytest.raises(HoldsSecret, match="a key of a service"):
        describe(store)


def test_images_are_chosen_by_name_or_sha256_and_verdicts_by_outcome_and_type(
    store: Store, tmp_path: Path
) -> None:
    keep(store)
    first, second, _ = store.generated_pictures("run1")
    rate(store)
    for number, name in enumerate((first.generation, first.image or "")):
        out = tmp_path / f"out{number}"
        summary = export_runs(store, "csv", out, selection=read_selection(images=name))
        assert (summary.pictures, summary.ratings) == (1, 4)
        assert {row["image"] for row in read_table(out / "verdicts.csv")} == {first.image}
    out = tmp_path / "other"
    assert (
        export_runs(store, "csv", out, selection=read_selection(images=second.generation)).ratings
        == 0
    )
    assert read_table(out / "people.csv") == [], "what people say of other images stays"
    out = tmp_path / "wrong"
    summary = export_runs(
        store, "csv", out, selection=read_selection(outcomes="incorrect", cois="counting")
    )
    (row,) = read_table(out / "verdicts.csv")
    assert (row["model"], row["coi"], row["state"]) == ("primer/hasty", "counting", "incorrect")
    assert (summary.pictures, summary.evaluations, summary.verdicts) == (1, 1, 1)
