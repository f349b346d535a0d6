"""The segmenter is trained to what a stock CLIPSeg folder holds, and heeds its phrases."""

from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import load_file
from transformers import AutoProcessor, CLIPSegForImageSegmentation, CLIPSegProcessor, CLIPTokenizer

from hallascope.backends.embedded.training import segmenter, vision
from hallascope.backends.embedded.training import tokenizer as words
from hallascope.backends.embedded.training.dataset import segmenter_samples
from hallascope.backends.embedded.training.dataset.labeled import LabeledImage
from tests.support.tiny_trainings import SEGMENTER_CONFIG, SIDE, draw_labeled


def test_at_the_start_the_masks_of_two_phrases_differ(
    labeled_pictures: list[LabeledImage],
) -> None:
    """The weights that the class begins with let the phrase drown, and nothing is learned."""
    texts = ["a ladybug", "wing cover"]
    tokenizer = words.make_tokenizer(texts)
    model = segmenter.make_model(SEGMENTER_CONFIG, tokenizer)
    with torch.inference_mode():
        seen = segmenter.forward(
            model,
            vision.as_input(torch.from_numpy(labeled_pictures[0].pixels[None].copy())),
            words.as_tokens(tokenizer, texts),
        )
    assert float((seen.logits[0] - seen.logits[1]).std()) > 0.05 * float(seen.logits.std())


def test_the_segmenter_is_a_stock_folder_and_learned_through_its_own_forward(
    segmenter_work: Path,
) -> None:
    model = CLIPSegForImageSegmentation.from_pretrained(
        segmenter_work / "out", use_safetensors=True, dtype=torch.float32
    ).eval()
    processor = AutoProcessor.from_pretrained(segmenter_work / "out")
    assert isinstance(processor, CLIPSegProcessor)
    assert isinstance(processor.tokenizer, CLIPTokenizer)
    texts = ["a ladybug", "wing cover"]
    given = processor(
        text=texts,
        images=[draw_labeled("a ladybug", size=256).pixels] * 2,
        padding="max_length",
        return_tensors="pt",
    )
    with torch.inference_mode():
        logits = model(**given).logits
        seen = segmenter.forward(
            model, given["pixel_values"][:1], words.as_tokens(processor.tokenizer, texts)
        )
    assert logits.shape == (2, SIDE, SIDE)
    assert logits.isfinite().all()
    assert torch.allclose(logits, seen.logits, atol=1e-4)
    assert {weights.dtype for weights in saved_weights(segmenter_work / "out").values()} == {
        torch.float16
    }


def saved_weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def test_the_overlap_of_masks_is_their_intersection_over_their_union() -> None:
    first = torch.tensor([[[1, 1], [0, 0]], [[0, 0], [0, 0]], [[1, 1], [1, 1]]]).bool()
    second = torch.tensor([[[0, 1], [1, 0]], [[0, 0], [0, 0]], [[1, 1], [1, 1]]]).bool()
    assert torch.allclose(
        segmenter.intersection_over_union(first, second), torch.tensor([1 / 3, 0, 1])
    )


def test_it_goes_on_from_weights_that_read_smaller_pictures(segmenter_work: Path) -> None:
    before = CLIPSegForImageSegmentation.from_pretrained(
        segmenter_work / "out", use_safetensors=True, dtype=torch.float32
    )
    larger = replace(SEGMENTER_CONFIG, size=2 * SIDE)
    model, tokenizer = segmenter.load_start(segmenter_work / "out", larger)
    old, new = (m.clip.vision_model.embeddings.position_embedding.weight for m in (before, model))
    assert torch.equal(old[0], new[0])
    patches = new[1:].unflatten(0, (2 * SIDE // 8, -1))
    assert torch.allclose(patches[:2, :2].mean((0, 1)), old[1], atol=0.02)
    with torch.inference_mode():
        seen = segmenter.forward(
            model, torch.zeros(1, 3, 2 * SIDE, 2 * SIDE), words.as_tokens(tokenizer, ["a tulip"])
        )
    assert seen.logits.shape == (1, 2 * SIDE, 2 * SIDE)


def test_pictures_come_back_from_the_corpus_with_their_phrases_and_masks(
    segmenter_work: Path,
) -> None:
    tokenizer = CLIPTokenizer.from_pretrained(segmenter_work / "out")
    drawn = segmenter_work / f"pictures-{SIDE}"
    corpus = segmenter.SegmenterCorpus(drawn, 120, tokenizer, "cpu")
    sample = segmenter_samples.draw_sample(7, SIDE)
    columns = torch.tensor([[2, 0]])
    batch = corpus.batch(torch.tensor([7]), columns)
    assert batch.pixels[0].equal(torch.tensor(sample.pixels))
    assert batch.parts[0].equal(torch.tensor(sample.parts))
    assert batch.masks.equal(torch.tensor(sample.masks[[2, 0]]))
    assert batch.gaps.equal(torch.tensor(sample.gaps[[2, 0]]))
    texts = tokenizer.batch_decode(batch.tokens, skip_special_tokens=True)
    wanted = [sample.texts[2], sample.texts[0]]
    assert [t.replace(" ", "") for t in texts] == [w.lower().replace(" ", "") for w in wanted]
