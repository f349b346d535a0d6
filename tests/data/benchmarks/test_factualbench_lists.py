"""Concept lists and reviews: what is wrong is named, and what a person accepts is read back as a
benchmark.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.benchmarks import factualbench_lists as lists
from hallascope.data.benchmarks.factualbench import read_factualbench
from hallascope.data.benchmarks.factualbench_lists import ReviewedProposal
from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.sheets import Complaint


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "quokka.jpg").write_bytes(b"picture")
    path = tmp_path / "concepts.csv"
    path.write_text(
        "concept,domain,definition,reference\nquokka,animal,A small"
        " wallaby.,quokka.jpg\nclap_skate,sport,,\n"
        "quokka,animal,,\nghost,spirit,,\n,animal,,\nnumbat,animal,,gone.jpg\n"
    )
    return path


def test_concepts_are_read_and_every_row_that_is_wrong_is_named(table: Path) -> None:
    complaints: list[Complaint] = []
    found = lists.read_concepts(table, complaints)
    assert [(one.name, one.domain, one.file is not None) for one in found] == [
        ("quokka", "animal", True),
        ("clap_skate", "artifact", False),
        ("numbat", "animal", False),
    ]
    assert [one.problem.partition(";")[0] for one in complaints] == [
        "the concept 'quokka' stands there twice",
        "the domain 'spirit' is unknown",
        "it names no concept",
        "the reference image 'gone.jpg' is not there",
    ]
    with pytest.raises(BadTable):
        lists.read_concepts(table.with_name("nowhere.csv"), complaints)


MADE = (
    ReviewedProposal(task="memorization", concepts=("quokka",), prompt="An image of a quokka"),
    ReviewedProposal(
        task="interaction",
        concepts=("quokka", "clap_skate"),
        prompt="A quokka sniffs at a clap skate",
        variations=("sniffing",),
        feasible=True,
        reason="plausible",
    ),
    ReviewedProposal(
        task="size", concepts=("quokka", "clap_skate"), problem="The writer did not answer."
    ),
)


def reviewed(path: Path, *accepted: str) -> Path:
    lists.write_review(path, MADE)
    head, *lines = path.read_text().splitlines()
    path.write_text(
        "\n".join([head, *(f"{said}{line}" for said, line in zip(accepted, lines, strict=False))])
        + "\n"
    )
    return path


def test_what_is_accepted_becomes_a_benchmark_that_is_read_back_with_references_and_definitions(
    table: Path, tmp_path: Path
) -> None:
    known, complaints = lists.read_concepts(table, []), list[Complaint]()
    prompts = lists.read_accepted(
        reviewed(tmp_path / "review.csv", "yes", "Yes", "no"), known, complaints
    )
    assert complaints == []
    lists.write_benchmark(tmp_path / "out", prompts)
    found = read_factualbench(tmp_path / "out")
    assert [(one.prompt, one.task, one.level) for one in found.prompts] == [
        ("An image of a quokka", "memorization", "SKCM"),
        ("A quokka sniffs at a clap skate", "interaction", "MKCC"),
    ]
    quokka, skate = found.prompts[1].concepts
    assert (quokka.definition, quokka.file.read_bytes() if quokka.file else None) == (
        "A small wallaby.",
        b"picture",
    )
    assert (skate.name, skate.file) == ("clap skate", None)
    assert found.prompts[1].injected == "A quokka (A small wallaby.) sniffs at a clap skate"


def test_what_a_person_spoiled_is_named_and_left_out(table: Path, tmp_path: Path) -> None:
    complaints: list[Complaint] = []
    path = reviewed(tmp_path / "review.csv", "maybe", "yes", "yes")
    path.write_text(path.read_text().replace("sniffs at a clap skate", "sniffs"))
    assert lists.read_accepted(path, lists.read_concepts(table, []), complaints) == []
    assert [one.problem.partition(";")[0] for one in complaints] == [
        "accept is 'maybe' and neither yes nor no",
        "the prompt does not name clap_skate",
        "the prompt does not name quokka and clap_skate",
    ]


texts = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=30)


@given(st.lists(st.tuples(texts, texts), max_size=4))
def test_whatever_a_writer_says_the_review_can_be_read_again(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, str]]
) -> None:
    path, complaints = tmp_path_factory.mktemp("review") / "review.csv", list[Complaint]()
    lists.write_review(
        path,
        [
            ReviewedProposal(
                task="memorization", concepts=("quokka",), prompt=prompt, reason=reason
            )
            for prompt, reason in said
        ],
    )
    assert lists.read_accepted(path, [], complaints) == []
    assert complaints == [], "nothing is accepted, so nothing is wrong"
