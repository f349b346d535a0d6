"""Training and measuring the eyes: phrases point at what is drawn, a stopped run goes on, the
results load as stock.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from PIL import Image
from safetensors.torch import load_file
from scipy import ndimage
from torch.nn import functional
from transformers import (
    AutoProcessor,
    BlipImageProcessor,
    BlipProcessor,
    CLIPModel,
    CLIPSegForImageSegmentation,
    CLIPSegProcessor,
    CLIPTokenizer,
)

from hallascope.backends.embedded import measure
from hallascope.backends.embedded.measure import Towers
from hallascope.backends.embedded.training import (
    embedder,
    loop,
    segmenter,
    tower_transfer,
    vision,
    vqa_model,
)
from hallascope.backends.embedded.training import tokenizer as words
from hallascope.backends.embedded.training.dataset import captions, labelled, phrases
from hallascope.backends.embedded.training.dataset.labelled import (
    DrawnPart,
    LabeledImage,
    LabeledImages,
)
from hallascope.backends.embedded.training.dataset.phrases import (
    ANYTHING,
    PictureContents,
    Referent,
)
from hallascope.backends.embedded.training.vqa_model import make_model, make_tokenizer
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.shapes import SHAPES

SIDE = 64  # px
POINTING = segmenter.SegmenterConfig(
    text_layers=1, steps=4, batch=4, text_width=32, reduced=32, samples=12, wrong=12, asked=2
)
MATCHING = embedder.EmbedderConfig(
    width=64, layers=2, text_layers=1, steps=4, batch=4, projection=32, samples=12
)
PROMPTS = (
    "a ladybug",
    "a flag of France",
    "a molecule of methane",
    "three red circles",
    "two tulips",
    "a blue square above a red square",
    "a blue star to the left of two green hearts",
    "a spider and a zebra",
    "a total solar eclipse",
    "four planets like Saturn",
    "a clover leaf",
    "Stonehenge",
)


def draw(prompt: str, seed: int = 0, size: int = SIDE) -> LabeledImage:
    scene = scenes.parse(prompt)
    return labelled.label(scene, scene.truths(), f"test {seed}", size)


@pytest.fixture(scope="module")
def factual() -> list[LabeledImage]:
    return [draw(prompt) for prompt in PROMPTS]


@pytest.fixture(scope="module")
def shards(
    tmp_path_factory: pytest.TempPathFactory, factual: list[LabeledImage]
) -> tuple[Path, Path]:
    """Two folders of twelve pictures: the first as the corpus writes them, the second as pictures
    with errors are written.
    """
    folder = tmp_path_factory.mktemp("shards")
    pictures, wrong = folder / "pictures", folder / "wrong"
    pictures.mkdir()
    names = [
        json.dumps([(drawn.thing, drawn.part, drawn.number) for drawn in one.drawn])
        for one in factual
    ]
    pixels, index = (
        np.stack([one.pixels for one in factual]),
        np.stack([one.index for one in factual]),
    )
    np.savez(
        pictures / "shard-0000.npz",
        pixels=pixels,
        index=index,
        captions=np.array(PROMPTS),
        names=np.array(names),
    )
    labelled.write_wrong(wrong, 12, workers=1, per_shard=12, size=SIDE)
    return pictures, wrong


# --- labelled pictures
# --------------------------------------------------------------------------------------------------


def test_what_is_read_back_is_what_was_drawn_and_colours_come_from_captions(
    shards: tuple[Path, Path], factual: list[LabeledImage]
) -> None:
    held = labelled.load([(shards[0], 5), (shards[1], 100)], SIDE)
    assert len(held) == 17
    assert (held[3].pixels == factual[3].pixels).all()
    assert (held[3].index == factual[3].index).all()
    assert held[3].drawn == factual[3].drawn
    assert {drawn.colour for drawn in held[3].drawn} == {"red"}
    assert held[6].drawn == labelled.draw_wrong(1, SIDE).drawn


def test_pictures_that_are_put_aside_are_not_learned_from(shards: tuple[Path, Path]) -> None:
    held = labelled.load([(shards[0], 12)], SIDE)
    said = list(held.captions)
    learned, aside = vision.split(held, 3)
    assert sorted([*learned.captions, *aside.captions]) == sorted(said)
    assert len(aside) == 3
    assert (learned[3].pixels == draw(learned.captions[3]).pixels).all()


def test_a_shape_is_called_what_it_is_drawn_as() -> None:
    scene = scenes.parse("a red circle")
    one = labelled.label(scene, scene.truths() | {"kind": "square", "colour": "blue"}, "test", SIDE)
    assert one.drawn == (DrawnPart("square", "square", 1, "blue"),)


@pytest.mark.parametrize("count", range(1, 7))
def test_a_crowd_has_as_many_things_as_asked_for(count: int) -> None:
    scene, values = labelled.crowd("ladybugs", count)
    assert {drawn.number for drawn in labelled.label(scene, values, "test", SIDE).drawn} == set(
        range(1, count + 1)
    )


def test_pictures_with_errors_are_seeded_and_hold_more_things_than_a_prompt_can_ask_for() -> None:
    assert (labelled.draw_wrong(4, 32).pixels == labelled.draw_wrong(4, 32).pixels).all()
    assert [
        max(drawn.number for drawn in labelled.draw_wrong(seed, 16).drawn) for seed in (4, 5, 7)
    ] == [5, 3, 5]


# --- phrases
# --------------------------------------------------------------------------------------------------


def learned(instances: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where the segmenter is taught to say yes."""
    return (instances > 0) & ~phrases.gaps(instances)


def test_what_is_there_is_where_its_parts_are_drawn(factual: list[LabeledImage]) -> None:
    chance, seen = random.Random(0), set()
    for prompt, picture in zip(PROMPTS, factual, strict=True):
        scene = scenes.parse(prompt)
        drawing = scene.draw(scene.truths(), "test 0")
        shown = drawing.part_map(SIDE)
        for _ in range(12):
            asked = phrases.present(PictureContents(picture), chance)
            assert asked is not None
            noun, colour = asked.noun, {group.concept.name: group.colour for group in scene.groups}
            wanted = [
                i
                for i, part in enumerate(drawing.parts)
                if noun == ANYTHING
                or (noun.thing and noun.part and (part.owner, part.name) == (noun.thing, noun.part))
                or (noun.colour and part.owner == noun.thing and colour[part.owner] == noun.colour)
                or (
                    not noun.colour
                    and not (noun.thing and noun.part)
                    and (noun.thing or noun.part).lower() in (part.owner.lower(), part.name.lower())
                )
            ]
            assert ((asked.instances > 0) == np.isin(shown, wanted)).all(), asked.text
            seen.add((bool(noun.thing), bool(noun.part), bool(noun.colour)))
    assert len(seen) == 5


def test_what_is_absent_has_an_empty_mask_and_no_part_of_its_name_in_the_picture(
    factual: list[LabeledImage],
) -> None:
    chance, parts = random.Random(1), phrases.world(one.drawn for one in factual)
    for picture in factual:
        names = {name.lower() for drawn in picture.drawn for name in (drawn.thing, drawn.part)}
        for _ in range(20):
            asked = phrases.absent(PictureContents(picture), parts, chance)
            assert not asked.instances.any()
            if asked.noun.colour:
                assert (asked.noun.thing, asked.noun.colour) not in {
                    (drawn.thing, drawn.colour) for drawn in picture.drawn
                }
            elif asked.noun.thing and asked.noun.part:
                assert (asked.noun.thing, asked.noun.part) not in {
                    (drawn.thing, drawn.part) for drawn in picture.drawn
                }
            else:
                assert (asked.noun.thing or asked.noun.part).lower() not in names


def test_at_least_a_third_of_the_phrases_ask_for_what_is_absent(
    factual: list[LabeledImage],
) -> None:
    parts = phrases.world(one.drawn for one in factual)
    asked = [
        one
        for i, picture in enumerate(factual)
        for one in phrases.ask(picture, 40, parts, random.Random(i))
    ]
    assert 1 / 3 < np.mean([not one.instances.any() for one in asked]) < 0.5


def test_a_colour_singles_out_its_shape_and_a_wrong_colour_nothing() -> None:
    view = PictureContents(draw("two blue squares above a red star"))
    squares, blue = (
        view.instances(Referent("square")),
        view.instances(Referent("square", colour="blue")),
    )
    assert (squares == blue).all()
    assert blue.max() == 2
    assert not view.instances(Referent("square", colour="red")).any()
    assert view.instances(Referent("star", colour="red")).any()


def test_a_part_of_a_thing_is_not_that_part_of_another() -> None:
    view = PictureContents(draw("a spider and a zebra", size=128))
    legs, spider = view.instances(Referent(part="leg")), view.instances(Referent("spider", "leg"))
    assert 0 < (spider > 0).sum() < (legs > 0).sum()
    assert not view.instances(Referent("ladybug", "leg")).any()


def test_touching_instances_are_kept_apart_by_one_pixel_of_the_larger() -> None:
    index = np.zeros((8, 8), np.uint8)
    index[1:7, 1:4], index[2:5, 4:7] = 1, 2
    view = PictureContents(
        LabeledImage(
            np.zeros((8, 8, 3), np.uint8),
            index,
            (DrawnPart("square", "square", 1, "red"), DrawnPart("square", "square", 2, "red")),
        )
    )
    mask = learned(view.instances(Referent("square")))
    _, pieces = ndimage.label(mask, np.ones((3, 3)))
    assert pieces == 2
    assert mask[index == 2].all()
    assert (~mask & (index == 1)).sum() == 5  # the column beside the smaller one, and its corners


def test_the_bands_of_a_flag_are_three_pieces() -> None:
    _, pieces = ndimage.label(
        learned(
            PictureContents(draw("a flag of France", size=128)).instances(Referent(part="band"))
        )
    )
    assert pieces == 3


@pytest.mark.parametrize("thing", ["Mars", "comet", "Stonehenge", "thunderstorm"])
@pytest.mark.parametrize("count", [1, 4])
def test_a_thing_drawn_in_several_pieces_is_learned_as_one(thing: str, count: int) -> None:
    scene, values = labelled.crowd(
        next(one.plural for one in concepts() if one.name == thing), count
    )
    instances = PictureContents(labelled.label(scene, values, "pieces", 128)).instances(
        Referent(thing)
    )
    assert ndimage.label(learned(instances))[1] > count
    together = phrases.joined(instances)
    assert (together[instances > 0] == instances[instances > 0]).all()
    pieces, _ = ndimage.label(learned(together))
    assert (np.bincount(pieces.ravel())[1:] >= phrases.SEEN).sum() == count


def test_phrases_are_said_as_people_say_them() -> None:
    said = {phrases.phrase_text(Referent("tulip"), 2, random.Random(i)) for i in range(60)}
    assert {"tulip", "tulips", "a tulip", "the tulip", "two tulips"} <= said
    assert {
        phrases.phrase_text(Referent("octopus", "arm"), 0, random.Random(i)) for i in range(60)
    } >= {
        "the arms of the octopus",
        "arm of octopus",
    }
    assert {
        phrases.phrase_text(Referent("circle", colour="orange"), 1, random.Random(i))
        for i in range(60)
    } >= {
        "an orange circle",
        "orange circles",
    }
    assert [
        phrases.plural(name)
        for name in ("foot", "leaf", "body", "arch", "spots", "bits of wood", "hydrogen atom")
    ] == [
        "feet",
        "leaves",
        "bodies",
        "arches",
        "spots",
        "bits of wood",
        "hydrogen atoms",
    ]


# --- words and captions
# --------------------------------------------------------------------------------------------------


def test_known_words_are_one_token_each_and_any_other_text_is_spelled_out(
    factual: list[LabeledImage],
) -> None:
    texts = vision.vocabulary([one.drawn for one in factual])
    tokenizer = words.make_tokenizer(texts)
    assert tokenizer.get_vocab() == words.make_tokenizer(reversed(texts)).get_vocab()
    assert tokenizer.tokenize("Two tulips, the wing covers") == [
        "two</w>",
        "tulips</w>",
        ",</w>",
        "the</w>",
        "wing</w>",
        "covers</w>",
    ]
    assert tokenizer.eos_token not in tokenizer.tokenize("zyxwv 42 Großbär")
    assert words.as_tokens(tokenizer, ["a ladybug", "a"]).shape == (2, 4)


def test_false_captions_can_be_read_and_say_something_else() -> None:
    for seed in range(60):
        chance = random.Random(seed)
        scene = scenes.parse(scenes.sample_prompt(chance))
        assert captions.meaning(scenes.parse(captions.scene_prompt(scene))) == captions.meaning(
            scene
        )
        for text in captions.twisted(scene, 3, chance):
            assert captions.meaning(scenes.parse(text)) != captions.meaning(scene)


def test_the_same_said_from_the_other_side_means_the_same() -> None:
    one, other = (
        captions.meaning(scenes.parse(text))
        for text in ("a red circle above a ladybug", "a ladybug below a red circle")
    )
    assert one == other
    assert one != captions.meaning(scenes.parse("a ladybug above a red circle"))


# --- training
# --------------------------------------------------------------------------------------------------

Train = Callable[[Path], None]


@pytest.fixture(scope="module")
def eyes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A judge to begin with, with random weights and pixels as few models take them."""
    folder = tmp_path_factory.mktemp("eyes")
    torch.manual_seed(1)
    tokenizer = make_tokenizer(["What is this?"])
    model = make_model(
        vqa_model.VqaConfig(size=SIDE, patch=8, width=64, vision_layers=3, text_layers=1), tokenizer
    )
    for weights in model.parameters():
        weights.data.add_(torch.randn_like(weights) * 0.1)
    model.save_pretrained(folder)
    side = {"height": SIDE, "width": SIDE}
    BlipProcessor(
        BlipImageProcessor(size=side, image_mean=[0.4, 0.5, 0.6], image_std=[0.2, 0.3, 0.4]),
        tokenizer,
    ).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def pointing(shards: tuple[Path, Path], eyes: Path) -> Train:
    return lambda work: segmenter.train(POINTING, *shards, work, work / "out", eyes=eyes)


@pytest.fixture(scope="module")
def matching(shards: tuple[Path, Path]) -> Train:
    return lambda work: embedder.train(MATCHING, shards[0], work, work / "out", SIDE)


@pytest.fixture(scope="module")
def pointed(tmp_path_factory: pytest.TempPathFactory, pointing: Train) -> Path:
    folder = tmp_path_factory.mktemp("pointed")
    pointing(folder)
    return folder


@pytest.fixture(scope="module")
def matched(tmp_path_factory: pytest.TempPathFactory, matching: Train) -> Path:
    folder = tmp_path_factory.mktemp("matched")
    matching(folder)
    return folder


@pytest.mark.parametrize("name", ["point", "match"])
def test_going_on_from_a_checkpoint_ends_where_an_undisturbed_run_ends(
    name: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, train = request.getfixturevalue(f"{name}ed"), request.getfixturevalue(f"{name}ing")
    learn = loop.learn
    calls = 0

    def stop_after_two(*given: Any) -> None:
        nonlocal calls
        calls += 1
        if calls > 2:
            raise KeyboardInterrupt
        learn(*given)

    monkeypatch.setattr(vision, "CHECKPOINT_EVERY", 2)
    monkeypatch.setattr(loop, "learn", stop_after_two)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path)
    assert not (tmp_path / "out").exists()
    monkeypatch.setattr(loop, "learn", learn)
    train(tmp_path)
    one, two = (
        torch.load(folder / "checkpoint.pt", weights_only=True) for folder in (whole, tmp_path)
    )
    for held in ("model", "average"):
        assert all(
            torch.allclose(one[held][weights], two[held][weights], atol=1e-5)
            for weights in one[held]
        )


def test_the_segmenter_begins_with_what_the_judge_sees(
    eyes: Path, factual: list[LabeledImage]
) -> None:
    tower: Any
    tower, processor = tower_transfer.tower(eyes)
    model = segmenter.make_model(
        POINTING, words.make_tokenizer(["a ladybug"]), tower_transfer.config_of(tower)
    ).clip.vision_model.eval()
    pixels = torch.from_numpy(np.stack([one.pixels for one in factual]))
    tower_transfer.graft(model, tower, processor, vision.as_input(pixels))
    judges = processor(images=list(pixels.numpy()), return_tensors="pt")["pixel_values"]
    with torch.inference_mode():
        mine, theirs = model.embeddings(vision.as_input(pixels)), tower.embeddings(judges)
        assert torch.allclose(mine, theirs, atol=1e-4)
        assert torch.allclose(
            model.encoder(mine).last_hidden_state,
            tower.encoder(theirs).last_hidden_state,
            atol=1e-3,
        )
        assert float((model.pre_layrnorm(mine) - mine).std() / mine.std()) < 0.7


def test_at_the_start_the_masks_of_two_phrases_differ(
    eyes: Path, factual: list[LabeledImage]
) -> None:
    """The weights that the class begins with let the phrase drown, and nothing is learned."""
    texts = ["a ladybug", "wing cover"]
    tokenizer = words.make_tokenizer(texts)
    model = segmenter.make_model(
        POINTING, tokenizer, tower_transfer.config_of(tower_transfer.tower(eyes)[0])
    )
    with torch.inference_mode():
        seen = segmenter.see(
            model,
            vision.as_input(torch.from_numpy(factual[0].pixels[None].copy())),
            words.as_tokens(tokenizer, texts),
        )
    assert float((seen.logits[0] - seen.logits[1]).std()) > 0.05 * float(seen.logits.std())


def test_the_segmenter_is_a_stock_folder_and_learned_through_its_own_forward(pointed: Path) -> None:
    model = CLIPSegForImageSegmentation.from_pretrained(
        pointed / "out", use_safetensors=True, dtype=torch.float32
    ).eval()
    processor = AutoProcessor.from_pretrained(pointed / "out")
    assert isinstance(processor, CLIPSegProcessor)
    assert isinstance(processor.tokenizer, CLIPTokenizer)
    texts = ["a ladybug", "wing cover"]
    given = processor(
        text=texts,
        images=[draw("a ladybug", size=256).pixels] * 2,
        padding="max_length",
        return_tensors="pt",
    )
    with torch.inference_mode():
        logits = model(**given).logits
        seen = segmenter.see(
            model, given["pixel_values"][:1], words.as_tokens(processor.tokenizer, texts)
        )
    assert logits.shape == (2, SIDE, SIDE)
    assert logits.isfinite().all()
    assert torch.allclose(logits, seen.logits, atol=1e-4)
    assert {weights.dtype for weights in _saved(pointed / "out").values()} == {torch.float16}


def test_the_processors_make_of_a_picture_what_the_trainings_saw(
    pointed: Path, matched: Path
) -> None:
    pixels = draw("a ladybug").pixels.copy()
    for folder in (pointed, matched):
        given = AutoProcessor.from_pretrained(folder / "out")(images=pixels, return_tensors="pt")[
            "pixel_values"
        ]
        assert torch.allclose(given, vision.as_input(torch.from_numpy(pixels)[None]), atol=1e-5)


def test_the_embedder_is_a_stock_folder_with_finite_vectors(
    matched: Path, factual: list[LabeledImage]
) -> None:
    towers = measure.load_embedder(str(matched / "out"))
    assert {weights.dtype for weights in _saved(matched / "out").values()} == {torch.float16}
    pictures, texts = (
        towers.pictures([Image.fromarray(one.pixels) for one in factual[:3]]),
        towers.texts(["a ladybug", "two tulips"]),
    )
    assert pictures.shape == (3, 32)
    assert np.allclose(np.linalg.norm(pictures, axis=1), 1, atol=1e-4)
    assert np.allclose(np.linalg.norm(texts, axis=1), 1, atol=1e-4)
    assert isinstance(CLIPModel.from_pretrained(matched / "out", use_safetensors=True), CLIPModel)


def _saved(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def test_attention_by_the_formula_is_attention() -> None:
    query, key, value = torch.randn(3, 2, 2, 5, 8, generator=torch.Generator().manual_seed(0))
    plain, _ = vision.plain_attention(
        module=torch.nn.Identity(), query=query, key=key, value=value, mask=None, scaling=8**-0.5
    )
    assert torch.allclose(
        plain, functional.scaled_dot_product_attention(query, key, value).transpose(1, 2), atol=1e-5
    )


def test_the_head_reads_the_parts_of_each_patch_where_they_are() -> None:
    head = vision.PartHead(4, 3, 2)
    labels = torch.zeros(1, 4, 4, dtype=torch.int16)
    labels[0, :2, 2:] = 1
    patches = torch.eye(4)[None] * 10  # the second patch, top right, is told from the others
    with torch.no_grad():
        head.told.weight.zero_()
        head.told.weight[1, 1], head.told.weight[0, 1] = 20.0, -20.0
        head.told.bias.copy_(torch.tensor([5.0, -5.0, -30.0]))
        assert float(head(patches, labels)) < 0.01
        assert float(head(patches, labels.flip(2))) > 1


# --- measuring
# --------------------------------------------------------------------------------------------------


def test_drawings_to_measure_on_are_not_those_of_the_trainings() -> None:
    shown = list(measure.sample_pictures(3, 32))
    again = list(measure.sample_pictures(3, 32))
    assert all((one.pixels == other.pixels).all() for one, other in zip(shown, again, strict=True))
    for seed, one in enumerate(shown):
        scene = scenes.parse(one.caption)
        for training in (f"corpus {seed}", f"wrong {seed}"):
            assert (
                labelled.label(scene, scene.truths(), training, 32, 512).pixels != one.pixels
            ).any()


def test_a_segmenter_that_knows_the_truth_scores_one_and_one_that_sees_nothing_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measure, "DRAWN_AT", SIDE)
    whole = {picture.pixels.tobytes(): picture for picture in measure.sample_pictures(4, SIDE)}
    whole |= {
        picture.pixels.tobytes(): picture for _, _, picture in measure.crowds(SHAPES[:2], SIDE)
    }
    spoken = phrases.phrase_text
    nouns: dict[str, Referent] = {}

    def remembered(noun: Referent, count: int, chance: random.Random) -> str:
        return nouns.setdefault(text := spoken(noun, count, chance), noun) and text

    def knows(pixels: NDArray[np.uint8], texts: Sequence[str]) -> NDArray[np.float32]:
        view = PictureContents(whole[pixels.tobytes()])
        found = []
        for text in texts:
            colour, _, name = text.rpartition(" ")
            found.append(view.instances(nouns.get(text, Referent(name, colour=colour))) > 0)
        return np.stack(found).astype(np.float32)

    monkeypatch.setattr(phrases, "phrase_text", remembered)
    told = measure.measure_segmenter(knows, SIDE, 4, 2)
    assert told["overlap of things"].value == told["overlap of parts"].value == 1
    assert told["absent pointed at"] == replace(told["absent pointed at"], value=0.0, n=12)
    assert told["counted, all things"] == replace(told["counted, all things"], value=1.0, n=12)
    blind = measure.measure_segmenter(
        lambda pixels, texts: np.zeros((len(texts), SIDE, SIDE), np.float32), SIDE, 4, 2
    )
    assert blind["overlap of things"].value == blind["counted, all things"].value == 0
    always = measure.measure_segmenter(
        lambda pixels, texts: np.ones((len(texts), SIDE, SIDE), np.float32), SIDE, 4, 1
    )
    assert always["absent pointed at"].value == 1
    assert always["counted, 1 of one piece"].value == 1
    assert always["counted, 2 of one piece"].value == 0


def test_an_embedder_that_knows_the_concepts_finds_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "DRAWN_AT", 32)
    monkeypatch.setattr(measure, "concepts", lambda: concepts()[:12])
    kinds = [concept.phrase for concept, _ in measure.portraits(2)]
    number = {phrase: i for i, phrase in enumerate(dict.fromkeys(kinds))}
    known = {
        drawing.image(32).tobytes(): number[phrase]
        for phrase, (_, drawing) in zip(kinds, measure.portraits(2), strict=True)
    }

    def vectors(numbers: list[int]) -> np.ndarray:
        return np.eye(len(number) + 1, dtype=np.float32)[numbers]

    towers = Towers(
        lambda images: vectors([known.get(image.tobytes(), len(number)) for image in images]),
        lambda texts: vectors([number.get(text, len(number)) for text in texts]),
    )
    told = measure.measure_embedder(towers, 2, 2)
    assert told["concept of a picture comes first"] == replace(
        told["concept of a picture comes first"], value=1.0, n=2 * len(number)
    )
    assert told["picture of a concept comes first"].value == 1
    assert (
        told["near-duplicate nearer than its like"].value == 0
    )  # the copies are not recognised, and lie with nothing


def test_the_command_prints_one_document(pointed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measure.main(
        [
            "segmenter",
            "--folder",
            str(pointed / "out"),
            "--pictures",
            "2",
            "--things",
            "1",
            "--json",
        ]
    )
    means = json.loads(capsys.readouterr().out)["means"]
    assert means["counted, all things"]["n"] == 6
    assert 0 <= means["overlap of things"]["value"] <= 1


def test_without_weights_the_command_says_how_to_make_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measure, "FOLDERS", {"segmenter": tmp_path, "embedder": tmp_path})
    with pytest.raises(SystemExit) as ended:
        measure.main(["embedder"])
    assert ended.value.code == 2
    assert "hallascope.backends.embedded.training.embedder" in capsys.readouterr().err


def test_nothing_counted_is_none() -> None:
    assert measure.CaseMean.from_values([]).value is None
    assert LabeledImages(0).drawn == []
