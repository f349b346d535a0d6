"""Files of a site are named by ids, whatever people wrote."""

from dataclasses import replace
from pathlib import PurePosixPath

from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.events import RunView
from hallascope.pages.site import paths
from tests.support.run_events import ASKED, MADE

VIEW = RunView(run="r1", request=ASKED, state="finished", shots=(MADE,), evaluations=())


def test_the_first_page_of_the_index_is_the_one_that_opens() -> None:
    assert paths.index() == "index.html"
    assert paths.index(2) == "prompts-2.html"


def test_a_picture_in_two_runs_has_a_page_in_each_and_one_file() -> None:
    other = replace(VIEW, run="r2")
    assert paths.picture(VIEW, MADE) != paths.picture(other, MADE)
    assert paths.image("ab" * 32) == f"images/{'ab' * 32}.png"
    assert paths.thumbnail("ab" * 32) == f"thumbs/{'ab' * 32}.webp"


@given(st.text(), st.text())
def test_no_id_leads_out_of_its_folder(run: str, generation: str) -> None:
    view, shot = replace(VIEW, run=run), replace(MADE, generation=generation)
    for name, folder in ((paths.run(view), "runs"), (paths.picture(view, shot), "pictures")):
        path = PurePosixPath(name)
        assert path.parts[0] == folder
        assert len(path.parts) == 2
        assert path.suffix == ".html"
