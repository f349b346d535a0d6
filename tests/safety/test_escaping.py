"""What comes from elsewhere stays text where no test of its own component says so: sentences,
models, files, judges, addresses.
"""

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from hallascope.components.cards import status
from hallascope.components.comparison import domains
from hallascope.components.html import markup
from hallascope.components.html.judge_chip import judge_chip
from hallascope.components.judges import reasoning
from hallascope.components.leaderboard import drilldown
from hallascope.components.models import prompts, quotes
from hallascope.components.models.unavailable import UnavailableChoice, unavailable_list
from hallascope.data.records import Picture
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning
from hallascope.pages.labels import page
from hallascope.pages.questions import saved_sets
from tests.support.viewer_app import EVIL


def looks(material: LabeledPicture, evil: str) -> str:
    said = [
        Reasoning(material=material, state="unreadable", raw=evil),
        Reasoning(material=material, state="failed", failure=evil),
    ]
    return reasoning.render_reasoning([material], said, {"aa": evil}, done=True)  # type: ignore[dict-item]


HTML: dict[str, Callable[[str], str]] = {
    "what was said": lambda evil: status.result_message(evil, [evil]),
    "what is wrong": status.error_message,
    "progress": lambda evil: status.progress(1, 2, evil, evil),
    "an idle line": status.idle_message,
    "offers": lambda evil: quotes.offers(
        [quotes.DownloadRow(**dict.fromkeys((f.name for f in fields(quotes.DownloadRow)), evil))],
        evil,
    ),
    "a model that was named": lambda evil: quotes.candidate_card(
        quotes.CandidateView(evil, ((evil, evil),), (evil,))
    ),
    "a judge": judge_chip,
    "models in words": lambda evil: domains.figure_description({evil: {}}),
    "what cannot run": lambda evil: unavailable_list([UnavailableChoice(evil, evil)], True, evil),
    "examples": lambda evil: prompts.example_row([evil]),
    "an image": lambda evil: markup.image(Path(f"/{evil}.png"), evil),
    "keys": lambda evil: markup.tag("i", **markup.key_attributes([evil], [evil])),
    "prompts behind a number": lambda evil: drilldown.prompts(evil, [], None, 0),  # type: ignore[arg-type]
    "looks of a judge": lambda evil: looks(
        LabeledPicture(Picture("aa", Path(f"/{evil}")), True), evil
    ),
}


def harmless(html: str) -> bool:
    """Whether nothing of the hostile text became a tag or ended an attribute."""
    return "<script" not in html and "<img src=x" not in html and "\"'`" not in html


@pytest.mark.parametrize("what", HTML)
def test_a_hostile_text_stays_text(what: str) -> None:
    html = HTML[what](EVIL)
    assert harmless(html)


@pytest.mark.parametrize(
    "taken", [page.import_verdicts, lambda *said: saved_sets.import_sets(*said)[0]]
)
def test_the_name_of_a_file_that_is_brought_stays_text(
    services: Any, tmp_path: Path, taken: Callable[..., str]
) -> None:
    path = tmp_path / f"{EVIL.replace('/', '')}.csv"
    path.write_text("no,table\n1,2\n", encoding="utf-8")
    assert harmless(taken(services, str(path)))
