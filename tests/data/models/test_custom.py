"""An entry is written into a person's own file of models, and what stands there stays."""

from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.models.custom import append, entry
from hallascope.data.models.specs import BadModels, ModelSpec, Price, read_models


@pytest.mark.parametrize(
    "spec",
    [spec for spec in read_models().values() if not (spec.price and spec.price.date)],
    ids=lambda spec: spec.id,
)
def test_an_entry_that_is_written_is_read_as_it_was(spec: ModelSpec, tmp_path: Path) -> None:
    append(tmp_path / "mine.yaml", spec)
    assert read_models(tmp_path / "mine.yaml") == {spec.id: spec}
    assert set(entry(spec)) >= {"title", "roles", "backend"}


def test_what_stands_in_the_file_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("# mine\na: {title: A, roles: [judge], backend: openai} # good\n")
    append(file, read_models()["sd-turbo"])
    assert file.read_text().startswith(
        "# mine\na: {title: A, roles: [judge], backend: openai} # good\n"
    )
    assert list(file.parent.iterdir()) == [file]


def test_a_file_that_cannot_be_read_or_written_is_left_alone_with_one_sentence(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("a: [")
    with pytest.raises(BadModels, match=r"mine\.yaml, line 1: This is no YAML .*: mend it\.$"):
        append(file, read_models()["sd-turbo"])
    assert file.read_text() == "a: ["
    with pytest.raises(BadModels, match=r"cannot be written .*: name another in HALLASCOPE_MODELS"):
        append(file / "below.yaml", read_models()["sd-turbo"])


def test_an_entry_names_only_what_differs_from_what_is_usual_and_no_price_but_free() -> None:
    spec = ModelSpec(id="mine", title="Mine", roles=("judge",), backend="openai")
    plain = {"title": "Mine", "roles": ["judge"], "backend": "openai"}
    assert entry(spec) == plain
    assert entry(replace(spec, price=Price())) == plain | {"price": "free"}
    assert entry(replace(spec, price=Price(date="2026-01-01", input=1.0))) == plain


def test_a_model_that_stands_in_the_file_is_not_written_again(tmp_path: Path) -> None:
    spec = ModelSpec(id="mine", title="Mine", roles=("judge",), backend="openai")
    append(tmp_path / "mine.yaml", spec)
    with pytest.raises(BadModels, match=r"^There is a model 'mine' in .* already: change it there"):
        append(tmp_path / "mine.yaml", replace(spec, title="Another"))
