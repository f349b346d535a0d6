"""COCO captions are read in the forms they are given away in."""

from typing import Any

import pytest

from hallascope.data.benchmarks.coco import read_coco
from hallascope.data.benchmarks.ihalla import NotABenchmark
from tests.support.prompt_lists import complaint_texts

OFFICIAL: dict[str, Any] = {
    "info": {"year": 2017},
    "licenses": [{"id": 1, "url": "http://example.org/by"}],
    "images": [
        {
            "id": 179765,
            "file_name": "000000179765.jpg",
            "license": 1,
            "coco_url": "http://example.org/1.jpg",
        },
        {"id": 190236, "file_name": "000000190236.jpg", "license": 1},
    ],
    "annotations": [
        {
            "image_id": 179765,
            "id": 38,
            "caption": "A black Honda motorcycle parked in front of a garage.\n",
        },
        {"image_id": 190236, "id": 182, "caption": " An office  cubicle with four computers."},
        {"image_id": 179765, "id": 47, "caption": "A Honda motorcycle parked in a grass driveway"},
    ],
}


KARPATHY: dict[str, Any] = {
    "dataset": "coco",
    "images": [
        {
            "split": "test",
            "cocoid": 391895,
            "imgid": 0,
            "sentences": [
                {"raw": "A man on a bike.", "sentid": 770337, "tokens": ["a"]},
                {"raw": "A bike.", "sentid": 771687},
            ],
        },
        {
            "split": "restval",
            "cocoid": 522418,
            "imgid": 1,
            "sentences": [{"raw": "A woman cuts a cake. ", "sentid": 681330}],
        },
    ],
}


def test_the_official_annotations_give_captions_with_the_ids_of_picture_and_caption(
    file: Any,
) -> None:
    found = read_coco(file("captions_val2017.json", OFFICIAL))
    assert complaint_texts(found) == []
    assert [(p.source, p.prompt) for p in found.prompts] == [
        ("179765/38", "A black Honda motorcycle parked in front of a garage."),
        ("190236/182", "An office cubicle with four computers."),
        ("179765/47", "A Honda motorcycle parked in a grass driveway"),
    ]
    assert "example.org" not in repr(found)


def test_what_is_wrong_in_annotations_is_named_by_its_place(file: Any) -> None:
    wrong = [
        {"image_id": 1, "id": 7, "caption": "No such image."},
        {"image_id": 179765, "id": 38, "caption": "Again."},
        {"image_id": 179765, "id": 48, "caption": " "},
        {"image_id": "179765", "id": 49, "caption": "An id in quotes."},
        "no object",
    ]
    found = read_coco(
        file("c.json", OFFICIAL | {"annotations": [*OFFICIAL["annotations"], *wrong]})
    )
    assert sorted(complaint_texts(found)) == [
        "c.json, row 4: its image 1 is not among the images; the caption is left out",
        "c.json, row 5: the caption 38 stands there twice; the second is left out",
        "c.json, row 6: the field 'caption' is empty; the caption is left out",
        "c.json, row 7: 'image_id' or 'id' is no whole number; the caption is left out",
        "c.json, row 8: the annotation is no JSON object; it is left out",
    ]
    assert len(found.prompts) == 3


def test_annotations_of_other_things_than_captions_are_refused(file: Any) -> None:
    boxes = OFFICIAL | {"annotations": [{"image_id": 179765, "id": 1, "bbox": [0, 0, 1, 1]}]}
    with pytest.raises(
        NotABenchmark, match=r"instances\.json, row 1: the field 'caption' is empty"
    ):
        read_coco(file("instances.json", boxes))


def test_the_karpathy_split_is_read_whole_or_in_part(file: Any) -> None:
    path = file("dataset_coco.json", KARPATHY)
    found = read_coco(path)
    assert [(p.source, p.split) for p in found.prompts] == [
        ("391895/770337", "test"),
        ("391895/771687", "test"),
        ("522418/681330", "restval"),
    ]
    assert found.summary()["by_split"] == {"test": 2, "restval": 1}
    assert [p.prompt for p in read_coco(path, "restval").prompts] == ["A woman cuts a cake."]
    with pytest.raises(NotABenchmark, match="has no split 'val': its splits are restval, test"):
        read_coco(path, "val")
    with pytest.raises(NotABenchmark, match="names no splits"):
        read_coco(file("captions.txt", "A bike.\n"), "val")


def test_what_is_wrong_in_the_karpathy_split_is_named_by_the_place_of_its_picture(
    file: Any,
) -> None:
    images = [
        *KARPATHY["images"],
        {"split": "test"},
        {"sentences": [{"tokens": ["a"]}, {"raw": "A dog."}]},
        4,
    ]
    found = read_coco(file("k.json", KARPATHY | {"images": images}))
    assert sorted(complaint_texts(found)) == [
        "k.json, row 3: the image has no list 'sentences'; it is left out",
        "k.json, row 4: the field 'raw' is empty; the caption is left out",
        "k.json, row 5: the image is no JSON object; it is left out",
    ]
    assert found.prompts[-1].source == "row 4/2"


def test_captions_a_line_and_captions_that_two_people_wrote_alike_are_all_kept(file: Any) -> None:
    found = read_coco(file("captions.txt", "A man riding a wave.\nA dog.\nA man riding a wave.\n"))
    assert (complaint_texts(found), len(found.prompts)) == ([], 3)
