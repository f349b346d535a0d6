"""Makes the foot of the page, which defines the scores that are shown."""

from collections.abc import Mapping

from markupsafe import Markup

from hallascope.components.html.markup import tag, to_json


def definitions(sentences: Mapping[str, str]) -> Markup:
    """Return the foot of the page with a sentence for each metric, by its name.

    A script of the page draws those of the metrics that are shown (`definitions.js`).
    """
    link = tag("a", "How the metrics work, on one image", href="?tab=learn&part=how")
    return tag(
        "footer", tag("p", link), class_="colophon", data_definitions=to_json(dict(sentences))
    )
