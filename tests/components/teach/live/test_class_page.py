"""Pages of a class hold nothing from elsewhere, and no text becomes a tag or ends a script."""

import base64
import re
from hashlib import sha256

from hallascope.components.html.scripts import bundle
from hallascope.components.teach.live import class_page
from tests.pages.teach.conftest import EVIL

LARGEST = 120_000  # bytes of a pupil's page with all that is in it


def test_a_pupils_page_is_light_and_needs_nothing_from_elsewhere() -> None:
    html = class_page.pupil_page("BCDFGH")
    assert len(html.encode()) < LARGEST
    assert not re.search(r"(?:src|href)=\"https?:", html)
    assert "gradio" not in html.lower()


def test_only_the_pages_own_script_runs() -> None:
    own = base64.b64encode(sha256(bundle("pupil").encode()).digest()).decode()
    assert f"script-src &#39;sha256-{own}&#39;" in class_page.pupil_page("BCDFGH")
    assert "script-src &#39;none&#39;" in class_page.code_page("class")


def test_hostile_text_stays_text() -> None:
    lesson = {"id": "x", "title": EVIL, "goals": [EVIL], "steps": [], "discussion": []}
    for html in (
        class_page.code_page(EVIL, EVIL),
        class_page.pupil_page(EVIL),
        class_page.start_page(EVIL, EVIL),
        class_page.projector_page(lesson, {"code": EVIL, "address": EVIL, "qr": EVIL}),
    ):
        assert "<img src=x" not in html
        assert html.count("<script>alert") == 0
