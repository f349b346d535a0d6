"""Writes a page of HTML that needs no other file."""

from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from pandas import DataFrame

_PAGE = Markup("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2rem; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .25rem .75rem; text-align: right; white-space: nowrap; }}
{style}</style>
</head>
<body>
<h1>{title}</h1>
{body}</body>
</html>
""")


def html_page(title: str, body: Markup, style: Markup) -> str:
    """Return a page with its heading. `style` stands behind that of all; wide tables scroll."""
    return str(_PAGE.format(title=title, body=body, style=style))


def html_table(frame: "DataFrame") -> Markup:
    """Return a table whose heads name their columns and rows to a screen reader."""
    head, body = frame.to_html(border=0).split("<tbody>")  # pandas escapes
    scoped = head.replace("<th", '<th scope="col"').replace('<th scope="col"ead', "<thead")
    rows = body.replace("<th", '<th scope="row"')
    return Markup(f"{scoped}<tbody>{rows}")
