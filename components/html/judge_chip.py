"""Builds the chip that names a judge, says what to expect of it, and leads to all that is known."""

from collections.abc import Iterator
from urllib.parse import quote

from markupsafe import Markup

from hallascope.components.html.markup import join, tag
from hallascope.metrics.judge_reliability import ExpectedShare, JudgeReliability

NO_JUDGE = "none"
NOT_MEASURED = "not tested on such images"
_UNKNOWN = (
    "{judge} was not tested with such questions about such images. Test it under Trust, Judges."
)
_LEADS = "Trust, Judges has all results of this judge."


def judge_chip(judge: str | None, reliability: JudgeReliability | None = None) -> Markup:
    """Return a link to the judge's row on its tab; plain words where nobody judged.

    It says what to expect of the judge on the questions of the score that it stands beside, and on
    which images that was measured; of None that it was not. The script of the page opens the tab
    without loading it anew.
    """
    if not judge or judge == NO_JUDGE:
        return join(NO_JUDGE)
    name = tag(
        "span",
        Markup("/<wbr>").join(judge.split("/")),  # a name breaks at its slash, not inside a word
        class_="called",
    )
    return _link(judge, join(name, " ", _figures(reliability)), reliability)


def judge_mark(judge: str | None, reliability: JudgeReliability | None) -> Markup:
    """Return the same link in little room, without the judge's name; nothing where nobody judged.

    The name is there for those who hear the page.
    """
    if not judge or judge == NO_JUDGE:
        return Markup()
    name = join("judge ", tag("span", f"{judge}: ", class_="unseen"))
    return _link(judge, join(name, _figures(reliability)), reliability, "judge-chip mark")


def reliability_text(judge: str, reliability: JudgeReliability | None) -> str:
    """Return in sentences what to expect of a judge, with intervals, counts and the source."""
    if reliability is None or not reliability.measured:
        return _UNKNOWN.format(judge=judge)
    kinds = f" about {', '.join(reliability.kinds)}" if reliability.kinds else ""
    parts = [
        f"On questions{kinds}, {judge}"
        f" {_sentence(reliability.sensitivity, 'finds', 'errors', 'violated facts')} and"
        f" {_sentence(reliability.specificity, 'accepts', 'facts that hold', 'facts that hold')}."
    ]
    parts += _beside_chance(reliability)
    if reliability.not_measured:
        parts.append(f"Not fully measured: {', '.join(reliability.not_measured)}.")
    parts.append(f"Measured in its {reliability.source} on {reliability.measured_on}.")
    return " ".join([*parts, _LEADS])


def _beside_chance(reliability: JudgeReliability) -> Iterator[str]:
    """Yield what that comes to, and what always giving the expected answer would; else nothing."""
    balanced, baseline = reliability.balanced_accuracy, reliability.baseline
    if balanced is None or baseline is None or reliability.kappa is None:
        return
    yield (
        f"Balanced accuracy {percent(balanced.value)} (95 % interval {percent(balanced.low)} to"
        f" {percent(balanced.high)}), Cohen's kappa {reliability.kappa:.2f}; always giving the"
        f" expected answer would be right on {percent(baseline.value)} of these questions."
    )


def percent(share: float) -> str:
    """Return a share in whole percent; 100 % and 0 % only where there is no exception at all."""
    rounded = round(100 * share)
    if rounded == 100 and share < 1:
        return "> 99 %"
    return "< 1 %" if rounded == 0 and share > 0 else f"{rounded} %"


def _link(
    judge: str,
    content: Markup,
    reliability: JudgeReliability | None,
    class_: str = "judge-chip",
) -> Markup:
    return tag(
        "a",
        content,
        class_=class_,
        href=f"?tab=trust&judge={quote(judge, safe='')}",
        data_judge=judge,
        title=reliability_text(judge, reliability),
    )


def _figures(reliability: JudgeReliability | None) -> Markup:
    """Return both figures in words, and on which images they were measured."""
    words = NOT_MEASURED
    if reliability and reliability.measured:
        shares = (
            f"{verb} {percent(share.value) if share else 'an unknown share'} of {noun}"
            for verb, noun, share in (
                ("caught", "errors", reliability.sensitivity),
                ("accepted", "correct facts", reliability.specificity),
            )
        )
        words = f"{' and '.join(shares)} in tests on {reliability.measured_on}"
    return tag("span", words, class_="figures")


def _sentence(share: ExpectedShare | None, verb: str, noun: str, facts: str) -> str:
    if share is None:
        return f"{verb} {noun} to an extent that was not measured"
    return (
        f"{verb} {percent(share.value)} of {noun} (95 % interval {percent(share.low)} to"
        f" {percent(share.high)}, {share.n:,} {facts} asked)"
    )
