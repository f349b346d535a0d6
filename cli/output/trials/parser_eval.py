"""Formats how well prompts are read and names matched, for programs and for people."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn

if TYPE_CHECKING:
    from hallascope.data.files.readings.gold_names import GoldNamePair
    from hallascope.engine.judge_eval.parsers.parser_eval import (
        NameEvaluation,
        ParserEvaluation,
        PromptShare,
    )
    from hallascope.metrics.reading.comparison import ReadingComparison
    from hallascope.metrics.reading.confidence import System

SYSTEM_TITLES: Mapping["System", str] = {"fig": "FiG", "scene-graph": "scene graph"}
SHARE_COLUMNS = (
    TextColumn("", lambda row: row[0]),
    TextColumn("share", lambda row: _value_cell(row[1])),
    TextColumn("95 % interval", lambda row: _interval_cell(row[1])),
    TextColumn("of", lambda row: str(row[1].whole)),
)
_ELEMENT_COLUMNS = (
    TextColumn("element", lambda row: row[0]),
    TextColumn("precision", lambda row: _value_cell(row[1].precision)),
    TextColumn("95 % interval", lambda row: _interval_cell(row[1].precision)),
    TextColumn("read", lambda row: str(row[1].precision.whole)),
    TextColumn("recall", lambda row: _value_cell(row[1].recall)),
    TextColumn("95 % interval", lambda row: _interval_cell(row[1].recall)),
    TextColumn("asked for", lambda row: str(row[1].recall.whole)),
)


def document(evaluation: "ParserEvaluation", names: "NameEvaluation") -> dict[str, Any]:
    """Return all figures and mistakes by name."""
    return {
        "right": {
            system: {
                "all": share_document(evaluation.right(system)),
                "natural": share_document(evaluation.right(system, natural=True)),
                "by_stratum": {
                    stratum: share_document(share)
                    for stratum, share in evaluation.right_by_stratum(system).items()
                },
            }
            for system in SYSTEM_TITLES
        },
        "scored": {
            system: {
                "coverage": share_document(evaluation.scored(system)),
                "right": share_document(evaluation.right_where(system, scored=True)),
                "right_of_the_others": share_document(evaluation.right_where(system, scored=False)),
                "curve": [
                    {
                        "coverage": point.coverage,
                        "confidence": point.confidence,
                        "right": share_document(point.right),
                    }
                    for point in evaluation.curve(system)
                ],
            }
            for system in SYSTEM_TITLES
        },
        "recognized": share_document(evaluation.recognized),
        "withheld": list(evaluation.withheld),
        "elements": {
            kind: {
                "precision": share_document(scores.precision),
                "recall": share_document(scores.recall),
            }
            for kind, scores in evaluation.elements().items()
        },
        "names": {
            **share_document(names.share),
            "mistakes": [
                {"asked": pair.expected, "seen": pair.observed, "same": pair.same}
                for pair in names.mistakes
            ],
        },
        "mistakes": [
            {
                "prompt": comparison.gold.prompt,
                "stratum": comparison.gold.stratum,
                "mistakes": [
                    {"kind": mistake.kind, "what": mistake.what, "words": mistake.words}
                    for mistake in comparison.mistakes
                ],
            }
            for comparison in evaluation.comparisons
            if comparison.mistakes
        ],
    }


def lines(evaluation: "ParserEvaluation", names: "NameEvaluation", mistakes: bool) -> str:
    """Return the figures as tables; with `mistakes` also prompts and names that are wrong."""
    parts = [
        printing.table(SHARE_COLUMNS, list(_share_rows(evaluation, names))),
        printing.table(_ELEMENT_COLUMNS, list(evaluation.elements().items())),
    ]
    if mistakes:
        parts += [
            _mistake_lines(comparison)
            for comparison in evaluation.comparisons
            if comparison.mistakes
        ]
        parts += [f"no reading: {prompt}" for prompt in evaluation.withheld]
        if names.mistakes:
            parts.append("\n".join(map(_name_line, names.mistakes)))
    return "\n\n".join(parts)


def _share_rows(
    evaluation: "ParserEvaluation", names: "NameEvaluation"
) -> Iterator[tuple[str, "PromptShare"]]:
    for system, title in SYSTEM_TITLES.items():
        yield f"prompts read right for {title}", evaluation.right(system)
        yield f"natural prompts read right for {title}", evaluation.right(system, natural=True)
        for stratum, share in evaluation.right_by_stratum(system).items():
            yield f"  {stratum}", share
    for system, title in SYSTEM_TITLES.items():
        yield f"scored for {title}", evaluation.scored(system)
        yield "  of these read right", evaluation.right_where(system, scored=True)
        yield "  of the others read right", evaluation.right_where(system, scored=False)
        for stratum in evaluation.strata:
            part = evaluation.of_stratum(stratum)
            yield f"  {stratum}: scored", part.scored(system)
            yield f"  {stratum}: of these read right", part.right_where(system, scored=True)
    yield "unreadable prompts recognized", evaluation.recognized
    yield "names judged as a person would", names.share


def _name_line(pair: "GoldNamePair") -> str:
    judgment = "is" if pair.same else "is not"
    return f"name judged wrong: {pair.observed} {judgment} {pair.expected}"


def _mistake_lines(comparison: "ReadingComparison") -> str:
    failed = [title for system, title in SYSTEM_TITLES.items() if not comparison.right(system)]
    return "\n".join(
        (
            f"{comparison.gold.stratum}: {comparison.gold.prompt}",
            f"  wrong for {' and '.join(failed) or 'neither'}",
            *(
                f"  {mistake.kind} {mistake.what}: {mistake.words}"
                for mistake in comparison.mistakes
            ),
        )
    )


def _value_cell(share: "PromptShare") -> str:
    return printing.number(share.value)


def _interval_cell(share: "PromptShare") -> str:
    return printing.interval(share.interval.low, share.interval.high) if share.interval else "-"


def share_document(share: "PromptShare") -> dict[str, Any]:
    """Return a share with what it is of and its interval, by name."""
    return {
        "value": share.value,
        "part": share.part,
        "of": share.whole,
        "interval": share.interval._asdict() if share.interval else None,
    }
