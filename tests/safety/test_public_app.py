"""A public app: what a visitor may have done and spend, what is told of it, and what is for one's
own machine alone.
"""

import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

import app
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Question, QuestionSet
from hallascope.data.spaces import read_spaces
from hallascope.engine.access.limits import IMAGES, OverLimit, Quota, Quotas
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.deployment.hosting import (
    QUEUE_LIMIT,
    UPLOAD_CHECK_INTERVAL,
    UPLOAD_LIFETIME,
    queue_limit,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, Finished
from hallascope.engine.money.budget import ApiKeys, SpendingPolicy
from hallascope.engine.services import create_services
from hallascope.engine.spaces.build import build
from hallascope.engine.trials.store import TrialStore
from hallascope.pages.api.endpoints import Endpoints
from hallascope.pages.judges import trial
from hallascope.pages.labels import page
from hallascope.pages.questions import saved_sets
from hallascope.pages.shared.spending import spending_policy
from tests.support import space_checks
from tests.support.apps import FORKING, replace_environment
from tests.support.scripted_models import scripted, serve
from tests.support.started_runs import started
from tests.support.visitor_requests import HOME, visitor_request

PROMPT = "a molecule of methane"
SECRET = "sk-of-the-operator-0123456789"
ASKED = EvaluateRequest(prompt=PROMPT, models=("primer/exact",), count=4)
SET = Question(
    text="How many atoms of hydrogen are there?",
    choices=("One", "Two", "Three", "Four", "None of the above"),
    gold="D",
    coi="counting",
)


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")


ME = SpendingPolicy(visitor=Visitor("me", "home"))


def images_a_minute(most: int) -> Quota:
    return Quota([IMAGES[0].with_most(most)], lambda: 0.0)


@pytest.fixture
def limited(services: Any) -> Any:
    services.quotas = Quotas()
    services.quotas.images = images_a_minute(5)
    return services


# --- how much
# --------------------------------------------------------------------------------------------------


def test_what_is_over_the_limit_is_refused_before_it_begins_and_what_is_there_stays(
    limited: Any,
) -> None:
    mine = ME
    list(limited.evaluate(ASKED, terms=mine))
    with pytest.raises(OverLimit, match=r"5 images a minute, .* what is there stays"):
        limited.evaluate(
            EvaluateRequest(prompt="a ladybug", models=("primer/exact",), count=2), terms=mine
        )
    assert len(limited.view(limited.store.runs()[0].id).shots) == 4
    assert isinstance(list(limited.evaluate(ASKED, terms=mine))[-1], Finished), (
        "what is stored costs nothing"
    )


def test_a_run_that_was_stopped_goes_on_for_what_is_left_of_it(limited: Any) -> None:
    stop = threading.Event()
    for event in limited.evaluate(ASKED, stop, ME):
        if type(event).__name__ == "Pictured":
            stop.set()
    judged = len(limited.store.evaluations(limited.store.runs()[0].id))
    limited.quotas.images = images_a_minute(4 - judged)
    assert isinstance(list(limited.evaluate(ASKED, terms=ME))[-1], Finished)


def test_metrics_and_trials_count_each(limited: Any) -> None:
    with pytest.raises(OverLimit, match="This is 8 images"):
        limited.evaluate(
            EvaluateRequest(prompt=PROMPT, models=("primer/exact",), count=4, trials=2),
            terms=ME,
        )


def test_whoever_calls_the_endpoint_is_counted_too_and_told_in_the_same_sentence(
    limited: Any, public: None
) -> None:
    ends, asker = Endpoints(limited), visitor_request(HOME)
    list(ends.evaluate(PROMPT, ["primer/exact"], count=5, asker=asker))
    with pytest.raises(gr.Error, match="wait 60 s and try again"):
        list(ends.evaluate("a ladybug", ["primer/exact"], asker=asker))
    assert list(ends.evaluate("a ladybug", ["primer/exact"], asker=visitor_request("8.8.8.8")))


def test_a_trial_of_a_judge_and_questions_count(limited: Any) -> None:
    from hallascope.engine.judge_eval import runner

    mine = ME
    with pytest.raises(OverLimit, match="This is 24 images"):
        runner.run_judge_trials(
            limited, runner.JudgeTrialRequest(judges=("primer/judge",), pictures=12, orders=2), mine
        )
    asked = serve(limited.store, scripted("scripted/writer", "writer"))
    asked.quotas = limited.quotas
    asked.quotas.images.take("home", 5)
    with pytest.raises(OverLimit, match="5 images a minute"):
        asked.question_maker.make_questions(PROMPT, "Four atoms.", "scripted/writer", mine)


def test_a_trial_of_a_visitor_changes_no_score_of_others(services: Any) -> None:
    settings = trial.JudgeTrialSettings(judges=("primer/judge",), pictures=1)
    for benchmark in ("primer", "primer-halo"):
        asked = settings._replace(benchmark=benchmark)
        *_, told = trial.moments(started(services, terms=ME), asked)
        assert trial.OF_VISITOR in told
    assert TrialStore(services.store.folder).all() == []


# --- money
# --------------------------------------------------------------------------------------------------


def test_a_visitor_lowers_the_caps_and_never_raises_them(
    public: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLASCOPE_BUDGET_RUN", "0.5")
    assert spending_policy(ApiKeys(), 1000.0, 1.0, False).caps() == (0.5, 1.0)
    assert spending_policy(ApiKeys(), None, None, False).caps() == (0.5, 20.0)
    with pytest.raises(BadRequest, match="give an amount"):
        spending_policy(ApiKeys(), float("nan"), None, False).caps()


def test_a_model_of_unknown_price_is_asked_with_the_visitors_own_key_alone(
    services: Any, public: None
) -> None:
    services.registry.add(
        ModelSpec(
            id="dear/judge",
            title="Dear",
            roles=("judge",),
            backend="openai",
            needs=("key:DEAR_KEY",),
            kind="api",
            base_url="https://x.example",
        )
    )
    with pytest.raises(BadRequest, match="with a key of your own alone"):
        services.require_price_consent([("dear/judge", "judge")], SpendingPolicy(unpriced=True))
    services.require_price_consent(
        [("dear/judge", "judge")],
        SpendingPolicy(ApiKeys({"DEAR_KEY": "0123456789"}), unpriced=True),
    )


# --- what others are asked
# --------------------------------------------------------------------------------------------------


def test_questions_that_are_there_stay_for_everybody(services: Any, tmp_path: Path) -> None:
    own = QuestionSet(prompt="a green teapot", questions=(SET,))
    services.sets.save(own)
    services = services.acting_for(Visitor("ann", "home"))
    for prompt in ("a green teapot", "A green  teapot", PROMPT):
        with pytest.raises(BadRequest, match=r"already, and here questions stay as they are"):
            services.sets.save(QuestionSet(prompt=prompt, questions=(SET,)))
    assert "are not removed" in saved_sets.remove_set(services, "a green teapot")[0]
    services.sets.export(tmp_path / "all.jsonl")
    assert "are not taken in" in saved_sets.import_sets(services, str(tmp_path / "all.jsonl"))[0]
    assert len(services.sets.all()) == 1


def test_nobody_brings_answers_in_the_names_of_others(services: Any, public: None) -> None:
    status = page.import_verdicts(services, "people.csv").unescape()
    assert page.OWN_NAMES.partition(":")[0] in status


# --- the app
# --------------------------------------------------------------------------------------------------


def variables(home: Path) -> dict[str, str]:
    """The environment of a Space."""
    return {
        **read_spaces()[0].variables,
        "HALLASCOPE_HOME": str(home),
        "HALLASCOPE_PICTURES_A_DAY": "77",
        "SPACE_ID": "somebody/hallascope",
        "OPENAI_API_KEY": SECRET,
    }


def layout(environment: dict[str, str]) -> dict[str, Any]:
    """What the page is made of in this environment, as it goes to every visitor, and its bounds."""
    replace_environment(environment)
    services = create_services()
    demo, options = app.create_app(services), app.options(services)
    return {
        "page": json.loads(json.dumps(demo.get_config_file(), default=str)),
        "queue": demo._queue.max_size,
        "kept": demo.delete_cache,
        "show_error": options["show_error"],
        "max_file_size": options["max_file_size"],
    }


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The layout of a Space's app, made in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=FORKING) as process:
        home = tmp_path_factory.mktemp("home")
        return process.submit(layout, environment_of(home)).result()


def environment_of(home: Path) -> dict[str, str]:
    """The environment of the tests, changed to that of a Space."""
    unset = ("PYTHONPATH", "OAUTH_CLIENT_ID")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return kept | variables(home)


# Lays the app out, and prints where each module of ours came from.
FILES_OF_THE_APP = """
import sys, app
from hallascope.engine.services import create_services
app.create_app(create_services())
for name, module in sys.modules.items():
    if name.partition(".")[0] in ("app", "hallascope", "tests"):
        print(module.__file__)
"""


@pytest.mark.full
def test_a_space_is_served_by_the_files_it_was_given_and_by_none_of_the_repository(
    tmp_path: Path,
) -> None:
    build(read_spaces()[0], tmp_path / "space")
    done = subprocess.run(
        [sys.executable, "-c", FILES_OF_THE_APP],
        cwd=tmp_path / "space",
        env=environment_of(tmp_path / "home"),
        capture_output=True,
        text=True,
        check=True,
    )
    files = done.stdout.splitlines()
    assert len(files) > 200
    assert [file for file in files if not Path(file).is_relative_to(tmp_path / "space")] == []


def test_a_key_of_the_operator_is_nowhere_in_the_page(laid_out: Any) -> None:
    space_checks.no_key_is_told(laid_out["page"], SECRET)


def test_what_is_for_ones_own_machine_is_not_laid_out(laid_out: Any) -> None:
    space_checks.nothing_local_is_laid_out(laid_out["page"])


def test_a_public_app_says_what_it_records_and_how_much_one_may_have(laid_out: Any) -> None:
    space_checks.it_says_what_is_recorded(laid_out["page"])
    assert "77 images a day" in json.dumps(laid_out["page"])


def test_its_queue_is_bounded_its_uploads_go_and_its_inner_errors_are_not_told(
    laid_out: Any,
) -> None:
    bounds = {name: value for name, value in laid_out.items() if name != "page"}
    assert bounds == {
        "queue": QUEUE_LIMIT,
        "kept": (UPLOAD_CHECK_INTERVAL, UPLOAD_LIFETIME),
        "show_error": False,
        "max_file_size": "25mb",
    }


def test_at_home_nothing_of_this_holds(services: Any) -> None:
    assert queue_limit() is None
    assert app.options(services)["show_error"] is True
    assert spending_policy(ApiKeys(), 1000.0, None, False).run == 1000.0
