"""The store keeps everything whole and once, on SQLite and on PostgreSQL alike."""

import errno
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import text

from hallascope.data.evidence import Evidence
from hallascope.data.records import (
    NONE_OF_THE_ABOVE,
    Category,
    Question,
    QuestionSet,
    Report,
    Score,
    Verdict,
)
from hallascope.data.requests import Answer, Failure, Generated
from hallascope.engine.errors import StoreError, UnknownRun
from hallascope.engine.events import EvaluateRequest, Evaluation
from hallascope.engine.storage import database
from hallascope.engine.storage.images import ImageStore
from hallascope.engine.storage.store import PictureSlot, Store, home
from tests.support.images import png

PLACE = PictureSlot(
    id="g1", prompt="a cat", model="m/one", revision="1", seed=7, settings={"size": 16}
)


REQUEST = EvaluateRequest(prompt="a cat", models=("m/one",), images=(Path("mine.png"),))


QUESTION = Question(
    text="What color?",
    choices=("Red", "Blue", "Green", "White", NONE_OF_THE_ABOVE),
    gold="B",
    coi="color",
    regions=("fur",),
)


def report(state: str = "correct") -> Report:
    verdict = Verdict(
        question=QUESTION,
        answer="B",
        state=state,  # type: ignore[arg-type]
        raw="B) Blue",
        probability=0.9,
    )
    return Report(
        metric="ihalla",
        version="1",
        prompt="a cat",
        image="00ff",
        scores={"score": Score(1.0, 2, 0), "strict": Score(1.0, 1, 0)},
        verdicts=(verdict, verdict),
        published={"score": 1.0},
    )


def evaluation(state: str = "correct", trial: int = 0) -> Evaluation:
    return Evaluation(
        generation="g1",
        model="m/one",
        image="00ff",
        metric="ihalla",
        judge="j/one",
        trial=trial,
        report=report(state),
    )


def count(store: Store, table: str) -> int:
    with store.database.engine.connect() as connection:
        return int(connection.execute(text(f"select count(*) from {table}")).scalar_one())


def test_a_run_comes_back_as_it_was_kept(store: Store) -> None:
    store.start_run("r", REQUEST, [PLACE], [QUESTION], "A notice.")
    record = store.run("r")
    assert (record.request, record.questions, record.notice, record.state) == (
        REQUEST,
        (QUESTION,),
        "A notice.",
        "running",
    )
    store.end_run("r", "finished")
    assert store.run("r").state == "finished"
    assert [head.id for head in store.runs()] == ["r"]
    with pytest.raises(UnknownRun, match="'nothing'"):
        store.run("nothing")


def test_an_image_is_a_file_named_by_its_hash_with_its_settings_inside(store: Store) -> None:
    store.start_run("r", REQUEST, [PLACE])
    image = store.keep_image(png(size=1000), {"prompt": "a cät", "seed": "7"})
    shot = store.keep_picture(PLACE, image, Generated(b"", notes={"steps": 3}), 0.5)
    assert image.path == store.folder / "images" / image.sha256[:2] / f"{image.sha256[2:]}.png"
    with Image.open(image.path) as kept:
        assert (kept.size, kept.text) == ((1000, 1000), {"prompt": "a cät", "seed": "7"})  # type: ignore[attr-defined]
    assert shot.thumbnail == image.path.with_suffix(".webp")
    assert store.generated_pictures("r") == [shot]
    assert (shot.state, shot.seconds, shot.notes, shot.picture) == (
        "done",
        0.5,
        {"steps": 3},
        image,
    )
    assert store.median_seconds("m/one") == 0.5


def test_of_two_processes_that_generate_an_image_the_first_keeps_it(store: Store) -> None:
    store.start_run("r", REQUEST, [PLACE])
    first, second = (store.keep_image(png(size=size)) for size in (16, 17))
    assert store.keep_picture(PLACE, first, Generated(b"")).image == first.sha256
    assert store.keep_picture(PLACE, second, Generated(b"")).image == first.sha256
    first.path.unlink()
    assert store.keep_picture(PLACE, second, Generated(b"")).image == second.sha256


def test_a_failure_is_kept_with_its_kind_and_never_overwrites_a_picture(store: Store) -> None:
    store.start_run("r", REQUEST, [PLACE])
    late = Failure("timeout", "Too slow.", 4)
    assert store.keep_failure(PLACE, late).failure == late
    image = store.keep_image(png())
    done = store.keep_picture(PLACE, image, Generated(b"", truth={"values": {"legs": 5}}))
    assert done.failure is None
    assert store.keep_failure(PLACE, late).state == "done"
    assert (store.truth(image.sha256), store.truth("ff")) == ({"values": {"legs": 5}}, None)


def test_questions_are_found_and_removed_by_their_prompt_whatever_its_capitals_and_spaces(
    store: Store,
) -> None:
    sets = [
        QuestionSet(
            prompt=prompt,
            questions=(QUESTION,),
            category=Category.BIOLOGY,
            domain="animal",
            source="made",
        )
        for prompt in ("a zebra", "An  ant", "a bee")
    ]
    for kept in sets:
        store.keep_question_set(kept)
    assert (store.question_set("an ANT "), store.question_set("a dog")) == (sets[1], None)
    assert store.question_sets() == [sets[2], sets[0], sets[1]]
    store.remove_question_set("AN  ANT")
    store.remove_question_set("never there")
    assert store.question_sets() == [sets[2], sets[0]]


def test_the_sign_nul_and_a_seed_of_more_than_32_bits_are_kept(store: Store) -> None:
    request = EvaluateRequest(prompt="a\0cat", models=("m/one",))
    store.start_run("r", request, [PLACE._replace(seed=2**40)], notice="no\0tice")
    assert [shot.seed for shot in store.generated_pictures("r")] == [2**40]
    evidence = Evidence(caption="A “red”\0cat.", notes=("One was left out.",))
    verdict = replace(report().verdicts[0], raw="B)\0Blue")
    said = replace(report(), verdicts=(verdict,), evidence=evidence)
    store.keep_evaluation("r", replace(evaluation(), report=said))
    store.keep_replies({"k": Answer("B)\0Blue")})
    assert store.evaluations("r")[0].report == said
    assert store.replies(["k"]) == {"k": Answer("B)\0Blue")}
    assert store.run("r").request.prompt == "a\0cat"


def test_replies_come_back_by_key_more_than_one_statement_takes(store: Store) -> None:
    replies = {f"k{n}": Answer(str(n), (0.5, 0.5)) for n in range(1100)}
    store.keep_replies(replies)
    assert store.replies([*replies, "other"]) == replies


def test_a_full_disk_for_images_is_one_sentence_and_leaves_no_row(url: str, tmp_path: Path) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    store = Store(url, tmp_path, images=ImageStore(tmp_path / "images", full))
    store.start_run("r", REQUEST, [PLACE])
    with pytest.raises(StoreError, match=r"No space left on device.*: free some space .* is kept"):
        store.keep_image(png())
    assert [shot.state for shot in store.generated_pictures("r")] == ["waiting"]
    store.close()


def test_folder_and_database_are_those_that_the_variables_name(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HALLASCOPE_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    assert home() == tmp_path / ".hallascope"
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path / "there"))
    monkeypatch.setenv("HALLASCOPE_STORE", url)
    store, other = Store(), Store(folder=tmp_path / "other")
    shown = database.display_address(database.parse_url(url))
    assert (store.display_address, store.folder) == (shown, tmp_path / "there")
    assert other.display_address == f"sqlite:///{tmp_path / 'other' / database.FILE}"
    store.close()
    other.close()
