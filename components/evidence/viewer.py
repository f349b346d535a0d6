"""Shows the evidence viewer: one image or two, each with texts, rows and numbers.

`viewer.js` lights up what shares a key; without a server it shows, and keeps nothing.
"""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.evidence.annotated_text import annotated_html
from hallascope.components.evidence.exhibit import EvidenceGroup, EvidenceSection, Exhibit
from hallascope.components.evidence.image_stage import picture
from hallascope.components.html.markup import fold, join, tag, to_json


def viewer(exhibits: Sequence[Exhibit]) -> Markup:
    """Return the exhibits side by side, one or two, and what stands beside them.

    It is empty where nothing is chosen yet.
    """
    if not exhibits:
        return tag("div", class_="evidence none")
    articles = map(_article, exhibits)
    if any(exhibit.side_by_side for exhibit in exhibits):
        style = f"--pictures: {len(exhibits)}"
        return tag("div", *articles, class_="evidence beside", style=style)
    return tag("div", *articles, class_="evidence pair" if len(exhibits) > 1 else "evidence")


def _article(exhibit: Exhibit) -> Markup:
    diagram = numbers = scores = Markup()
    if exhibit.diagram:
        diagram = tag("section", exhibit.diagram, class_="panel diagram")
    if exhibit.numbers:
        numbers = tag("section", exhibit.numbers, class_="panel numbers")
    if exhibit.scores:
        scores = tag("section", exhibit.scores, class_="panel numbers scores")
    classes = ["exhibit"]
    if exhibit.diagram:
        classes.append("drawn")
    if exhibit.sections:
        classes.append("all-metrics")
    beside = join(
        diagram, _texts_and_groups(exhibit), *map(_section, exhibit.sections), scores, numbers
    )
    if exhibit.sections:
        beside = tag("div", beside, class_="methods")
    return tag(
        "article",
        picture(exhibit),
        beside,
        class_=" ".join(classes),
        data_run=exhibit.run,
        data_page_run=exhibit.page_run,
        data_unnamed=exhibit.unnamed,
        data_key=exhibit.key,
        data_metric=exhibit.metric,
        data_chosen=exhibit.chosen,
        data_same=to_json(exhibit.same) if exhibit.same else None,
        data_whole_of=to_json(exhibit.whole) if exhibit.whole else None,
        aria_label=f"The evidence of {exhibit.name}",
    )


def _texts_and_groups(exhibit: Exhibit) -> Markup:
    if not exhibit.texts and not exhibit.groups:
        return Markup()
    texts = Markup()
    if exhibit.texts:
        texts = tag("div", *map(annotated_html, exhibit.texts), class_="texts")
    groups = map(_group, exhibit.groups)
    return tag("section", texts, *groups, class_="panel questions", data_ring="rows")


def _section(section: EvidenceSection) -> Markup:
    """Return what a further metric says, folded where nothing is wrong.

    The script puts the metric's name before its keys.
    """
    aside = join(" ", tag("span", section.aside, class_="score")) if section.aside else ""
    heading = tag("h2", tag("span", section.title, class_="which"), aside)
    return tag(
        "section",
        fold(heading, section.body, is_open=not section.is_right, data_wrong=not section.is_right),
        class_="panel method",
        data_ring="rows",
        data_scope=section.metric,
        data_metric=section.metric,
        aria_label=section.title,
    )


def _group(group: EvidenceGroup) -> Markup:
    aside = join(" ", tag("span", group.aside, class_="score")) if group.aside else ""
    return tag("div", tag("h2", group.title, aside), group.body, class_="group")
