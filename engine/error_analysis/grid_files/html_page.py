"""Writes a grid of judged images as one HTML page that needs no other file."""

import base64
import io

from markupsafe import Markup
from PIL import Image

from hallascope.data.records import State
from hallascope.engine.error_analysis.gallery import GalleryImage, ShownAnswer
from hallascope.engine.error_analysis.grid_files.export import COLORS, ExportedGrid, change_words

SIZE = 192  # longest side of a thumbnail in px
_SIGNS: dict[State, str] = {
    "correct": "✓",
    "incorrect": "✗",
    "abstained": "✗",
    "unreadable": "?",
    "failed": "?",
}
_WORDS: dict[State, str] = {
    "correct": "correct",
    "incorrect": "incorrect",
    "abstained": "incorrect, none fits",
    "unreadable": "not answered: reply not readable",
    "failed": "not answered: no reply",
}
_PAGE = Markup("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem; }}
body {{ color: #1d1f24; background: #faf9f6; }}
table {{ border-collapse: collapse; }}
thead th {{ position: sticky; top: 0; background: #faf9f6; z-index: 1; }}
th, td {{ padding: 6px; border-bottom: 1px solid #e4e1da; text-align: left; vertical-align: top; }}
tbody th {{ max-width: 240px; font-weight: 500; overflow-wrap: anywhere; }}
img {{ display: block; width: 128px; height: 128px; object-fit: contain; background: #f4f2ed; }}
.missing {{ display: grid; place-items: center; width: 128px; height: 128px; color: #5c6270; }}
.about {{ color: #5c6270; font-size: 13px; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p class="about">The signs below an image are the answers to its questions: ✓ correct, ✗ incorrect,
? not answered. Point at a sign to see its question.</p>
<table>
<thead><tr><th scope="col">{row_axis}</th>{heads}</tr></thead>
<tbody>
{rows}</tbody>
</table>
</body>
</html>
""")
_COLUMN = Markup('<th scope="col">{}<div class="about">{}</div></th>')
_ROW = Markup('<tr><th scope="row">{}<div class="about">{}</div></th>{}</tr>\n')
_CELL = Markup("<td>{}<div>{}</div><div>{}</div><div>{}</div></td>")
_EMPTY = Markup("<td></td>")
_IMAGE = Markup('<img src="data:image/webp;base64,{}" alt="{}" loading="lazy">')
_MISSING = Markup('<div class="missing">not kept here</div>')
_SIGN = Markup('<span style="color:{}" title="{}">{}</span> ')
_JOINED = Markup()


def write_page(exported: ExportedGrid) -> str:
    """Return the page; every text of people, models and files is escaped."""
    grid = exported.grid
    heads = [
        _COLUMN.format(
            _name(line.value),
            "baseline" if number == exported.baseline else f"mean error {line.error:.2f}",
        )
        for number, line in enumerate(grid.columns)
    ]
    rows = [
        _ROW.format(
            _name(line.value),
            f"mean error {line.error:.2f}",
            _JOINED.join(_cell(exported, row, column) for column in range(len(grid.columns))),
        )
        for row, line in enumerate(grid.rows)
    ]
    return str(
        _PAGE.format(
            title=exported.title,
            row_axis=grid.row_axis,
            heads=_JOINED.join(heads),
            rows=_JOINED.join(rows),
        )
    )


def _cell(exported: ExportedGrid, row: int, column: int) -> Markup:
    image = exported.image(row, column)
    if image is None:
        return _EMPTY
    return _CELL.format(
        _picture(image),
        _JOINED.join(map(_sign, image.answers)),
        "–" if image.value is None else f"{image.value:.2f}",
        change_words(exported.changes(row, column)),
    )


def _sign(answer: ShownAnswer) -> Markup:
    words = f"{answer.subject} · {_WORDS[answer.state]}"
    return _SIGN.format(COLORS[answer.state], words, _SIGNS[answer.state])


def _picture(image: GalleryImage) -> Markup:
    if image.thumbnail is None:
        return _MISSING
    stream = io.BytesIO()
    with Image.open(image.thumbnail) as thumbnail:
        small = thumbnail.convert("RGB")
    small.thumbnail((SIZE, SIZE))
    small.save(stream, "WEBP", quality=78)
    alt = f"{image.prompt}, by {image.model}, seed {image.seed}"
    return _IMAGE.format(base64.b64encode(stream.getvalue()).decode(), alt)


def _name(value: str) -> str:
    return value.removeprefix("primer/") or "–"
