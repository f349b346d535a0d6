"""A written site is complete, and its leaderboard has a table for every metric."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.export.folder import ExportFolder, Secrets
from hallascope.engine.export.formats import ExportSource
from hallascope.engine.leaderboard.board import Board, Corrections, board
from hallascope.engine.services import Services
from hallascope.pages.shared.run_pictures import short_name
from hallascope.pages.site import boards, writer
from tests.support.ranked_store import MODELS, PROMPTS

# --- the whole ---


def write(services: Any, root: Path) -> ExportSource:
    root.mkdir()
    source = ExportSource(services=services, runs=[run.id for run in services.store.runs()])
    writer.write(source, ExportFolder(root, Secrets({})))
    return source


@pytest.fixture
def site(ranked: Services, tmp_path: Path) -> Path:
    write(ranked, tmp_path / "site")
    return tmp_path / "site"


def test_every_link_of_every_page_leads_to_a_file_of_the_site(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) == 1 + len(PROMPTS) + len(PROMPTS) * len(MODELS)
    for page in pages:
        links = re.findall(r'(?:href|src)="([^"#]+)', page.read_text("utf-8"))
        local = [link for link in links if not link.startswith("data:")]
        assert local
        assert [link for link in local if not (page.parent / link).is_file()] == []


def test_a_picture_that_is_gone_is_named_and_has_no_image(
    make_services: Any, tmp_path: Path
) -> None:
    from hallascope.engine.events import EvaluateRequest
    from tests.conftest import says

    services = make_services(says)
    list(services.evaluate(EvaluateRequest(prompt=PROMPTS[0], models=("primer/exact",))))
    run, *_ = services.store.runs()
    (shot,) = services.store.generated_pictures(run.id)
    services.store.images.path(shot.image).unlink()
    source = write(services, tmp_path / "site")
    assert source.summary.missing == [shot.image]
    assert not (tmp_path / "site" / "images").exists()
    (page,) = (tmp_path / "site" / "runs").iterdir()
    assert "<img" not in page.read_text("utf-8")


# --- leaderboards ---


def test_every_model_has_a_row_best_first_that_leads_nowhere(ranked: Services) -> None:
    html = boards.boards(ranked, (), {"ihalla"})
    table = html.partition("</tbody>")[0]
    assert {model for model in MODELS if f"{short_name(model)}</th>" in table} == set(MODELS)
    assert "judged by primer/judge" in html
    assert '<th scope="col">rank</th>' not in html
    assert "Too few prompts for ranks: a model needs at least 20" in html
    values = [float(value) for value in re.findall(r'class="n">([\d.]+)', table)]
    assert len(values) == len(MODELS)
    assert values == sorted(values, reverse=True)
    assert "lead-button" not in html


@pytest.mark.full
def test_scores_corrected_by_people_have_a_column_and_a_sentence(labeled: Services) -> None:
    html = boards.boards(labeled, (), {"ihalla"})
    by_model, _, by_coi = html.partition("</table>")
    assert '<th scope="col">corrected by people</th>' in by_model
    assert ", 40 labeled</td>" in by_model
    assert "example/almond: the judge says 0." in html
    assert '<th scope="col">corrected by people</th>' in by_coi
    assert "Ann" not in html, "who answered is named nowhere"


def test_what_people_answered_can_be_left_out(labeled: Services) -> None:
    html = boards.boards(labeled, (), {"ihalla"}, people=False)
    assert "corrected" not in html.replace("corrected for all pairs", "")


def test_only_the_named_runs_are_counted(ranked: Services) -> None:
    first, *_ = ranked.store.runs()
    alone = boards.boards(ranked, (first.id,), {"ihalla"})
    assert alone
    assert alone != boards.boards(ranked, (), {"ihalla"})


def test_corrected_readings_are_counted_and_nobody_is_named(
    ranked: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def corrected(*arguments: Any) -> Board:
        corrections = Corrections(prompts=2, authors=("Ann Example",), mixed=0)
        return replace(board(*arguments), corrections=corrections)

    monkeypatch.setattr(boards, "board", corrected)
    html = boards.boards(ranked, (), {"ihalla"})
    assert "What 2 prompts ask for was corrected by people." in html
    assert "Example" not in html
