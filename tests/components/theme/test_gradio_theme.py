"""Nothing of the look is fetched from elsewhere."""

import re

from hallascope.components.html.scripts import bundle
from hallascope.components.theme import gradio_theme


def test_nothing_is_fetched_from_elsewhere_and_nothing_shines() -> None:
    options = gradio_theme.launch_options()
    for words in (
        options["css"],
        options["head"],
        *(bundle(name) for name in ("page", "site", "lesson", "pupil", "projector")),
    ):
        assert not re.search(r"https?://|@import|gradient\(|box-shadow: (?!none)", words)
    assert options["theme"]._stylesheets == []
