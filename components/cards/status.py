"""Shows the line between controls and pictures: progress, results, and what went wrong."""

from collections.abc import Sequence

from hallascope.components.html.markup import text


def progress(done: int, total: int, words: str, estimate: str = "") -> str:
    """A bar with its numbers in words."""
    words = " · ".join(filter(None, (words, estimate)))
    return (
        f'<div class="status busy"><progress max="{max(total, 1)}" value="{done}"'
        ' aria-label="Progress of the run"></progress><span'
        f' role="status">{text(words)}</span></div>'
    )


def result_message(words: str, troubles: Sequence[str] = ()) -> str:
    """What came of a run, and beneath it what went wrong."""
    lines = "".join(f"<li>{text(line)}</li>" for line in troubles)
    listed = f'<ul class="troubles">{lines}</ul>' if lines else ""
    return f'<div class="status" role="status"><span>{text(words)}</span>{listed}</div>'


def error_message(sentence: str) -> str:
    """One sentence about a request that cannot be done."""
    return f'<div class="status wrong" role="alert"><span>{text(sentence)}</span></div>'


def idle_message(words: str = "") -> str:
    return f'<div class="status" role="status"><span>{text(words)}</span></div>'
