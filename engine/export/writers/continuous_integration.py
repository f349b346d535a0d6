"""Writes what services of continuous integration show: JUnit XML, and a summary in Markdown."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from hallascope import metrics
from hallascope.engine.documents.markdown import escape_markdown, markdown_table
from hallascope.engine.export.columns import QUESTION, Row, verdict_rows
from hallascope.engine.export.folder import ExportFolder
from hallascope.engine.export.formats import ExportSource
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.run.evaluation import unanswered_items, unanswered_reason
from hallascope.engine.storage.scores import INJECTED, ranked_model
from hallascope.metrics.statistics.intervals import interval_text

LISTED = 100  # wrong answers of a summary, which GitHub cuts at one MiB
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEADS = ("Model", "Metric", "Mean", "95 % interval", "Prompts", "Answered")


class _CaseName(NamedTuple):
    """Names what is one test case."""

    metric: str
    model: str
    prompt: str


class _CaseLines(NamedTuple):
    """Holds what was found in the images of a case, in lines for people."""

    scores: list[str]
    wrong: list[str]
    unanswered: list[str]


def write_junit(source: ExportSource, folder: ExportFolder) -> None:
    """Write results.xml, with a case for each prompt, model and metric, then one for each check.

    A case fails where an answer is wrong; it is an error where none is, and one is missing.
    """
    root = Element("testsuites")
    suite = SubElement(root, "testsuite", name="hallascope")
    for name, found in _read_cases(source).items():
        group = f"{name.metric}.{name.model}"
        _add_case(suite, group, name.prompt, found.wrong, found.unanswered, found.scores)
    for check in source.checks:
        said = [check.sentence]
        states = [said if check.passed is state else [] for state in (False, None, True)]
        _add_case(suite, "checks", f"{check.rule} {check.metric} {check.model}", *states)
    for count, path in (("tests", "*"), ("failures", "*/failure"), ("errors", "*/error")):
        suite.set(count, str(len(suite.findall(path))))
    indent(root)
    folder.write_text("results.xml", tostring(root, "unicode", xml_declaration=True))


def _add_case(
    suite: Element,
    group: str,
    name: str,
    wrong: list[str],
    unanswered: list[str],
    scores: list[str],
) -> None:
    case = SubElement(suite, "testcase", classname=_in_xml(group), name=_in_xml(name).strip())
    if lines := [*wrong, *unanswered]:
        kind = "failure" if wrong else "error"
        text = _in_xml("\n".join(lines))
        words = f"{len(wrong)} wrong, {len(unanswered)} unanswered: {text}"
        SubElement(case, kind, message=words.partition("\n")[0]).text = text
    if scores:
        SubElement(case, "system-out").text = _in_xml("\n".join(scores))


def _in_xml(text: str) -> str:
    """Return a text without the characters that XML cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", text)


def write_summary(source: ExportSource, folder: ExportFolder) -> None:
    """Write summary.md: the checks, a table of models and scores, then the wrong answers."""
    found = _read_cases(source)
    filters = Filters(runs=(*source.runs,))
    rows = [
        (
            row.model,
            metrics.title(metric),
            "-" if row.value is None else f"{row.value:.3f}",
            "-" if row.low is None or row.high is None else interval_text(row.low, row.high),
            f"{row.n:,}",
            f"{row.answered:,} of {row.answered + row.unanswered:,}",
        )
        for metric in dict.fromkeys(name.metric for name in found)
        for row in board(source.services.store, Query(metric, filters=filters)).rows
    ]
    wrong = [
        f"{name.model}, {name.prompt}, {line}"
        for name, lines in found.items()
        for line in (*lines.wrong, *lines.unanswered)
    ]
    folder.scan("summary.md", "\n".join(wrong))  # as it is: escaped, a key would not be seen
    lines = [
        "## HallaScope\n",
        *(f"- {escape_markdown(check.sentence)}" for check in source.checks),
        "",
        *markdown_table(_HEADS, rows),
        f"\nWrong or unanswered: {len(wrong):,}"
        + (f", of which these are the first {LISTED}\n" if len(wrong) > LISTED else "\n"),
        *(f"- {escape_markdown(line)}" for line in wrong[:LISTED]),
    ]
    folder.write_text("summary.md", "\n".join([*lines, ""]))


def _read_cases(source: ExportSource) -> dict[_CaseName, _CaseLines]:
    found: dict[_CaseName, _CaseLines] = defaultdict(lambda: _CaseLines([], [], []))
    for content in source.iterate_runs():
        request = content.run.request
        rows = defaultdict(list)
        for row in content.rows:
            rows[row["generation"], row["metric"]].append(row)
        for picture, metric in product(content.pictures, request.metrics):
            injected = picture.settings.get(INJECTED)
            model = ranked_model(picture.model, str(injected) if injected else None)
            lines = found[_CaseName(metric, model, request.prompt)]
            seed = f"seed {picture.seed}: "
            evaluated = rows[picture.generation, metric]
            if not evaluated:
                failure = picture.failure.message if picture.failure else content.run.notice
                lines.unanswered.append(seed + (failure or "The image was not judged."))
            for row in evaluated:
                if row["score"] is not None:
                    lines.scores.append(f"{seed}score {row['score']:.3f}")
                reasons = map(unanswered_reason, unanswered_items(row["report"]))
                lines.unanswered.extend(seed + reason for reason in reasons)
                lines.wrong.extend(seed + line for line in _wrong_lines(row))
    return found


def _wrong_lines(row: Row) -> Iterator[str]:
    for verdict in verdict_rows(row):
        if verdict["value"] == 0:
            asked, expected = verdict["asked"], verdict.get("wanted")
            if verdict["kind"] != QUESTION:
                asked, expected = verdict["kind"], asked
            seen = verdict["seen"] or "nothing"
            yield f"{asked} Expected: {expected or 'nothing'}; seen: {seen}."
