"""Makes the app's icon and the pictures that links show: ``python -m bench.link_preview``.

Three drawings of one prompt, as the app draws them; the marks say what is drawn (the stored truth),
no judge is asked. The picture of the raters' page shows an empty frame and no question, as raters
must learn nothing before they answer.
"""

import base64
import io
from pathlib import Path
from typing import cast

from markupsafe import Markup
from PIL import Image
from playwright.sync_api import Page

from bench.support.browser import chromium
from hallascope.backends.draughtsman import Draughtsman
from hallascope.components.html.link_tags import ICON, LABELING, PREVIEW, TAGLINE
from hallascope.components.html.markup import icon, raw_element, tag
from hallascope.components.theme.look import LIGHT
from hallascope.data.models.specs import read_models
from hallascope.data.records import LETTERS
from hallascope.data.requests import Failure, Generate

PROMPT, SEED = "a gentoo penguin", 0
MODELS = ("primer/exact", "primer/hasty", "primer/careless")
STYLE = """
body {
  margin: 0; width: 1200px; height: 630px;
  background: %(paper)s; color: %(ink)s; font-family: system-ui, sans-serif;
}
main { padding: 46px 56px; }
h1 { margin: 0; font-size: 64px; letter-spacing: -0.02em; }
p { margin: 4px 0 30px; font-size: 32px; color: %(soft)s; }
div { display: flex; gap: 28px; }
figure {
  margin: 0; flex: 1; border: 2px solid %(line)s; border-radius: 18px;
  overflow: hidden; background: %(card)s;
}
img { display: block; width: 100%%; height: 300px; object-fit: cover; }
figcaption { padding: 12px 18px; font-size: 24px; }
.icon { width: 1em; height: 1em; vertical-align: -0.12em; }
.correct { color: %(correct)s; }
.incorrect { color: %(incorrect)s; }
"""
LABELING_STYLE = """
section { display: flex; gap: 44px; height: 400px; }
section > i { flex: none; width: 400px; border: 2px dashed %(line-strong)s; border-radius: 18px; }
ol { flex: 1; display: grid; gap: 14px; margin: 0; padding: 0; list-style: none; }
li {
  display: flex; align-items: center; gap: 20px; padding: 0 22px; font-size: 30px;
  border: 2px solid %(line)s; border-radius: 14px; background: %(card)s;
}
li b { color: %(accent)s; }
li i { flex: 1; height: 14px; border-radius: 7px; background: %(line)s; }
"""
MARK = """<body style="margin:0;background:#2f5fd0"><svg width="64" height="64" viewBox="0 0 16 16"
fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round">
<circle cx="7" cy="7" r="4.2"/>
<path d="M10.2 10.2 13.4 13.4M5.3 7 6.6 8.3 8.9 5.7"/></svg></body>"""


def figure(model: str) -> Markup:
    """Return a drawing of the prompt with the number of its facts that are wrong."""
    (made,) = Draughtsman(read_models()[model]).generate([Generate(PROMPT, SEED)])
    if isinstance(made, Failure):
        raise ValueError(made.message)
    wrong = len(cast("list[str]", made.truth["violated"])) if made.truth else 0
    kind, words = (
        ("incorrect", f"{wrong} {'fact' if wrong == 1 else 'facts'} wrong")
        if wrong
        else ("correct", "all facts right")
    )
    source = base64.b64encode(made.png).decode()
    mark = tag("span", icon("cross" if wrong else "check"), f" {words}", class_=kind)
    picture = tag("img", src=f"data:image/png;base64,{source}", alt="")
    return tag("figure", picture, tag("figcaption", mark))


def labeling_body() -> Markup:
    """Return what the picture of the raters' page shows: nothing of any task."""
    choices = (tag("li", tag("b", letter), tag("i")) for letter in LETTERS)
    task = tag("section", tag("i"), tag("ol", *choices))
    return tag("main", tag("h1", LABELING.title), tag("p", "Say what each image shows."), task)


def draw(page: Page, style: str, body: Markup, path: Path) -> None:
    """Draw a page of 1200 x 630 pixels into a file."""
    page.set_content(raw_element("style", style % LIGHT) + body)
    whole = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    whole.quantize(128).save(path, optimize=True)


def main() -> None:
    figures = tag("div", *map(figure, MODELS))
    body = tag("main", tag("h1", "HallaScope"), tag("p", TAGLINE), figures)
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1200, "height": 630})
        draw(page, STYLE, body, PREVIEW)
        draw(page, STYLE + LABELING_STYLE, labeling_body(), LABELING.picture)
        page.set_viewport_size({"width": 64, "height": 64})
        page.set_content(MARK)
        ICON.write_bytes(page.screenshot())


if __name__ == "__main__":
    main()
