"""The buttons get cards, files and texts of what they name, and a sentence for anything else."""

import base64
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages.sharing.addresses import CardSigner
from hallascope.pages.sharing.panel import ShareAnswers
from tests.support.shared_runs import keep, rate


@pytest.fixture
def answers(tmp_path: Path) -> Iterator[ShareAnswers]:
    store = Store(folder=tmp_path / "home")
    keep(store)
    rate(store, rater="Ann")
    yield ShareAnswers(Services(store, {}), CardSigner(store.folder))
    store.close()


def content(file: dict[str, str]) -> bytes:
    return base64.b64decode(file["base64"])


def test_a_card_has_an_address_and_a_link_that_names_it(answers: ShareAnswers) -> None:
    sent = {"run": "run1", "key": "run1-0", "metric": "", "chosen": "question=1"}
    shared = answers.share_card(sent)
    address = answers.signer.read_path(f"/{shared['card']}")
    assert address is not None
    assert (address.image, address.metric, address.choice) == ("run1-0", "ihalla", "question=1")
    assert shared["query"].startswith("run=run1&image=run1-0&question=1&share=ihalla.")
    assert "How many hydrogen atoms" in shared["alt"]


def test_what_a_card_cannot_show_gives_the_card_of_the_image(answers: ShareAnswers) -> None:
    shared = answers.share_card({"run": "run1", "key": "run1-0", "chosen": "segment=1"})
    assert "/image/ihalla." in shared["card"]


@pytest.mark.parametrize(
    "sent",
    [{}, {"run": "nothing", "key": "x"}, {"run": "run1"}, {"run": "run1", "key": "../../etc"}],
)
def test_what_is_not_there_has_no_address(answers: ShareAnswers, sent: dict[str, str]) -> None:
    with pytest.raises(HallaScopeError):
        answers.share_card(sent)


def test_only_images_that_are_there_can_be_chosen(answers: ShareAnswers) -> None:
    images = answers.export_choices({"run": "run1"})["images"]
    assert [image["key"] for image in images] == ["run1-0", "run1-1"]
    assert images[0]["name"] == "exact, seed 0"


def test_an_export_holds_what_is_checked_and_nobody_by_name(answers: ShareAnswers) -> None:
    sent = {"run": "run1", "format": "jsonl", "images": ["run1-1"]}
    file = answers.export_selection(sent)
    records = [json.loads(line) for line in content(file).decode().splitlines()]
    assert [record["kind"] for record in records] == ["run", "picture", "evaluation", "evaluation"]
    assert records[1]["generation"] == "run1-1"
    assert b"Ann" not in content(answers.export_selection({"run": "run1", "format": "jsonl"}))
    assert file["name"] == "hallascope-run1.jsonl"


def test_every_format_is_written(answers: ShareAnswers) -> None:
    for name in ("csv", "latex", "fiftyone"):
        file = answers.export_selection({"run": "run1", "format": name})
        assert content(file)
    with zipfile.ZipFile(io.BytesIO(content(file))) as packed:
        names = packed.namelist()
    assert {"samples.json", "metadata.json"} <= set(names)
    assert sum(name.endswith(".png") for name in names) == 2


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"format": "exe"}, "no format"),
        ({"format": "csv", "images": ["other"]}, "No image matches"),
        ({"format": "csv", "outcome": "nothing"}, "no outcome"),
    ],
)
def test_wrong_choices_are_refused_in_a_sentence(
    answers: ShareAnswers, sent: dict[str, object], sentence: str
) -> None:
    with pytest.raises(HallaScopeError, match=sentence):
        answers.export_selection({"run": "run1", **sent})


def test_a_run_is_described_with_its_papers(answers: ShareAnswers) -> None:
    text = answers.cite_run({"run": "run1"})
    assert text["paragraph"].startswith("We generated 2 images")
    assert "@software{hallascope," in text["bibtex"]
