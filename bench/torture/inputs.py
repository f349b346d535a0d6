"""Checks what large and hostile inputs cost: a workbook that unpacks to much more than it is, and
long prompts.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from openpyxl import Workbook

from bench.torture.rows import TortureRow, TortureSetup
from hallascope.data.files.question_files import read_question_file
from hallascope.metrics.parsing.parser import LONGEST as LONGEST_PARSED
from hallascope.metrics.parsing.parser import parse

ROOT = Path(__file__).parents[2]
NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SHEET = "xl/worksheets/sheet1.xml"
UNPACKED = 200 * 2**20  # bytes of the workbook's sheet
ROW = b'<row><c t="inlineStr"><is><t>a dog</t></is></c></row>'
MOST_SECONDS, MOST_MB = 5.0, 100.0
REPEATS = 3
MOST_GROWTH = 3.0  # of the time for twice the text


def check_workbook(setup: TortureSetup) -> Iterator[TortureRow]:
    """Read a small workbook that unpacks to UNPACKED bytes, in a process of its own."""
    path = setup.folder / "bomb.xlsx"
    write_workbook(path, UNPACKED)
    ended = subprocess.run(
        [sys.executable, "-m", "bench.torture.inputs", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, megabytes, problem = json.loads(ended.stdout)
    yield TortureRow(
        f"a workbook of {path.stat().st_size / 2**20:.1f} MB that unpacks to"
        f" {UNPACKED // 2**20} MB",
        f"{seconds:.1f} s, + {megabytes:.0f} MB, “{problem}”",
        f"one sentence; <= {MOST_SECONDS:.0f} s, <= {MOST_MB:.0f} MB",
        bool(problem) and seconds <= MOST_SECONDS and megabytes <= MOST_MB,
    )


def write_workbook(path: Path, size: int) -> None:
    """Write a workbook whose only sheet has so many bytes once it is unpacked."""
    plain = path.with_suffix(".plain.xlsx")
    Workbook().save(plain)
    with (
        zipfile.ZipFile(plain) as source,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for part in source.infolist():
            if part.filename != SHEET:
                target.writestr(part, source.read(part))
        with target.open(SHEET, "w") as sheet:
            sheet.write(f'<worksheet xmlns="{NAMESPACE}"><sheetData>'.encode())
            for _ in range(size // (len(ROW) * 1000)):
                sheet.write(ROW * 1000)
            sheet.write(b"</sheetData></worksheet>")


def check_long_texts(_: TortureSetup) -> Iterator[TortureRow]:
    """Read the longest prompt that is read, and one of half its length."""
    words = "a red dog on a large sofa, "
    whole = (words * (LONGEST_PARSED // len(words)))[: LONGEST_PARSED - 1]
    half = whole[: len(whole) // 2]
    parse(half)  # what is loaded once is not measured
    growth = _fastest(lambda: parse(whole)) / _fastest(lambda: parse(half))
    yield TortureRow(
        f"a prompt of {len(whole):,} characters, the longest that is read, beside half of it",
        f"{growth:.1f} times as long",
        f"<= {MOST_GROWTH:.0f} times",
        growth <= MOST_GROWTH,
    )


def _fastest(work: Callable[[], object]) -> float:
    """Return the seconds of the fastest of some repetitions, of this process alone."""
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def main(path: Path) -> None:
    """Print seconds, MB by which the process has grown, and what was wrong, as JSON."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    _, complaints = read_question_file(path)
    seconds = time.process_time() - start
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    problem = complaints[0].problem if complaints else ""
    print(json.dumps([seconds, grown, problem]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
