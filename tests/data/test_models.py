"""The file of models is read as it is, and what is wrong in it is named."""

from pathlib import Path

import pytest

from data.models import BadModels, read_models


def test_every_model_of_ours_has_a_title_and_says_how_simulated_it_is() -> None:
    models = read_models()
    assert all(spec.title and spec.roles for spec in models.values())
    violations = [models[f"primer/{name}"].settings["violation"] for name in ("exact", "careful", "hasty", "careless")]
    assert violations == [0, 0.15, 0.4, 0.75]
    assert {models[f"primer/{name}"].kind for name in ("exact", "careful", "hasty", "careless")} == {"simulated"}
    assert models["primer/judge"].repository == "embedded:judge"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1, 2]", "holds no entries"),
        ("a: {title: A, roles: [judge], backend: [", "cannot be read"),
        ("a: 5", "'a' of 'models.yaml' is not a list of fields"),
        ("a: {title: A, roles: [judge]}", "has no 'backend'"),
        ("a: {title: A, roles: [painter], backend: x}", "unknown role 'painter'"),
        ("a: {title: A, roles: [judge], backend: x, kind: magic}", "unknown kind 'magic'"),
        ("a: {title: A, roles: [judge], backend: x, prize: 5}", "unknown field 'prize'"),
    ],
)
def test_what_is_wrong_is_named_by_file_entry_and_field(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "models.yaml").write_text(text)
    with pytest.raises(BadModels, match=said):
        read_models(tmp_path / "models.yaml")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadModels, match=r"missing\.yaml"):
        read_models(tmp_path / "missing.yaml")
