"""A card says what the judge made of a question, and where it is wrong it says that."""

import base64
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hallascope.data.records import Letter, Question, State, Verdict
from hallascope.engine.errors import BadRequest
from hallascope.engine.export.folder import HoldsSecret
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.true_answers import TrueAnswer
from hallascope.pages.sharing import panel
from hallascope.pages.sharing.addresses import CardAddress, CardSigner
from hallascope.pages.sharing.card_text import question_headline, share_card
from tests.support.shared_runs import EVIL, keep, rate

# --- texts ---


QUESTION = Question(
    text="How many hydrogen atoms are there?",
    choices=("Three", "Four", "Five", "Six", "None of the above"),
    gold="B",
    coi="counting",
)


def verdict(answer: Letter | None, state: State) -> Verdict:
    return Verdict(question=QUESTION, answer=answer, state=state, raw="")


def truth(letter: Letter) -> TrueAnswer:
    return TrueAnswer(letter, QUESTION.choice(letter), "drawn")


@pytest.mark.parametrize(
    "answer, true, begins, kind",
    [
        ("B", "B", "The judge is right", "right"),
        ("A", "A", "Found: the judge sees this error", "right"),
        ("C", "A", "Found, but the judge’s own answer is wrong", "wrong"),
        ("B", "A", "Missed: the judge does not see this error", "wrong"),
        ("A", "B", "False alarm: the judge is wrong", "wrong"),
    ],
)
def test_a_wrong_verdict_is_never_shown_without_saying_so(
    answer: Letter, true: Letter, begins: str, kind: str
) -> None:
    state: State = "correct" if answer == "B" else "incorrect"
    headline = question_headline(verdict(answer, state), truth(true))
    assert headline[0].startswith(begins)
    assert headline[1] == kind


def test_an_unknown_truth_is_said_to_be_unknown() -> None:
    words, kind = question_headline(verdict("B", "correct"), None)
    assert words == "Judged correct; the truth is not known"
    assert kind == "open"


# --- cards of a stored run ---


@pytest.fixture
def services(tmp_path_factory: pytest.TempPathFactory) -> Services:
    store = Store(folder=tmp_path_factory.mktemp("home"))
    keep(store)
    keep(store, "run2", "sk-proj-abcdefghijklmnop1234")
    return Services(store, {})


def address(choice: str = "image", metric: str = "ihalla", image: str = "run1-1") -> CardAddress:
    return CardAddress("run1", image, metric, choice)


def test_the_card_of_a_question_has_expected_judged_and_truth(services: Services) -> None:
    card = share_card(services, address("question=1"), "example.org")
    assert card.title == "How many hydrogen atoms are there?"
    assert card.rows == (("Expected", "four"), ("Judge", "three"), ("Truth", "not known"))
    assert card.headline == "Judged incorrect; the truth is not known"
    assert "primer/hasty, seed 1 · judge primer/judge · I-HallA version 2" in card.about
    assert EVIL not in card.alt


def test_the_card_of_a_finding_lights_its_segments(services: Services) -> None:
    card = share_card(services, address("finding=2", "fig"), "")
    assert card.title == "Color: a red molecule"
    assert card.rows == (("In prompt", "a red molecule"), ("In image", "a blue molecule"))
    assert card.regions
    extra = share_card(services, address("finding=3", "fig"), "")
    assert extra.rows[0] == ("In prompt", "nothing")
    assert extra.regions == (((0.7, 0.7), (0.9, 0.7), (0.9, 0.9), (0.7, 0.9)),)


def test_the_card_of_an_image_names_a_judge_only_where_one_judged(services: Services) -> None:
    by_judge = share_card(services, address(), "")
    assert "judge" in by_judge.headline
    assert by_judge.rows[0][0] == "Judge"
    by_metric = share_card(services, address(metric="fig"), "")
    assert "FiG" in by_metric.headline
    assert "judge" not in " ".join((by_metric.headline, *by_metric.rows[0])).lower()


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        (address(image="run1-9"), "no such image"),
        (address("question=9"), "has not answered"),
        (address("finding=9", "fig"), "no such finding"),
    ],
)
def test_what_is_not_there_has_no_card(
    services: Services, wrong: CardAddress, sentence: str
) -> None:
    with pytest.raises(BadRequest, match=sentence):
        share_card(services, wrong, "")


def test_a_key_in_a_prompt_does_not_leave(services: Services) -> None:
    with pytest.raises(HoldsSecret, match="a key of a service"):
        share_card(services, CardAddress("run2", "run2-0", "ihalla", "image"), "")


# --- buttons ---


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Services]:
    store = Store(folder=tmp_path / "home")
    keep(store)
    rate(store, rater="Ann")
    yield Services(store, {})
    store.close()


def content(file: dict[str, str]) -> bytes:
    return base64.b64decode(file["base64"])


def test_a_card_has_an_address_and_a_link_that_names_it(shared: Services) -> None:
    made = panel.share_card(shared, "run1", "run1-0", "", "question=1")
    address = CardSigner(shared.signer).read_path(f"/{made['card']}")
    assert address is not None
    assert (address.image, address.metric, address.choice) == ("run1-0", "ihalla", "question=1")
    assert made["query"].startswith("run=run1&image=run1-0&question=1&share=ihalla.")
    assert "How many hydrogen atoms" in made["alt"]


def test_an_export_holds_what_is_checked_and_nobody_by_name(shared: Services) -> None:
    file = panel.export_selection(shared, "run1", "jsonl", ["run1-1"])
    records = [json.loads(line) for line in content(file).decode().splitlines()]
    assert [record["kind"] for record in records] == ["run", "picture", "evaluation", "evaluation"]
    assert records[1]["generation"] == "run1-1"
    assert b"Ann" not in content(panel.export_selection(shared, "run1", "jsonl"))
    assert file["name"] == "hallascope-run1.jsonl"


def test_every_format_is_written(shared: Services) -> None:
    for name in ("csv", "latex", "fiftyone"):
        file = panel.export_selection(shared, "run1", name)
        assert content(file)
    with zipfile.ZipFile(io.BytesIO(content(file))) as packed:
        names = packed.namelist()
    assert {"samples.json", "metadata.json"} <= set(names)
    assert sum(name.endswith(".png") for name in names) == 2
