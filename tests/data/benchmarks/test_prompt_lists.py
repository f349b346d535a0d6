"""DrawBench and COCO captions are read in the forms they are given away in.

What is wrong is named by file and row; samples repeat.
"""

from pathlib import Path
from typing import Any

import pytest

from hallascope.data.benchmarks.coco import read_coco
from hallascope.data.benchmarks.drawbench import read_drawbench
from tests.support.prompt_lists import complaint_texts

REAL = Path(__file__).parents[4] / "shared" / "benchmarks" / "drawbench_coco_prompts.json"


# --- DrawBench
# --------------------------------------------------------------------------------------------------


# --- the Hub
# --------------------------------------------------------------------------------------------------


# --- COCO
# --------------------------------------------------------------------------------------------------


# --- all of them
# --------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not REAL.exists(), reason="the public files are not here")
def test_the_list_of_tifa_gives_each_benchmark_its_own() -> None:
    drawbench, coco = read_drawbench(REAL), read_coco(REAL)
    assert (len(drawbench.prompts), drawbench.others, complaint_texts(drawbench)) == (161, 300, [])
    assert (len(coco.prompts), coco.others, complaint_texts(coco)) == (300, 161, [])
    assert drawbench.prompts[0].source == "drawbench_0"


def test_a_sample_is_the_same_everywhere_and_a_larger_one_holds_it(file: Any) -> None:
    found = read_drawbench(file("many.txt", "".join(f"Prompt {n}\n" for n in range(200))))
    assert [p.source for p in found.sample(5, 7)] == SAMPLE
    assert set(found.sample(5, 7)) < set(found.sample(50, 7))
    assert found.sample(50, 7) != found.sample(50, 8)
    assert found.sample(999) == found.prompts
    assert found.sample(0) == ()


SAMPLE = ["row 24", "row 54", "row 129", "row 144", "row 163"]
