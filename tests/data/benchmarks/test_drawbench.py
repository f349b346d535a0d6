"""DrawBench is read from tables and from the Hub, with its categories."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from hallascope.data.benchmarks.drawbench import read_drawbench
from hallascope.data.benchmarks.ihalla import NotABenchmark
from tests.support.prompt_lists import complaint_texts

# as the authors' sheet has them: a comma in quotes, quotes in a text, a space behind a category
TABLE = """Prompts,Category
A red colored car.,Colors
"A small vessel propelled on water by oars, sails, or an engine.",Descriptions
A pear cut into seven pieces arranged in a ring.,Gary Marcus et al.\x20
A sign that says 'Hello World'.,Text
"""


def test_a_table_gives_prompts_with_their_categories_and_rows(file: Any) -> None:
    found = read_drawbench(file("drawbench.csv", TABLE))
    assert complaint_texts(found) == []
    assert [(p.source, p.category) for p in found.prompts] == [
        ("row 2", "Colors"),
        ("row 3", "Descriptions"),
        ("row 4", "Gary Marcus et al."),
        ("row 5", "Text"),
    ]
    assert (
        found.prompts[1].prompt == "A small vessel propelled on water by oars, sails, or an engine."
    )
    assert found.summary()["by_category"] == {
        "Colors": 1,
        "Descriptions": 1,
        "Gary Marcus et al.": 1,
        "Text": 1,
    }
    assert json.loads(json.dumps(found.summary())) == found.summary()


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        (
            "a.csv",
            "Prompts,Category\n,Colors\nA cat.,Text\n",
            "a.csv, row 2: the field 'prompts' is empty; the prompt is left out",
        ),
        (
            "a.csv",
            "Prompts,Category\nA red, blue car.,Colors\nA cat.,Text\n",
            (
                "a.csv, row 2: has 3 cells where the header names 2; put a text with a comma in"
                " quotes; the row is left out"
            ),
        ),
        (
            "a.csv",
            'Prompts,Category\nA cat.,Text\n"A dog.,Text\n',
            "a.csv, row 3: is quoted wrongly",
        ),
        (
            "a.csv",
            "Prompts,Category\nA dog.,Text\nA cat.,\n",
            "a.csv, row 3: the category is missing",
        ),
        (
            "a.csv",
            "Prompts,Category\nA cat.,Colour\n",
            "a.csv, row 2: the category 'Colour' is none of Colors, Conflicting",
        ),
        (
            "a.csv",
            "Prompts,Category\nA cat.,Text\nA  cat. ,Text\n",
            (
                "a.csv, row 3: the prompt 'A cat.' stands there twice (first at row 2); the second"
                " is left out"
            ),
        ),
        (
            "a.json",
            ["A cat.", 7],
            "a.json, row 2: is neither a text nor an object with fields; it is left out",
        ),
        (
            "a.json",
            [{"prompt": 7}, "A cat."],
            "a.json, row 1: the field 'prompt' is 7 and no text; the prompt is left out",
        ),
        (
            "a.jsonl",
            '"A cat."\n{"prompt"\n',
            "a.jsonl, row 2: is neither a text nor an object with fields; it is left out",
        ),
    ],
)
def test_what_is_wrong_is_named_by_file_and_row_and_the_rest_is_read(
    file: Any, name: str, content: object, complaint: str
) -> None:
    found = read_drawbench(file(name, content))
    (told,) = complaint_texts(found)
    assert told.startswith(complaint)
    assert "A cat." in [prompt.prompt for prompt in found.prompts]


def test_a_category_of_ones_own_is_kept_and_named(file: Any) -> None:
    found = read_drawbench(file("a.csv", "Prompts,Category\nA cat.,Cats\n"))
    assert found.prompts[0].category == "Cats"
    assert complaint_texts(found)[0].endswith("it is kept as it is")


@pytest.fixture
def hub(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[Callable[..., Any]], list[tuple[str, str | None]]]:
    """Put a function in place of `datasets.load_dataset`; gives what it was asked for."""
    import datasets

    def put(load: Callable[..., Any]) -> list[tuple[str, str | None]]:
        asked: list[tuple[str, str | None]] = []

        def loads(name: str, revision: str | None = None) -> Any:
            asked.append((name, revision))
            return load(revision)

        monkeypatch.setattr(datasets, "load_dataset", loads)
        return asked

    return put


def test_a_data_set_of_the_hub_is_read_with_its_class_labels(hub: Any) -> None:
    from datasets import ClassLabel, Dataset, DatasetDict, Features, Value

    features = Features(
        {"prompts": Value("string"), "category": ClassLabel(names=["Text", "Rare Words"])}
    )
    rows = Dataset.from_dict(
        {"prompts": ["A cat.", "Jentacular."], "category": [0, 1]}, features=features
    )
    asked = hub(lambda revision: DatasetDict(test=rows))
    found = read_drawbench("hub:someone/DrawBench@v1")
    assert asked == [("someone/DrawBench", "v1")]
    assert [(p.prompt, p.category) for p in found.prompts] == [
        ("A cat.", "Text"),
        ("Jentacular.", "Rare Words"),
    ]


def test_a_data_set_that_is_a_script_is_read_as_the_hub_has_converted_it(hub: Any) -> None:
    def load(revision: str | None) -> Any:
        if revision is None:
            raise RuntimeError("Dataset scripts are no longer supported, but found DrawBench.py")
        return {"test": [{"prompts": "A cat.", "category": "Text"}]}

    asked = hub(load)
    assert len(read_drawbench("hub:shunk031/DrawBench").prompts) == 1
    assert asked[-1] == ("shunk031/DrawBench", "refs/convert/parquet")


@pytest.mark.parametrize(
    "fault",
    [
        ConnectionError("no net\nat all."),
        RuntimeError("odd"),
        FileNotFoundError("no such data set"),
    ],
)
def test_without_a_net_there_is_one_sentence(hub: Any, fault: Exception) -> None:
    def load(revision: str | None) -> Any:
        raise fault

    hub(load)
    with pytest.raises(
        NotABenchmark,
        match=(
            r"'someone/DrawBench' cannot be had from the Hub \(.*\): check the name and the net, or"
            r" give"
        ),
    ) as no:
        read_drawbench("hub:someone/DrawBench")
    assert "\n" not in str(no.value)
