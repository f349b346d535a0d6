"""Makes the foot of the page, which defines the scores that are shown."""

from collections.abc import Mapping

from markupsafe import Markup

from hallascope.components.html.markup import join, tag


def definitions(sentences: Mapping[str, str]) -> Markup:
    """Return the foot of the page with a sentence for each metric, by its name.

    A script of the page shows those of the metrics that are shown (`definitions.js`).
    """
    lines = (tag("p", words, data_defines=name, hidden=True) for name, words in sentences.items())
    links = tag(
        "p",
        tag("a", "How the metrics work, on one image", href="?tab=teach&part=how"),
    )
    return tag("footer", join(*lines), links, class_="colophon", data_definitions=True)
