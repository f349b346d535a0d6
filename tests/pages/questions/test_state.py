"""From a prompt and pictures to questions for review, moment by moment, and everything that can
fail in one sentence.
"""

import threading
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.components.questions import review
from hallascope.data.requests import Failure
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning
from hallascope.pages.questions import page, state
from hallascope.pages.questions.state import QuestionRequest, ReasoningDraftState
from tests.pages.questions.conftest import JUDGE, PROMPT, WRITER, drafted
from tests.support import question_writers


@pytest.fixture
def pictures(tmp_path: Path) -> tuple[Path, Path]:
    for name, color in (("right", "green"), ("wrong", "red")):
        Image.new("RGB", (64, 48), color).save(tmp_path / f"{name}.png")
    return tmp_path / "right.png", tmp_path / "wrong.png"


def thought(
    services: Any,
    request: QuestionRequest,
    standing: str = "",
    known: ReasoningDraftState | None = None,
) -> list[state.ReasoningView]:
    return list(
        state.reasoning_views(
            services=services,
            request=request,
            terms=SpendingPolicy(),
            standing=standing,
            known=known or ReasoningDraftState(),
            stop=threading.Event(),
        )
    )


def test_a_model_that_is_named_in_words_goes_before_the_chosen_one() -> None:
    found = state.question_request(
        prompt=PROMPT,
        writer=[WRITER],
        other_writer=" openai/new ",
        judge=[JUDGE],
        other_judge="",
        right=["/tmp/a.png"],
        wrong=None,
    )
    assert found == QuestionRequest(PROMPT, "openai/new", JUDGE, (Path("/tmp/a.png"),))


def test_without_a_writer_one_sentence_says_what_to_do() -> None:
    with pytest.raises(BadRequest, match="No writer is chosen"):
        state.question_request(
            prompt=PROMPT,
            writer=[],
            other_writer="",
            judge=[JUDGE],
            other_judge="",
            right=None,
            wrong=None,
        )


def test_five_answers_a_picture_come_one_by_one_and_are_merged(
    services: Any, pictures: tuple[Path, Path]
) -> None:
    right, wrong = pictures
    moments = thought(services, QuestionRequest(PROMPT, WRITER, JUDGE, (right,), (wrong,)))
    assert moments[0].told.count("<article") == 2
    last = moments[-1]
    assert last.reasoning == question_writers.REASONING
    # Each of the four kept answers has the word and its class.
    assert last.told.count("kept") == 8
    assert "4 of 10 answers kept" in last.status
    assert last.known
    assert (last.known.prompt, last.known.judge) == (PROMPT, JUDGE)


def test_without_pictures_the_writer_reasons_and_no_judge_is_named(services: Any) -> None:
    last = thought(services, QuestionRequest(PROMPT, WRITER, JUDGE))[-1]
    assert (last.reasoning, last.told) == (question_writers.REASONING, "")
    assert last.known
    assert last.known.judge == ""


@pytest.mark.parametrize(
    ("standing", "last", "shown"),
    [
        ("", "", "new"),
        ("old", "old", "new"),
        ("mine", "old", "mine\n\nnew"),
        ("mine\n\nold", "old", "mine\n\nnew"),
        ("mine\n\nnew", "new", "mine\n\nnew"),
        ("new", "", "new"),
    ],
)
def test_reasoning_that_a_person_wrote_is_not_lost(standing: str, last: str, shown: str) -> None:
    assert state.append_reasoning(standing, last, "new") == shown


def test_a_picture_that_is_none_gives_one_sentence(services: Any, tmp_path: Path) -> None:
    (tmp_path / "no.png").write_text("no image")
    with pytest.raises(HallaScopeError, match=r"'no\.png' is no image"):
        thought(services, QuestionRequest(PROMPT, WRITER, JUDGE, (tmp_path / "no.png",)))


def test_made_questions_come_to_review_and_the_others_with_their_reason(services: Any) -> None:
    last = drafted(services)[-1]
    assert last.sheet
    assert len(last.sheet["rows"]) == 4
    assert "Set 5: it has no answer" in str(last.rejected)
    assert "4 new questions to review" in last.status
    assert "<b onclick" not in str(last.rejected)


def test_how_they_were_made_is_kept_with_them() -> None:
    reasoned = MergedReasoning("text", difficulty={"ab": "hard"}, templates={"ihalla_reason": "1"})
    known = ReasoningDraftState(PROMPT, JUDGE, reasoned)
    made = GeneratedQuestions(templates={"ihalla_questions": "2"})
    found = state.made_set(
        QuestionRequest(PROMPT, WRITER), "text", known, made, "2026-01-02"
    ).provenance
    assert found
    assert (found.judge, found.writer, found.reasoning, found.made) == (
        JUDGE,
        WRITER,
        "text",
        "2026-01-02",
    )
    assert (found.templates, found.difficulty) == (
        {"ihalla_reason": "1", "ihalla_questions": "2"},
        {"ab": "hard"},
    )
    other = state.made_set(
        QuestionRequest("a cat", WRITER), "text", known, made, "2026-01-02"
    ).provenance
    assert other
    assert (other.judge, other.difficulty) == (
        "",
        {},
    ), "what was found out about another prompt is not claimed"


def test_another_draw_gives_others_and_leaves_what_a_person_changed(services: Any) -> None:
    first = drafted(services)[-1].sheet
    assert first
    first["rows"][1]["text"] = "Mine?"
    second = drafted(services, first, ReasoningDraftState(draw=1))[-1]
    assert second.sheet
    texts = [row["text"] for row in second.sheet["rows"]]
    assert [text.endswith("in draw 1?") for text in texts] == [True] * 4 + [False]
    assert texts[-1] == "Mine?"
    assert "those you changed stand below them" in second.status


def test_a_writer_that_fails_leaves_the_sheet_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        question_writers,
        "writes",
        lambda request: Failure("refused", "The service <b>refused</b>."),
    )
    services = question_writers.build(tmp_path / "other")
    last = drafted(services)[-1]
    assert last.sheet is None
    assert "The service &lt;b&gt;refused&lt;/b&gt;." in last.status
    services.store.close()


def test_questions_written_by_hand_take_the_prompt_of_the_page_and_the_day(services: Any) -> None:
    row = {"coi": "size", "text": "New?", "choices": ["1", "2", "3", "4"], "gold": "A", "was": None}
    found = state.edited_set({**review.empty_sheet(), "rows": [row]}, " a  cat ", "2026-01-02")
    assert found.provenance
    assert (found.prompt, found.source, found.provenance.made) == ("a cat", "by hand", "2026-01-02")
    line, *_ = page.save(services, review.empty_sheet(), "")
    assert "The prompt is empty" in line
