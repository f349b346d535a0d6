"""Tables that compare scores of replies with people: brought replies, and the embedded judge's."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Write
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.reproduce.cells import cell_sources
from hallascope.engine.reproduce.needs import find_table, table_needs
from hallascope.engine.reproduce.replies import (
    NO_REPLIES,
    NOT_GRADED,
    SAME_RULES,
    ReplyTrials,
    reply_cells,
    run_graders,
)
from hallascope.engine.reproduce.results import OurCell
from hallascope.engine.reproduce.sweeps import ReproduceOptions
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.halo_trials import HEADER

GRADER = "gemini/gemini-1.5-pro"
TERMS = SpendingPolicy()
QUESTIONS = 6


def grade_in_each_form(write: Write) -> str:
    """Grade rightly where the main points are asked for, and always "correct" elsewhere."""
    if write.schema is None:
        return "correct"
    if "reply_main_point" not in str(write.schema):
        return '{"agree": true}'
    right = 'Reply: "There is no bee."' in write.text
    points = '"reply_main_point": "a", "reference_main_point": "b"'
    return f'{{{points}, "agree": {"true" if right else "false"}}}'


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    spec = ModelSpec(id=GRADER, title="Gemini", roles=("writer",), backend="scripted")
    store = Store(folder=tmp_path / "home")
    yield Services(store, read_models(), {GRADER: Scripted(spec, grade_in_each_form)})
    store.close()


@pytest.fixture
def options(tmp_path: Path) -> ReproduceOptions:
    """Return HaloQuest rows with replies of three models, of which one is right less and less."""
    table = tmp_path / "haloquest-eval.csv"
    table.write_text(
        HEADER
        + "".join(
            f"{n},{n}.png,https://b.example/{n}.png,real,false premises,"
            f"Where is bee {n}?,There is no bee.,eval\n"
            for n in range(QUESTIONS)
        ),
        encoding="utf-8",
    )
    lines = ["item,reply,value,model"]
    for model, right in (("good", 5), ("fair", 3), ("poor", 1)):
        for n in range(QUESTIONS):
            reply = "There is no bee." if n < right else "It is there."
            lines.append(f"haloquest-eval.csv:{n + 2},{reply},{int(n < right)},{model}")
    lines.append("haloquest-eval.csv:99,x,1,good")
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("\n".join(lines), encoding="utf-8")
    return ReproduceOptions(data={"haloquest": str(table)}, ratings=ratings)


def fill(
    name: str, services: Services, options: ReproduceOptions, go: bool = True
) -> tuple[dict[tuple[str, str], OurCell], ReplyTrials]:
    """Return the cells by the names of their row and column, the latter with its group."""
    _, table = find_table("haloquest", name)
    sources = cell_sources(table, options.world, services)
    trials = run_graders(sources, services, options, TERMS, Event(), go, lambda done, of: None)
    cells = reply_cells(table, sources, trials, services, options, TERMS)
    named = {
        (table.rows[i].name, f"{table.columns[j].group} {table.columns[j].name}".strip()): cell
        for (i, j), cell in cells.items()
    }
    return named, trials


def test_the_implementations_of_auto_eval_agree_with_people_as_far_as_they_do(
    services: Services, options: ReproduceOptions
) -> None:
    cells, trials = fill("4", services, options)
    assert cells["Schema with main points", "Agreement"].value == 1
    assert cells["Schema with main points", "Cohen's kappa"].value == pytest.approx(1)
    for crude in ("Text-only prompt", "Simple schema"):
        assert cells[crude, "Agreement"].value == pytest.approx(9 / 18)
        assert cells[crude, "Cohen's kappa"].value == 0
        assert cells[crude, "Pearson's r"].value is None  # it never says "incorrect"
    assert cells["Simple schema", "Agreement"].n == 18
    assert "haloquest-eval.csv:99" in trials.notes[0]


def test_scores_of_replies_correlate_over_replies_and_over_models(
    services: Services, options: ReproduceOptions
) -> None:
    cells, _ = fill("figure-3", services, options)
    assert cells["Auto-Eval", "Over replies Pearson's r"].value == pytest.approx(1)
    assert cells["Auto-Eval", "Over replies Pearson's r"].n == 18
    assert cells["ROUGE-L", "Over models Pearson's r"].value == pytest.approx(1)
    assert cells["ROUGE-L", "Over models Pearson's r"].n == 3


def test_without_go_nobody_is_asked_and_the_words_are_compared_anyway(
    services: Services, options: ReproduceOptions
) -> None:
    cells, _ = fill("figure-3", services, options, go=False)
    assert services.registry.backend(GRADER).requests == 0  # type: ignore[attr-defined]
    assert cells["Auto-Eval", "Over replies Pearson's r"].reason == NOT_GRADED
    assert cells["BLEU", "Over replies Pearson's r"].value is not None


def test_what_is_missing_is_said_in_each_cell(
    services: Services, options: ReproduceOptions
) -> None:
    no_replies = ReproduceOptions(data=options.data)
    cells, _ = fill("4", services, no_replies)
    assert {cell.reason for cell in cells.values()} == {NO_REPLIES}
    no_file = ReproduceOptions(data={"haloquest": "nowhere.csv"}, ratings=options.ratings)
    with pytest.raises(BadRequest, match=r"nowhere\.csv"):
        fill("4", services, no_file)


def test_it_runs_with_ratings_and_without_a_key_but_for_auto_eval(services: Services) -> None:
    for name in ("4", "figure-3"):
        _, table = find_table("haloquest", name)
        needs = table_needs(table, services)
        assert needs.ratings
        assert needs.status.endswith("ratings by people")
        assert [model.name for model in needs.models] == [GRADER]


def test_in_the_primer_world_rules_stand_in_people_s_place(services: Services) -> None:
    options = ReproduceOptions(world="primer", data={}, sample=9)
    cells, trials = fill("figure-3", services, options)
    assert len(trials.ungraded) == 9
    assert {each.model for each in trials.ungraded} == {"primer/judge"}
    assert {each.right for each in trials.ungraded} == {True, False}
    value = cells["ROUGE-L", "Over replies Pearson's r"].value
    assert value is not None
    assert -1 <= value <= 1
    assert cells["Auto-Eval", "Over replies Pearson's r"].reason == SAME_RULES
    cells, _ = fill("4", services, options)
    assert cells["Schema with main points", "Agreement"].reason == SAME_RULES
    for crude in ("Text-only prompt", "Simple schema"):
        cell = cells[crude, "Agreement"]
        assert cell.n == 9
        # the embedded judge replies in the words of the references, so that crude rules do well
        assert cell.value is not None
        assert 0.5 <= cell.value <= 1
