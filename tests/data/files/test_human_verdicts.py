"""People's verdicts as a table: what is written is read again, whatever people write."""

import csv
import io
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files.human_verdicts import GRADES, KINDS, PersonVerdict, read_verdicts, table

# what the store can hold and a line of a form can carry
texts = (
    st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=30)
    .map(str.strip)
    .filter(bool)
)
lines = texts.map(lambda said: " ".join(said.split())).filter(bool)
hashes = st.text("0123456789abcdef", min_size=64, max_size=64)
times = st.integers(0, 4_000_000_000_000_000).map(lambda micros: micros / 1e6)


@st.composite
def verdicts(draw: st.DrawFn) -> PersonVerdict:
    kind = draw(st.sampled_from(KINDS))
    about, value = (
        ("", draw(st.sampled_from(GRADES))) if kind == "grade" else (draw(texts), draw(texts))
    )
    return PersonVerdict(
        image=draw(hashes),
        prompt=draw(texts),
        kind=kind,
        about=about,
        rater=draw(lines),
        value=value,
        when=draw(times),
        metric=draw(lines) if kind == "finding" else "",
    )


@given(st.lists(verdicts(), min_size=1, max_size=5))
def test_what_is_written_is_read_again(said: list[PersonVerdict]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        path.write_text(table(said), encoding="utf-8", newline="")
        found, complaints = read_verdicts(path)
    assert complaints == []
    assert [one.when for one in found] == [round(one.when, 6) for one in found]
    for one, other in zip(found, said, strict=True):
        assert abs(one.when - other.when) < 1e-5
        assert one.__dict__ | {"when": 0} == other.__dict__ | {"when": 0}


@given(lines)
def test_no_cell_begins_like_a_formula(rater: str) -> None:
    (_, row) = csv.reader(
        io.StringIO(
            table(
                [
                    PersonVerdict(
                        image="a" * 64,
                        prompt="=1+1",
                        kind="grade",
                        about="",
                        rater=rater,
                        value="7",
                        when=0.0,
                    )
                ]
            )
        )
    )
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)


@given(st.text(max_size=200))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        path.write_text(
            "item,prompt,kind,about,rater,value,when\n" + text.encode("utf-8", "ignore").decode(),
            encoding="utf-8",
            newline="",
        )
        found, _ = read_verdicts(path)
    assert found == []
