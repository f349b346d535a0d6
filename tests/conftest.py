"""What tests of pages and of the running app share: services on the draughtsmen with a judge that
follows a script.
"""

import logging
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.support import scripted as scripted  # registers its backend
from tests.support.apps import running
from tests.support.service import Service
from tests.support.service import served as served_service
from tests.support.shared_apps import SharedApps

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Two workers that start an app at once would else find the same port free.
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
os.environ.setdefault("GRADIO_SERVER_PORT", str(7860 + 100 * WORKER))

# Otherwise an assertion that fails in it would not say which values it compared.
pytest.register_assert_rewrite("tests.support.space_checks")

ROOT = Path(__file__).parents[1]

# About what one test takes in these files and folders, in seconds.
SECONDS: dict[str, float] = {"test_primer_benchmark.py": 60, "serving": 12, "browser": 12}

STARTING = {"address", "apps", "laid_out", "viewer"}  # the fixtures that start an app
# How long an example takes says nothing on a busy machine. `make test` and `make test-all` try the
# same examples each time, few and many; else new ones are looked for.
settings.register_profile("searching", deadline=None)
settings.register_profile("few", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("many", deadline=None, derandomize=True)
settings.load_profile("searching")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that start an app come first, so that one worker prepares for it, and then those that
    take long: a worker that began with one of them last would keep the others waiting.
    """
    lasting: dict[Path, float] = defaultdict(float)
    starting = set[Path]()
    for item in items:
        lasting[item.path] += SECONDS.get(item.path.name) or SECONDS.get(item.path.parent.name, 0.2)
        if STARTING & {*getattr(item, "fixturenames", ())} or hasattr(
            getattr(item, "module", None), "dashboard"
        ):
            starting.add(item.path)
    items.sort(key=lambda item: (item.path not in starting, -lasting[item.path]))


class Messages(logging.Handler):
    """Gathers what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record))


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """One chromium for all tests in a browser."""
    from tests.support.browser import chromium  # here, as most tests need none

    with chromium() as found:
        yield found


@pytest.fixture(scope="session", autouse=True)
def copied_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """New stores begin as a copy of an empty one: to make the tables takes ten times longer."""
    from hallascope.engine.storage.database import Database

    folder, make, lock = tmp_path_factory.mktemp("empty"), Database._upgrade_tables, Lock()
    Database(None, folder).close()
    (tables,) = folder.iterdir()

    def copy_or_make(database: Database) -> None:
        named = database._url.database if database._url.get_backend_name() == "sqlite" else None
        with lock, suppress(OSError):  # where no file can be made, the store says why
            if named and named != ":memory:" and not Path(named).exists():
                shutil.copyfile(tables, named)
        make(database)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "_upgrade_tables", copy_or_make)
        yield


@pytest.fixture(autouse=True)
def failed_plans() -> Iterator[list[str]]:
    """What the driver logs of plans that raised, with the traceback.

    A run goes on without them, but a test that does not expect it fails.

    A test that expects them looks at the list and clears it.
    """
    log, messages = logging.getLogger("hallascope.engine.run.driver"), Messages()
    log.addHandler(messages)
    yield messages.found
    log.removeHandler(messages)
    assert not messages.found, messages.found[0]


def says(ask: Any) -> Any:
    """A judge that answers every question of two prompts right but the first, of which it says that
    nothing fits; A to other questions.
    """
    from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE
    from hallascope.data.requests import Answer
    from hallascope.primer import scenes

    sets = (
        scenes.parse(prompt).questions().questions
        for prompt in ("a molecule of methane", "a gentoo penguin")
    )
    for question in (question for first, *others in sets for question in others):
        if question.text == ask.question:
            return Answer(
                f"{question.gold}) {question.choice(question.gold)}",
                tuple(0.8 if x == question.gold else 0.05 for x in LETTERS),
            )
    return Answer("E" if NONE_OF_THE_ABOVE in ask.choices else "A")


def build(folder: Path, judge: Callable[[Any], Any] = says, latency: float = 0.0) -> Any:
    """Services on a folder of their own; the judge is called primer/judge."""
    from hallascope.backends.base import CallLimits
    from hallascope.engine.access.limits import Quotas
    from hallascope.engine.deployment.hosting import public
    from hallascope.engine.storage.store import Store
    from tests.support.scripted_models import scripted, serve

    store = Store(folder=folder)
    title = "Scripted judge"
    model = scripted("primer/judge", "judge", judge, CallLimits(1, 1), latency, title=title)
    return serve(store, model, quotas=Quotas(store.stored_bytes) if public() else None)


@pytest.fixture
def make_services(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    opened = []

    def make(judge: Callable[[Any], Any] = says, **options: Any) -> Any:
        opened.append(build(tmp_path / "home", judge, **options))
        return opened[-1]

    yield make
    for services in opened:
        services.store.close()


@pytest.fixture
def services(make_services: Callable[..., Any]) -> Any:
    return make_services()


@contextmanager
def served(folder: Path, module: str, *arguments: str) -> Iterator[str]:
    """A dashboard that a module starts in a process of its own; gives its address."""
    environment = os.environ | {
        "HALLASCOPE_HOME": str(folder),
        "GRADIO_ANALYTICS_ENABLED": "False",
        "PYTHONUNBUFFERED": "1",
    }
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = next((line for line in process.stdout if "http://" in line), "")
            assert line, "the app ended before it was up"
            yield line[line.index("http://") :].strip()
        finally:
            process.terminate()


def dashboard(folder: Path, latency: float, kind: str = "") -> AbstractContextManager[str]:
    """A dashboard on a folder of its own, whose models take so many seconds for an answer.

    The kinds are those of `tests.support.serve`.
    """
    return running(folder, "tests.support.serve", latency, kind)


@pytest.fixture(scope="session")
def openai() -> Iterator[tuple[str, Service]]:
    """The service that the dashboards take for OpenAI's, and its address."""
    with served_service() as found:
        yield found


@pytest.fixture(scope="session")
def apps(
    tmp_path_factory: pytest.TempPathFactory, openai: tuple[str, Service]
) -> Iterator[SharedApps]:
    """The dashboards of this worker; what they store lies below the folder of all tests."""
    found = SharedApps(tmp_path_factory.getbasetemp(), OPENAI_BASE_URL=openai[0])
    yield found
    found.close()


@pytest.fixture(scope="module")
def home(apps: SharedApps) -> Path:
    """The folder of the store of that dashboard."""
    return apps.home()


@pytest.fixture(scope="module")
def address(apps: SharedApps) -> str:
    """The address of one running dashboard for all tests that only look at it."""
    return apps.shared()
