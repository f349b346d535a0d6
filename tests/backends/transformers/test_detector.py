"""Detectors, segmenters and embedders of the transformers library say what the library's own models
say, in our words.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from transformers import SamProcessor

from hallascope.backends import registry
from hallascope.backends.base import BadWeights, Detector, Embedder, Segmenter, Stopped, Unavailable
from hallascope.backends.transformers.clipseg import HeatMaps
from hallascope.backends.transformers.detector import ZeroShotDetector
from hallascope.data import masks
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import (
    Detect,
    Detected,
    Embed,
    Embedded,
    Failure,
    Role,
    Segment,
    Segmented,
)
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.run.cache import MemoryCache
from hallascope.engine.run.driver import Driver, PlanReply, PlanResult
from tests.support.tiny_models import vision

ROLES: dict[str, tuple[str, tuple[Role, ...]]] = {
    "grounding-dino": ("transformers-detector", ("detector",)),
    "owlv2": ("transformers-detector", ("detector",)),
    "sam": ("transformers-segmenter", ("segmenter",)),
    "sam2": ("transformers-segmenter", ("segmenter",)),
    "clipseg": ("clipseg", ("detector", "segmenter")),
    "clip": ("transformers-embedder", ("embedder",)),
    "siglip": ("transformers-embedder", ("embedder",)),
    "dinov2": ("transformers-embedder", ("embedder",)),
}
PROTOCOLS: dict[Role, type] = {"detector": Detector, "segmenter": Segmenter, "embedder": Embedder}
BOXES = (Box(0, 0, 0.5, 0.5), Box(0.25, 0.25, 1, 1), Box(0.4, 0.3, 0.95, 0.9))
Tiny = Callable[[str], Path]


def spec(kind: str, folder: Path, **settings: Any) -> ModelSpec:
    backend, roles = ROLES[kind]
    return ModelSpec(
        id=f"test/{kind}",
        title=f"Tiny {kind}",
        roles=roles,
        backend=backend,
        repository=str(folder),
        settings=settings,
    )


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Picture:
    return vision.picture(tmp_path_factory.mktemp("pictures"))


@pytest.fixture
def eyes(tiny: Tiny) -> Callable[..., Any]:
    return lambda kind, **settings: registry.load(spec(kind, tiny(kind), **settings))


def found(replies: list[Detected | Failure]) -> Detected:
    (reply,) = replies
    assert isinstance(reply, Detected), reply
    return reply


def cut(replies: list[Segmented | Failure]) -> list[Any]:
    (reply,) = replies
    assert isinstance(reply, Segmented), reply
    return [masks.array(mask) for mask in reply.masks]


def vectors(replies: list[Embedded | Failure]) -> np.ndarray:
    assert all(isinstance(reply, Embedded) for reply in replies), replies
    return np.array([reply.vector for reply in replies if isinstance(reply, Embedded)])


# --- all of them
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ROLES)
def test_a_model_fills_the_roles_of_its_entry_and_its_revision_is_known_before(
    eyes: Any, tiny: Tiny, kind: str
) -> None:
    entry = spec(kind, tiny(kind))
    assert registry.available(entry) is None
    model = eyes(kind)
    assert all(isinstance(model, PROTOCOLS[role]) for role in entry.roles)
    assert model.revision == registry.revision(entry) != "unpinned"
    assert model.limits == registry.limits(entry)


@pytest.mark.parametrize("kind", ROLES)
@pytest.mark.parametrize(
    "damage",
    [
        "truncated",
        "missing",
        "pickle",
        "no config",
        "a weight is gone",
        "of another kind",
        "remote code",
    ],
)
def test_a_damaged_folder_is_refused_with_one_sentence(
    tiny: Tiny, tmp_path: Path, kind: str, damage: str
) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(tiny(kind), folder)
    weights, config = folder / "model.safetensors", folder / "config.json"
    match damage:
        case "truncated":
            weights.write_bytes(weights.read_bytes()[:1000])
        case "missing":
            weights.unlink()
        case "pickle":
            weights.unlink()
            torch.save({"a": torch.ones(1)}, folder / "pytorch_model.bin")
        case "no config":
            config.unlink()
        case "a weight is gone":
            from safetensors.torch import load_file, save_file

            kept = load_file(weights)
            kept.pop(max(kept))
            save_file(kept, weights, metadata={"format": "pt"})
        case "of another kind":
            other = "dinov2" if ROLES[kind][0] != "transformers-embedder" else "sam"
            shutil.copy(tiny(other) / "config.json", config)
        case _:
            said = json.loads(config.read_text())
            config.write_text(
                json.dumps(
                    said
                    | {
                        "model_type": "mine",
                        "auto_map": {"AutoConfig": "evil.Config", "AutoModel": "evil.Model"},
                    }
                )
            )
            (folder / "evil.py").write_text(
                f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Config: ...\nclass Model: ...\n"
            )
    with pytest.raises(BadWeights, match=f"test/{kind} could not be loaded") as caught:
        registry.load(spec(kind, folder))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("kind", ["grounding-dino", "sam", "clip"])
def test_an_embedded_folder_that_is_not_there_is_said_before_anything_is_loaded(kind: str) -> None:
    reason = registry.available(replace(spec(kind, Path()), repository="embedded:nowhere"))
    assert reason is not None
    assert "'nowhere'" in reason


@pytest.mark.parametrize(
    ("kind", "name", "value", "remedy"),
    [
        ("grounding-dino", "threshold", 3, "give a number from 0 to 1."),
        ("clipseg", "min_area", "small", "give a number from 0 to 1."),
        ("sam", "device", "fast", "give cpu, cuda, cuda:NUMBER or mps, or leave it out."),
    ],
)
def test_a_setting_that_makes_no_sense_is_said_before_anything_is_loaded(
    kind: str, name: str, value: Any, remedy: str
) -> None:
    reason = registry.available(
        replace(spec(kind, Path(), **{name: value}), repository="owner/name")
    )
    assert reason == f"Tiny {kind} cannot run here: its setting {name!r} is {value!r}: {remedy}"


def test_a_folder_that_is_not_there_is_said_and_not_looked_for_on_the_hub(tmp_path: Path) -> None:
    assert "is not there: give the path of a folder" in str(
        registry.available(spec("sam", tmp_path / "gone"))
    )


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is such a device here")
def test_a_device_that_is_not_there_is_said_with_the_remedy(tiny: Tiny) -> None:
    with pytest.raises(
        Unavailable, match=r"Tiny clip cannot be moved to 'cuda:7' .* write `device: cpu`"
    ):
        registry.load(spec("clip", tiny("clip"), device="cuda:7"))


def test_a_package_that_the_library_misses_is_named_and_the_folder_not_blamed(
    tiny: Tiny, tmp_path: Path
) -> None:
    shutil.copytree(tiny("siglip"), tmp_path, dirs_exist_ok=True)
    said = json.loads((tmp_path / "tokenizer_config.json").read_text())
    (tmp_path / "tokenizer_config.json").write_text(
        json.dumps(said | {"tokenizer_class": "SiglipTokenizer"})
    )
    if find_spec("sentencepiece"):
        pytest.skip("it is installed here")
    with pytest.raises(
        Unavailable,
        match="Tiny siglip cannot run here: SiglipTokenizer requires the SentencePiece library",
    ):
        registry.load(spec("siglip", tmp_path))


def test_a_stop_is_heard_between_two_pictures(eyes: Any, picture: Picture) -> None:
    def stop(step: int, steps: int) -> None:
        told.append((step, steps))
        if step == 1:
            raise Stopped

    told: list[tuple[int, int]] = []
    with pytest.raises(Stopped):
        eyes("clipseg").detect([Detect(picture, ("a cat",))] * 3, stop)
    assert told == [(0, 3), (1, 3)]


# --- detectors
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["grounding-dino", "owlv2", "clipseg"])
def test_detections_come_best_first_above_the_threshold_and_name_a_phrase_that_was_asked_for(
    eyes: Any, picture: Picture, kind: str
) -> None:
    detector, phrases = eyes(kind, min_area=0), ("a red circle", "The dog.", "a red circle")
    everything = found(detector.detect([Detect(picture, phrases, 0.0)])).detections
    assert len(everything) > 1
    assert {one.phrase for one in everything} <= set(phrases)
    scores = [one.score for one in everything]
    assert scores == sorted(scores, reverse=True)
    if kind != "clipseg":  # where the threshold shapes the pieces
        middle = (scores[0] + scores[-1]) / 2
        assert found(detector.detect([Detect(picture, phrases, middle)])).detections == tuple(
            d for d in everything if d.score >= middle
        )
    assert found(detector.detect([Detect(picture, phrases, 1.0)])).detections == ()


@pytest.mark.parametrize("kind", ["grounding-dino", "owlv2", "clipseg"])
def test_no_phrases_find_nothing_and_the_setting_is_the_threshold_where_none_is_given(
    eyes: Any, picture: Picture, kind: str
) -> None:
    assert found(eyes(kind).detect([Detect(picture, ())])).detections == ()
    assert found(eyes(kind, threshold=1.0).detect([Detect(picture, ("a cat",))])).detections == ()
    asked = found(eyes(kind, threshold=0.0).detect([Detect(picture, ("a cat",))]))
    assert asked.detections
    assert asked == found(eyes(kind, threshold=1.0).detect([Detect(picture, ("a cat",), 0.0)]))


def test_owl_finds_what_the_library_finds_on_a_picture_that_is_not_square(
    eyes: Any, picture: Picture
) -> None:
    detector = eyes("owlv2")
    reply = found(detector.detect([Detect(picture, ("a cat", "a dog"), 0.0)]))
    image = Image.open(picture.path)
    inputs = detector.processor(images=image, text=[["a cat", "a dog"]], return_tensors="pt")
    with torch.inference_mode():
        seen = detector.model(**inputs)
    (own,) = detector.processor.post_process_grounded_object_detection(
        seen, threshold=0.0, target_sizes=[(64, 96)]
    )
    expected = own["boxes"][own["scores"].argmax()].clamp(
        torch.zeros(4), torch.tensor([96.0, 64.0, 96.0, 64.0])
    )
    assert reply.detections[0].score == pytest.approx(own["scores"].max().item(), abs=1e-5)
    assert [
        s * e for s, e in zip(reply.detections[0].box.sides, (96, 64, 96, 64), strict=True)
    ] == pytest.approx(expected.tolist(), abs=1e-3)


def test_grounding_dino_finds_what_the_library_finds(eyes: Any, picture: Picture) -> None:
    detector = eyes("grounding-dino")
    reply = found(detector.detect([Detect(picture, ("cat",), 0.0)]))
    inputs = detector.processor(images=Image.open(picture.path), text="cat.", return_tensors="pt")
    with torch.inference_mode():
        seen = detector.model(**inputs)
    scores = seen.logits[0].sigmoid()[:, 1]  # [CLS] cat . [SEP]
    assert sorted(one.score for one in reply.detections) == pytest.approx(
        sorted(scores.tolist()), abs=1e-5
    )
    x, y, w, h = seen.pred_boxes[0][scores.argmax()].tolist()
    sides = [min(max(side, 0), 1) for side in (x - w / 2, y - h / 2, x + w / 2, y + h / 2)]
    assert reply.detections[0].box.sides == pytest.approx(sides, abs=1e-5)


def _sure_of(
    detector: ZeroShotDetector, word: str, monkeypatch: pytest.MonkeyPatch
) -> list[list[str]]:
    """A model that sees one thing, where it reads `word`; gives the texts it is going to read."""
    read: list[list[str]] = []

    class Sure(torch.nn.Module):
        config = detector.model.config

        def forward(self, input_ids: torch.Tensor, **rest: Any) -> SimpleNamespace:
            words = detector.processor.tokenizer.convert_ids_to_tokens(input_ids[0])
            read.append(words)
            logits = torch.tensor([[[9.0 if w == word else -9.0 for w in words]]])
            return SimpleNamespace(logits=logits, pred_boxes=torch.tensor([[[0.5, 0.5, 0.5, 0.5]]]))

    monkeypatch.setattr(detector, "model", Sure())
    return read


@pytest.mark.parametrize(
    ("word", "phrase"),
    [("cat", "a red cat"), ("dog", "The Dog."), ("circle", "circle of a. square")],
)
def test_grounding_dino_gives_a_box_to_the_phrase_of_the_word_it_is_sure_of(
    eyes: Any, picture: Picture, monkeypatch: pytest.MonkeyPatch, word: str, phrase: str
) -> None:
    detector = eyes("grounding-dino")
    _sure_of(detector, word, monkeypatch)
    (one,) = found(
        detector.detect([Detect(picture, ("a red cat", "The Dog.", "circle of a. square"), 0.5)])
    ).detections
    assert (one.phrase, one.box) == (phrase, Box(0.25, 0.25, 0.75, 0.75))


def test_more_phrases_than_grounding_dino_reads_at_once_are_read_in_turns(
    eyes: Any, picture: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    detector = eyes("grounding-dino")
    read = _sure_of(detector, "cat", monkeypatch)
    phrases = (
        *(f"the {'red ' * n}circle" for n in range(5)),
        "a cat",
        *(f"the {'blue ' * n}square" for n in range(5)),
    )
    (one,) = found(detector.detect([Detect(picture, phrases, 0.5)])).detections
    assert one.phrase == "a cat"
    assert len(read) > 1
    assert all(len(words) <= vision.LONGEST for words in read)
    assert sum(words.count(".") for words in read) == len(phrases)


# --- segmenters
# --------------------------------------------------------------------------------------------------


def test_sam_cuts_out_what_the_library_cuts_out_in_the_order_of_the_boxes(
    eyes: Any, tiny: Tiny, picture: Picture
) -> None:
    segmenter = eyes("sam")
    found_masks = cut(segmenter.segment([Segment(picture, BOXES)]))
    boxes = [
        [left * 96, top * 64, right * 96, bottom * 64]
        for left, top, right, bottom in (box.sides for box in BOXES)
    ]
    process = SamProcessor.from_pretrained(tiny("sam"))
    inputs = process(images=Image.open(picture.path), input_boxes=[boxes], return_tensors="pt")
    with torch.inference_mode():
        seen = segmenter.model(
            pixel_values=inputs["pixel_values"],
            input_boxes=inputs["input_boxes"].float(),
            multimask_output=False,
        ).pred_masks
    (own,) = process.post_process_masks(
        seen, inputs["original_sizes"], inputs["reshaped_input_sizes"]
    )
    assert len(found_masks) == 3
    assert len({mask.tobytes() for mask in found_masks}) > 1, (
        "every box gives the same mask: the test shows nothing"
    )
    for mask, expected in zip(found_masks, own[:, 0].numpy(), strict=True):
        assert mask.shape == (64, 96)
        assert (mask == expected).mean() > 0.999


def test_sam_2_is_shown_the_picture_as_a_square_and_the_boxes_in_its_pixels(
    eyes: Any, picture: Picture
) -> None:
    segmenter = eyes("sam2")
    found_masks = cut(segmenter.segment([Segment(picture, BOXES)]))
    small = Image.open(picture.path).convert("RGB").resize((64, 64), Image.Resampling.BILINEAR)
    pixels = (np.asarray(small) / 255 - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    with torch.inference_mode():
        seen = segmenter.model(
            pixel_values=torch.tensor(pixels.transpose(2, 0, 1)[None], dtype=torch.float32),
            input_boxes=torch.tensor([[[side * 64 for side in box.sides] for box in BOXES]]),
            multimask_output=False,
        ).pred_masks[0]
    own = (
        torch.nn.functional.interpolate(seen, (64, 96), mode="bilinear", align_corners=False)[:, 0]
        > 0
    )
    assert len({mask.tobytes() for mask in found_masks}) > 1, (
        "every box gives the same mask: the test shows nothing"
    )
    for mask, expected in zip(found_masks, own.numpy(), strict=True):
        assert mask.shape == (64, 96)
        assert (mask == expected).mean() > 0.999


@pytest.mark.parametrize("kind", ["sam", "sam2", "clipseg"])
def test_no_boxes_have_no_masks_and_the_order_of_the_boxes_is_kept(
    eyes: Any, picture: Picture, kind: str
) -> None:
    segmenter = eyes(kind)
    assert cut(segmenter.segment([Segment(picture, ())])) == []
    forwards, backwards = segmenter.segment(
        [Segment(picture, BOXES), Segment(picture, BOXES[::-1])]
    )
    assert forwards.masks == backwards.masks[::-1]


# --- CLIPSeg
# --------------------------------------------------------------------------------------------------


def _heats(model: HeatMaps, picture: Picture, phrases: list[str]) -> Any:
    """The library's own heat maps, of the size of the picture."""
    image = Image.open(picture.path)
    inputs = model.processor(
        text=phrases, images=[image] * len(phrases), padding=True, return_tensors="pt"
    )
    with torch.inference_mode():
        logits = model.model(**inputs).logits
    sized = torch.nn.functional.interpolate(
        logits[:, None], size=(image.height, image.width), mode="bilinear", align_corners=False
    )
    return sized[:, 0].sigmoid().numpy()


def test_a_heat_map_is_cut_into_pieces_as_the_library_draws_it(eyes: Any, picture: Picture) -> None:
    model, phrases = eyes("clipseg"), ["a red circle", "dog"]
    heats = _heats(model, picture, phrases)
    threshold = float(np.quantile(heats, 0.7))
    reply = found(model.detect([Detect(picture, tuple(phrases), threshold)]))
    own = [
        (phrase, piece)
        for phrase, heat in zip(phrases, heats, strict=True)
        for piece in masks.pieces(heat, threshold, 0.0005)
    ]
    own.sort(key=lambda pair: -pair[1].score)
    assert len(own) > 1
    assert [(one.phrase, one.box) for one in reply.detections] == [
        (phrase, piece.box) for phrase, piece in own
    ]
    assert [one.score for one in reply.detections] == pytest.approx(
        [piece.score for _, piece in own], abs=1e-5
    )


def test_what_was_detected_is_cut_out_by_its_box_and_phrase(eyes: Any, picture: Picture) -> None:
    threshold = float(np.quantile(_heats(eyes("clipseg"), picture, ["a red circle", "dog"]), 0.7))
    model = eyes("clipseg", threshold=threshold)
    detections = found(model.detect([Detect(picture, ("a red circle", "dog"))])).detections
    asked = Segment(
        picture, tuple(one.box for one in detections), tuple(one.phrase for one in detections)
    )
    (reply,) = model.segment([asked])
    assert [masks.box(mask) for mask in reply.masks] == [one.box for one in detections]


def test_a_drawn_heat_map_is_found_and_cut_out_piece_by_piece(
    eyes: Any, picture: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = eyes("clipseg", min_area=0.01)
    heat = np.zeros((64, 96), dtype=np.float32)
    heat[10:20, 10:30], heat[40:60, 50:90], heat[0, 0] = 0.8, 0.9, 1.0
    monkeypatch.setattr(
        model,
        "_heats",
        lambda picture, phrases, least=0.0: ((phrase, heat) for phrase in dict.fromkeys(phrases)),
    )
    big, small = found(model.detect([Detect(picture, ("a dog",))])).detections
    assert (big.box, small.box) == (
        Box(50 / 96, 40 / 64, 90 / 96, 60 / 64),
        Box(10 / 96, 10 / 64, 30 / 96, 20 / 64),
    )
    assert (big.score, small.score) == pytest.approx((0.9, 0.8))
    beside = Box(0.4, 0.05, 0.6, 0.1)
    one, other, none = cut(
        model.segment([Segment(picture, (small.box, Box(0.5, 0.5, 1, 1), beside), ("a dog",) * 3)])
    )
    assert (one.sum(), other.sum(), none.sum()) == (200, 800, 0)
    half, whole = cut(
        model.segment([Segment(picture, (Box(0, 0, 20 / 96, 1), small.box), ("", "object"))])
    )
    assert half.sum() == 101, "without a phrase all that is hot within the box counts, specks too"
    assert whole.sum() == 200
    assert [
        mask.sum()
        for mask in cut(model.segment([Segment(picture, (Box(0, 0, 20 / 96, 1), small.box))]))
    ] == [101, 200]


# --- embedders
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["clip", "siglip", "dinov2"])
def test_vectors_have_unit_length_and_are_those_of_the_library(
    eyes: Any, picture: Picture, kind: str
) -> None:
    embedder = eyes(kind)
    process = getattr(embedder.processor, "image_processor", embedder.processor)
    inputs = process(Image.open(picture.path), return_tensors="pt")
    with torch.inference_mode():
        seen = (
            embedder.model(**inputs)
            if kind == "dinov2"
            else embedder.model.get_image_features(**inputs)
        )
        own = torch.nn.functional.normalize(seen.pooler_output).numpy()
    vector = vectors(embedder.embed([Embed(picture)]))
    assert vector == pytest.approx(own, abs=1e-6)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)


def test_a_text_is_where_the_whole_model_puts_it(eyes: Any, picture: Picture) -> None:
    embedder = eyes("clip")
    inputs = embedder.processor(
        images=Image.open(picture.path),
        text=["a cat", "a red dog"],
        padding=True,
        return_tensors="pt",
    )
    with torch.no_grad():
        own = embedder.model(**inputs)
    image, *texts = vectors(
        embedder.embed([Embed(picture), Embed(text="a cat"), Embed(text="a red dog")])
    )
    similar = own.logits_per_image[0] / embedder.model.logit_scale.detach().exp()
    assert [image @ text for text in texts] == pytest.approx(similar.tolist(), abs=1e-5)


@pytest.mark.parametrize("kind", ["clip", "siglip"])
def test_a_mixed_batch_answers_in_order_as_one_by_one_would(
    eyes: Any, picture: Picture, tmp_path: Path, kind: str
) -> None:
    embedder = eyes(kind)
    other = vision.picture(tmp_path, "tall", (40, 90))
    requests = [
        Embed(text="a cat"),
        Embed(picture),
        Embed(text="the blue square of a dog " * 5),
        Embed(other),
        Embed(text=""),
    ]
    together = vectors(embedder.embed(requests))
    assert together == pytest.approx(
        np.concatenate([vectors(embedder.embed([one])) for one in requests]), abs=1e-6
    )
    assert len({tuple(vector) for vector in together.round(4)}) == 5


def test_a_model_of_pictures_alone_refuses_texts_and_still_sees_the_pictures(
    eyes: Any, picture: Picture
) -> None:
    seen, refused = eyes("dinov2").embed([Embed(picture), Embed(text="a cat")])
    assert isinstance(seen, Embedded)
    assert isinstance(refused, Failure)
    assert (
        refused.message
        == "Tiny dinov2 looks at pictures and reads no text: choose an embedder with a text tower,"
        " e.g. CLIP."
    )


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf")])
def test_a_vector_without_a_direction_is_a_failure(
    eyes: Any, picture: Picture, value: float
) -> None:
    embedder = eyes("clip")
    embedder.model.visual_projection.weight.data.fill_(value)
    (reply,) = embedder.embed([Embed(picture)])
    assert isinstance(reply, Failure)
    assert "without a direction" in reply.message


# --- through the engine
# ------------------------------------------------------------------------------------------------


def test_a_plan_detects_segments_and_embeds_with_models_of_the_file_and_asks_nothing_twice(
    tiny: Tiny, picture: Picture
) -> None:
    def plan() -> Any:
        (seen,) = yield [Detect(picture, ("a red circle",), 0.2)]
        boxes = tuple(one.box for one in seen.detections[:2])
        (cut_out,) = yield [Segment(picture, boxes, ("a red circle",) * len(boxes))]
        placed = yield [Embed(picture), Embed(text="a red circle")]
        return [seen, cut_out, *placed]

    roster = ModelRegistry({f"test/{kind}": spec(kind, tiny(kind)) for kind in ("clipseg", "clip")})
    lineup: Any = {
        "detector": roster.bind("test/clipseg"),
        "segmenter": roster.bind("test/clipseg"),
        "embedder": roster.bind("test/clip"),
    }
    memory, results = MemoryCache(), []
    for _ in range(2):
        driver = Driver(memory)
        driver.add("plan", plan(), lineup)
        events = list(driver.events())
        results.append(next(e.result for e in events if isinstance(e, PlanResult)))
        cached = [e.cached for e in events if isinstance(e, PlanReply)]
    assert [type(reply) for reply in results[0]] == [Detected, Segmented, Embedded, Embedded]
    assert results[0][0].detections
    assert results[1] == results[0]
    assert cached == [True] * 4
