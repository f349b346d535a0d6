"""Shows the evidence viewer as HTML: one picture or two, each with texts, rows and numbers.

`evidence.js` lights up what shares a key; it needs the server for nothing.
"""

from collections.abc import Sequence

from hallascope.components.evidence.annotated_text import annotated_html
from hallascope.components.evidence.exhibit import AnnotatedText, EvidenceGroup, Exhibit
from hallascope.components.evidence.image_stage import picture
from hallascope.components.html.markup import text


def viewer(shown: Sequence[Exhibit]) -> str:
    """The exhibits side by side, one or two, and what stands beside them.

    Where nothing is chosen yet, nothing.
    """
    if not shown:
        return '<div class="evidence none"></div>'
    body = "".join(map(_exhibit, shown))
    if any(one.side_by_side for one in shown):
        return f'<div class="evidence beside" style="--pictures: {len(shown)}">{body}</div>'
    return f'<div class="evidence{" pair" if len(shown) > 1 else ""}">{body}</div>'


def _exhibit(shown: Exhibit) -> str:
    label = f"The evidence of {shown.name}"
    return (
        f'<article class="exhibit{" drawn" if shown.diagram else ""}" data-run="{text(shown.run)}"'
        f' data-key="{text(shown.key)}" '
        f'data-metric="{text(shown.metric)}" data-chosen="{text(shown.chosen)}"'
        f' aria-label="{text(label)}">'
        f"{picture(shown)}{_diagram(shown)}"
        f"{_words(shown.texts, shown.groups)}{_numbers(shown)}</article>"
    )


def _words(texts: Sequence[AnnotatedText], groups: Sequence[EvidenceGroup]) -> str:
    if not texts and not groups:
        return ""
    said = f'<div class="texts">{"".join(map(annotated_html, texts))}</div>' if texts else ""
    return (
        '<section class="panel questions"'
        f' data-ring="rows">{said}{"".join(map(_group, groups))}</section>'
    )


def _group(group: EvidenceGroup) -> str:
    aside = f' <span class="score">{text(group.aside)}</span>' if group.aside else ""
    return f'<div class="group"><h2>{text(group.title)}{aside}</h2>{group.body}</div>'


def _diagram(shown: Exhibit) -> str:
    return f'<section class="panel diagram">{shown.diagram}</section>' if shown.diagram else ""


def _numbers(shown: Exhibit) -> str:
    return f'<section class="panel numbers">{shown.numbers}</section>' if shown.numbers else ""
