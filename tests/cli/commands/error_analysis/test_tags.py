"""Tests `hallascope errors tag`, `tags` and `note`."""

from typing import Any

import pytest


@pytest.fixture
def ids(command: Any) -> list[int]:
    """The evaluations of two judged images."""
    command(
        "evaluate", "a molecule of methane", "--models", "primer/exact,primer/careless", "--judge",
        "scripted/judge", "--json",
    )  # fmt: skip
    cells = command("errors", "grid", "--json").json["cells"]
    return [cell["evaluations"][0] for cell in cells]


def test_images_are_tagged_by_id_and_by_selection(command: Any, ids: list[int]) -> None:
    assert "No image has a tag" in command("errors", "tags").out
    tagged = command("errors", "tag", "Extra  Fingers", str(ids[0]), "--by", "Ann", "--json").json
    assert (tagged["tag"], tagged["images"]) == ("extra fingers", 1)
    selected = command("errors", "tag", "drawn", "--where", "model:primer/careless")
    assert "“drawn” added to 1 image." in selected.out
    counts = command("errors", "tags", "--json").json
    assert {row["tag"]: row["images"] for row in counts["tags"]} == {"extra fingers": 1, "drawn": 1}
    assert command("errors", "tags", "--where", "tag:drawn", "--json").json["images"] == 1
    command("errors", "tag", "drawn", "--model", "primer/careless", "--remove")
    assert "drawn" not in command("errors", "tags").out


def test_notes_are_kept(command: Any, ids: list[int]) -> None:
    assert "kept on 1 image" in command("errors", "note", "It is green.", str(ids[0])).out
    assert "removed from 1 image" in command("errors", "note", "", str(ids[0])).out


def test_a_tag_without_images_is_refused(command: Any, ids: list[int]) -> None:
    refused = command("errors", "tag", "drawn")
    assert (refused.code, "No image is named" in refused.err) == (2, True)
    unknown = command("errors", "tag", "drawn", "999")
    assert (unknown.code, "None of these images" in unknown.err) == (2, True)


def test_the_error_types_of_the_papers_are_listed(command: Any) -> None:
    groups = command("errors", "tags", "--types", "--json").json["groups"]
    assert any("I-HallA" in group["source"] for group in groups)
    assert "feature mixture" in command("errors", "tags", "--types").out
