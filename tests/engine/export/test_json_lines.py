"""Lines hold a run, then its pictures, its evaluations and its ratings."""

import json
from pathlib import Path

from hallascope.engine.export import json_lines
from hallascope.engine.storage.store import Store
from tests.support.exports import Send
from tests.support.shared_runs import keep, rate


def test_a_line_says_what_it_is_and_a_run_comes_before_what_belongs_to_it(
    store: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    rate(store)
    send(store, "jsonl", images=True)
    text = (tmp_path / "out" / json_lines.FILE).read_text("utf-8")
    kinds = [json.loads(line)["kind"] for line in text.splitlines()]
    assert kinds == ["run"] + ["picture"] * 3 + ["evaluation"] * 4 + ["rating"] * 4
    assert len(list((tmp_path / "out" / "images").iterdir())) == 2
