"""From a prompt and images to questions that a person accepts, saves, and brings back."""

import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr
import pytest
from PIL import Image

from hallascope.data.records import QuestionSet
from hallascope.data.requests import Failure
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning
from hallascope.pages.questions import page, saved_sets, state
from hallascope.pages.questions.state import QuestionRequest, ReasoningDraftState
from hallascope.pages.shared.server_functions import server_functions
from tests.support import question_writers
from tests.support.started_runs import started

PROMPT, WRITER, JUDGE = question_writers.PROMPT, "scripted/writer", "primer/judge"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    found = question_writers.build(tmp_path / "home")
    yield found
    found.store.close()


def drafted(
    services: Any,
    held: object = None,
    known: ReasoningDraftState | None = None,
    prompt: str = PROMPT,
) -> list[state.QuestionDraftView]:
    request = QuestionRequest(prompt, WRITER)
    return list(
        state.draft_views(
            started(services),
            request,
            question_writers.REASONING,
            held,
            known or ReasoningDraftState(),
        )
    )


# --- drafts ---


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
        state.reasoning_views(started(services), request, standing, known or ReasoningDraftState())
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


@pytest.mark.parametrize(
    "standing, last, shown",
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
    assert "questions that you changed are below them" in second.status


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


# --- saved sets ---


def test_an_accepted_set_is_found_by_its_prompt_and_the_one_before_can_be_brought_back(
    services: Any,
) -> None:
    sheet = drafted(services)[-1].sheet
    assert sheet
    line, *_ = page.save(services, sheet, "")
    assert "4 questions saved for “a molecule of methane”" in line
    before = services.sets.for_prompt(PROMPT)
    assert before.source == "made"
    sheet["rows"][0]["gold"] = "B"
    *_, earlier = page.save(services, sheet, "")
    assert earlier == (before,)
    assert services.sets.for_prompt(PROMPT).questions[0].gold == "B"
    after = services.sets.for_prompt(PROMPT)
    assert saved_sets.restore_sets(services, earlier)[1] == (after,)
    assert services.sets.for_prompt(PROMPT) == before


def test_a_set_saved_after_a_removal_is_not_replaced_by_what_was_removed(services: Any) -> None:
    kept = accepted(services)
    removed = saved_sets.remove_set(services, PROMPT)[1]
    assert removed == (kept,)
    other = replace(kept, prompt="a cat")
    *_, earlier = page.save(services, drafted(services)[-1].sheet, "", (*removed, other))
    assert earlier == (other,)


def accepted(services: Any, prompt: str = PROMPT) -> QuestionSet:
    sheet = drafted(services, prompt=prompt)[-1].sheet
    page.save(services, sheet, prompt)
    return saved_sets.of_prompts(services, [prompt])[0]


@pytest.mark.parametrize("form", ["xlsx", "jsonl"])
def test_a_set_written_to_a_file_and_taken_in_again_is_the_same(
    services: Any, tmp_path: Path, form: str
) -> None:
    kept = accepted(services)
    file = saved_sets.export_sets(services, PROMPT, form)
    assert file["name"] == f"a-molecule-of-methane.{form}"
    (tmp_path / file["name"]).write_bytes(base64.b64decode(file["base64"]))
    line, earlier = saved_sets.remove_set(services, PROMPT)
    assert (services.sets.all(), earlier) == ([], (kept,))
    assert "are removed" in line
    line, _ = saved_sets.import_sets(services, str(tmp_path / file["name"]))
    assert "1 set saved" in line
    assert services.sets.all() == [kept]


def test_a_file_replaces_what_was_there_and_that_can_be_brought_back(
    services: Any, tmp_path: Path
) -> None:
    kept = accepted(services)
    services.sets.export(tmp_path / "q.jsonl")
    services.sets.save(replace(kept, questions=kept.questions[:1]))
    line, earlier = saved_sets.import_sets(services, str(tmp_path / "q.jsonl"))
    assert "1 replaced earlier ones" in line
    assert [len(one.questions) for one in earlier] == [1]


def test_a_damaged_file_gives_its_complaints_as_text(services: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text(
        '{"prompt": "a cat", "questions": [{"question": "<b>?", "choices": []}]}\nno json\n'
    )
    line, _ = saved_sets.import_sets(services, str(tmp_path / "bad.jsonl"))
    assert "0 sets saved from bad.jsonl" in line
    assert "bad.jsonl, row 2: is no JSON object" in line
    (tmp_path / "bad.xlsx").write_bytes(b"PK no workbook")
    line, _ = saved_sets.import_sets(services, str(tmp_path / "bad.xlsx"))
    assert "bad.xlsx" in line


def test_what_is_not_there_any_more_gives_one_sentence(services: Any) -> None:
    assert "There are no saved questions" in saved_sets.remove_set(services, PROMPT)[0]
    assert (
        "There are no saved questions"
        in server_functions(services, saved_sets.export_sets)[0](
            {"prompt": None, "form": "xlsx"}, gr.Request()
        )["wrong"]
    )
