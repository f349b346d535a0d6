"""Shows the line between controls and images: progress, results, and what went wrong."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.html.markup import tag


def progress(done: int, total: int, words: str, estimate: str = "") -> Markup:
    """Return a bar with its numbers in words."""
    meter = tag("progress", max=max(total, 1), value=done, aria_label="Progress of the run")
    words = " · ".join(filter(None, (words, estimate)))
    return tag("div", meter, tag("span", words, role="status"), class_="status busy")


def result_message(words: str = "", troubles: Sequence[str] = ()) -> Markup:
    """Return a line, such as what came of a run, and beneath it what went wrong."""
    lines = [tag("li", line) for line in troubles]
    listed = tag("ul", *lines, class_="troubles") if lines else Markup()
    return tag("div", tag("span", words), listed, class_="status", role="status")


def error_message(sentence: str | Exception) -> Markup:
    """Return one sentence about a request that cannot be done."""
    return tag("div", tag("span", str(sentence)), class_="status wrong", role="alert")
