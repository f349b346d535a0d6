"""The evidence viewer alone, for tests and measurements in a browser: ``python -m
tests.support.viewer_app FOLDER``; ``?show=`` says what of.

`one`: a picture with findings; `two`: the same picture by two line-ups; `hostile`: every text tries
to be markup; a number: so many masks; `graph`, `two-graphs`, `hostile-graph`, `crowded-graph`: the
same with scene graphs.
"""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.exhibits.findings import exhibit
from hallascope.components.tiles.tile import Tile
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.masks import encode
from hallascope.data.records import Report, Score
from hallascope.data.regions import Mask, Span
from tests.support.marks import SIDE, crowd, paint, segment

PROMPT = "two red circles and a blue square above a tulip"
CAPTION = (
    "There are two circles: one red circle and one green circle. A blue square is to the right of"
    " them, beside a small star."
)
EVIL = "<img src=x onerror='window.hit = 1'>\"'`${1}{{2}}<script>window.hit = 1</script>"


# --- a picture and its evidence
# --------------------------------------------------------------------------------------------


def spans(text: str, *words: str) -> tuple[Span, ...]:
    """Where the words stand in the text; each of them once, from the left."""
    return tuple(
        found.span() for found in (re.search(re.escape(word), text) for word in words) if found
    )


def disc(x: float, y: float, r: float, hole: float = 0.0, side: int = SIDE) -> Mask:
    """A circle, or a ring, as shares of the picture."""
    ys, xs = np.mgrid[:side, :side]
    far = np.hypot((xs + 0.5) / side - x, (ys + 0.5) / side - y)
    return encode((far < r) & (far >= hole))


def square(x: float, y: float, r: float, side: int = SIDE) -> Mask:
    ys, xs = np.mgrid[:side, :side]
    return encode((abs((xs + 0.5) / side - x) < r) & (abs((ys + 0.5) / side - y) < r))


def evidence() -> Evidence:
    """A red and a green circle, a blue square, no tulip, and a star nobody asked for."""
    segments = (
        segment("s1", "circle", disc(0.28, 0.3, 0.15), "A red circle."),
        segment("s2", "circle", disc(0.3, 0.72, 0.13, 0.05), "A green circle."),
        segment("s3", "square", square(0.72, 0.42, 0.14), "A blue square."),
        segment("s4", "star", disc(0.78, 0.8, 0.08), "A small star."),
    )
    circles, blue = spans(CAPTION, "red circle", "green circle"), "blue square"
    findings = (
        Finding(
            kind="object",
            expected="circle",
            observed="circle",
            state="correct",
            lenient_state="correct",
            prompt_spans=spans(PROMPT, "circles"),
            caption_spans=spans(CAPTION, "circles"),
            segments=("s1", "s2"),
        ),
        Finding(
            kind="object",
            expected="square",
            observed="square",
            state="correct",
            lenient_state="correct",
            prompt_spans=spans(PROMPT, "square"),
            caption_spans=spans(CAPTION, "square"),
            segments=("s3",),
        ),
        Finding(
            kind="object",
            expected="tulip",
            observed="",
            state="incorrect",
            lenient_state="incorrect",
            prompt_spans=spans(PROMPT, "tulip"),
        ),
        Finding(
            kind="color",
            expected="two red circles",
            observed="one red and one green circle",
            state="incorrect",
            lenient_state="incorrect",
            prompt_spans=spans(PROMPT, "red", "circles"),
            caption_spans=circles,
            segments=("s1", "s2"),
        ),
        Finding(
            kind="color",
            expected=blue,
            observed=blue,
            state="correct",
            lenient_state="correct",
            prompt_spans=spans(PROMPT, blue),
            caption_spans=spans(CAPTION, blue),
            segments=("s3",),
        ),
        Finding(
            kind="number",
            expected="two circles",
            observed="two",
            state="correct",
            lenient_state=None,
            prompt_spans=spans(PROMPT, "two"),
            caption_spans=spans(CAPTION, "two circles"),
            segments=("s1", "s2"),
        ),
        Finding(
            kind="position",
            expected=f"{blue} above tulip",
            observed="",
            state="failed",
            lenient_state=None,
            prompt_spans=spans(PROMPT, "above"),
            caption_spans=(),
            segments=("s3",),
            note="No tulip was found.",
        ),
        Finding(
            kind="extraneous",
            expected="",
            observed="star",
            state="incorrect",
            lenient_state="incorrect",
            prompt_spans=(),
            caption_spans=spans(CAPTION, "small star"),
            segments=("s4",),
        ),
    )
    notes = ("The writer did not answer: the template wrote the caption.",)
    return Evidence(
        segments=segments,
        findings=findings,
        phrases=("circle", "square", "tulip"),
        caption=CAPTION,
        notes=notes,
    )


def report(found: Evidence) -> Report:
    scores = {
        "score": Score(4 / 6, 6, 1),
        "object": Score(2 / 3, 3, 0),
        "object_soft": Score(2 / 3, 3, 0),
        "color": Score(0.5, 2, 0),
        "number": Score(1.0, 1, 0),
        "position": Score(None, 0, 1),
        "text": Score(None, 0, 0),
    }
    return Report(
        metric="fig", version="1", prompt=PROMPT, image="ab" * 32, scores=scores, evidence=found
    )


def shown(
    found: Evidence,
    path: Path,
    run: str = "run1",
    key: str = "picture1",
    name: str = "careless",
    prompt: str = PROMPT,
) -> Exhibit:
    tile = Tile(
        run=run,
        key=key,
        model=f"primer/{name}",
        name=name,
        prompt=prompt,
        seed=0,
        path=path,
        reports=(report(found),),
    )
    return exhibit(tile, (("detector", "primer/segmenter"), ("captioner", "primer/judge")))


def hostile() -> Evidence:
    """The same with every text trying to be markup."""
    found = evidence()
    return Evidence(
        segments=tuple(
            replace(s, phrase=EVIL, caption=EVIL, written=EVIL, failure=EVIL)
            for s in found.segments
        ),
        findings=tuple(
            replace(
                f,
                kind=EVIL,
                expected=EVIL,
                observed=EVIL,
                note=EVIL,
                prompt_spans=((0, len(EVIL)),),
                caption_spans=((1, 9),),
            )
            for f in found.findings
        ),
        phrases=(EVIL,),
        caption=EVIL,
        notes=(EVIL,),
    )


# --- served
# --------------------------------------------------------------------------------------------------


def exhibits(folder: Path) -> Mapping[str, Callable[[], list[Exhibit]]]:
    """What can be shown, by name."""
    found = evidence()
    path = paint(found, folder / "one.png")
    other = replace(found, segments=found.segments[:3], findings=found.findings[:-1])
    return {
        "one": lambda: [shown(found, path)],
        "two": lambda: [shown(found, path), shown(other, path, "run2", name="the other line-up")],
        "hostile": lambda: [shown(hostile(), path, EVIL, EVIL, EVIL, EVIL)],
        **with_graphs(folder),
    }


def with_graphs(folder: Path) -> Mapping[str, Callable[[], list[Exhibit]]]:
    """Pictures with scene graphs, by name."""
    from tests.support import scene_graphs

    found, crowded = scene_graphs.evidence(), scene_graphs.boxed(40)
    path, full = paint(found, folder / "graph.png"), paint(crowded, folder / "crowded.png")
    return {
        "graph": lambda: [scene_graphs.shown(found, path)],
        "two-graphs": lambda: [
            scene_graphs.shown(found, path),
            scene_graphs.shown(found, path, "run2", "picture1", "the other line-up"),
        ],
        "hostile-graph": lambda: [
            scene_graphs.shown(scene_graphs.hostile(EVIL), path, EVIL, EVIL, EVIL, EVIL)
        ],
        "crowded-graph": lambda: [scene_graphs.shown(crowded, full)],
    }


def many(number: int, folder: Path) -> list[Exhibit]:
    found = crowd(number)
    return [shown(found, paint(found, folder / f"{number}.png", 1024))]


def rate_finding(_: dict[str, Any]) -> dict[str, str]:
    """Keep nothing, which is no fault."""
    return {}


def create(folder: Path) -> Any:
    """The viewer, and beneath it what Python was told."""
    import gradio as gr

    from hallascope.components.evidence.viewer import viewer
    from hallascope.components.html.gradio_html import scripted_html, static_html

    known = exhibits(folder)
    with (
        gr.Blocks(title="Viewer", analytics_enabled=False, fill_width=True) as demo,
        gr.Tabs(elem_id="tabs"),
        gr.Tab("Viewer"),
    ):
        static_html(
            Markup(
                '<button type="button" class="look" data-look aria-pressed="false" aria-label="Dark'
                ' look">look</button>'
            )
        )
        functions = [rate_finding]
        box = scripted_html(
            "evidence/viewer", viewer(()), server_functions=functions, elem_id="evidence"
        )
        told = gr.JSON(elem_id="told")

        def load(asker: gr.Request) -> str:
            wanted = asker.query_params.get("show", "one")
            return viewer(known[wanted]() if wanted in known else many(int(wanted), folder))

        def tell(event: gr.EventData) -> dict[str, Any]:
            return dict(event._data)

        demo.load(load, None, box)
        box.select(tell, None, told)
    return demo


def launch(folder: Path) -> Any:
    """Start on a free port and return the running viewer."""
    from hallascope.components.theme.gradio_theme import launch_options
    from hallascope.pages.server.scripts import script_routes
    from tests.support.apps import LAUNCH

    demo = create(folder)
    demo.launch(
        allowed_paths=[str(folder)],
        app_kwargs={"routes": script_routes()},
        **LAUNCH,
        **launch_options(),
    )
    return demo


if __name__ == "__main__":
    launch(Path(sys.argv[1])).block_thread()
