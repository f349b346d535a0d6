"""Trains the embedded segmenter, a small CLIPSeg: picture and phrase in, the mask out.

``python -m hallascope.backends.embedded.training.segmenter`` draws the samples, trains with
checkpoints (the same command goes on where it was stopped) and writes a stock
``CLIPSegForImageSegmentation`` folder; ``--start FOLDER`` goes on from the weights of such a
folder, also of one that reads smaller pictures. Things that touch are kept apart by a gap of one
pixel, and what is drawn of a thing in several pieces is joined by lines, so that connected pieces
can be counted. Beside the masks it is taught which parts each patch shows, and the decoder's first
states, where phrase and picture meet, whether a patch shows what the phrase names: without that no
phrase is heeded for long. Both heads are dropped in the end.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional
from transformers import (
    CLIPSegConfig,
    CLIPSegForImageSegmentation,
    CLIPSegProcessor,
    CLIPTokenizer,
    ViTImageProcessor,
)

from hallascope.backends.embedded.training import loop, vision
from hallascope.backends.embedded.training import tokenizer as words
from hallascope.backends.embedded.training.dataset import background, segmenter_samples, shards
from hallascope.backends.embedded.training.dataset.labeled import DrawnPart
from hallascope.backends.embedded.training.heads import MatchHead, PartHead, SegmenterHeads

OUT = Path(__file__).parents[1] / "segmenter"
WORK = Path("runs/segmenter")
GAP_WEIGHT = 6.0  # of a pixel between two instances that touch
SPECK = 20  # px: a piece of so many is counted as pointed at
HELD_OUT = 96  # pictures to measure on, the first ones
LOOK_EVERY = 20  # steps between two looks for pictures that were drawn since


@dataclass(frozen=True, kw_only=True)
class SegmenterConfig:
    """Holds all that decides the result; `width` and `layers` are those of the vision tower.

    Where the training goes on from other weights, their widths, layers and patches stay.
    """

    size: int = 192
    patch: int = 8
    width: int = 192
    layers: int = 6
    text_width: int = 128
    text_layers: int = 2
    reduced: int = 128  # width of the decoder
    samples: int = 40_000
    workers: int = 2  # processes that draw
    begin: int = 0  # shards to begin with, while others are drawn; 0 for all
    asked: int = 4  # phrases for a picture
    steps: int = 8_000
    minutes: float = 0.0  # how long it takes, whatever the steps; 0 for as long as these take
    batch: int = 16  # pictures
    rate: float = 7e-4
    match: float = 1.0  # weight of predicting the patches that match
    parts: float = 0.3  # weight of predicting the parts
    average: float = 0.998
    seed: int = 0


# --- model ---


def make_model(config: SegmenterConfig, tokenizer: CLIPTokenizer) -> CLIPSegForImageSegmentation:
    """Return the model with random weights.

    The decoder reads the deepest layer and two before it. One transposed convolution gives every
    patch all of its pixels.
    """
    deepest = config.layers - 1
    model = CLIPSegForImageSegmentation(
        CLIPSegConfig(
            text_config=vision.text_config(config.text_width, config.text_layers, tokenizer),
            vision_config=vision.vision_config(
                config.width, config.layers, config.size, config.patch
            ),
            projection_dim=config.text_width,
            extract_layers=sorted({0, deepest // 2, deepest}),
            reduce_dim=config.reduced,
            decoder_num_attention_heads=max(1, config.reduced // 64),
            decoder_intermediate_size=2 * config.reduced,
            # The complex one reaches full size with patches of 16 px only.
            use_complex_transposed_convolution=False,
        )
    )
    _initialize_decoder(model.decoder)
    _freeze_unused(model)
    return model


def load_start(
    folder: Path, config: SegmenterConfig
) -> tuple[CLIPSegForImageSegmentation, CLIPTokenizer]:
    """Load a segmenter to go on from, made to read pictures of another size where asked.

    The places of its patches are spread over the larger picture.
    """
    settings = CLIPSegConfig.from_pretrained(folder)
    before = settings.vision_config.image_size // settings.vision_config.patch_size
    settings.vision_config.image_size = config.size
    after = config.size // settings.vision_config.patch_size
    model = CLIPSegForImageSegmentation.from_pretrained(
        folder,
        config=settings,
        use_safetensors=True,
        dtype=torch.float32,
        ignore_mismatched_sizes=True,
    )
    name = "clip.vision_model.embeddings.position_embedding.weight"
    weights = load_file(folder / "model.safetensors")[name].float()
    grid = weights[1:].T.reshape(1, -1, before, before)
    grid = functional.interpolate(grid, size=(after, after), mode="bicubic", align_corners=False)
    position = model.clip.vision_model.embeddings.position_embedding.weight
    position.data.copy_(torch.cat([weights[:1], grid[0].flatten(1).T]))
    _freeze_unused(model)
    return model, CLIPTokenizer.from_pretrained(folder)


def _freeze_unused(model: CLIPSegForImageSegmentation) -> None:
    for unused in (model.clip.visual_projection, model.clip.vision_model.post_layernorm):
        unused.requires_grad_(False)
    model.clip.logit_scale.requires_grad_(False)


def _initialize_decoder(decoder: Any) -> None:
    """Replace the decoder's own initial weights, with which no phrase is heeded."""
    nn.init.normal_(decoder.transposed_convolution.weight, std=0.02)
    # Most pixels are not what is asked for.
    nn.init.constant_(decoder.transposed_convolution.bias, -2.0)
    for gain, layers in ((0.3, decoder.reduces), (1.0, (decoder.film_mul, decoder.film_add))):
        for layer in layers:
            nn.init.normal_(layer.weight, std=gain / layer.in_features**0.5)
            nn.init.zeros_(layer.bias)
    nn.init.ones_(decoder.film_mul.bias)


def make_heads(model: CLIPSegForImageSegmentation) -> SegmenterHeads:
    """Return the heads with random weights."""
    tower = model.config.vision_config
    parts = len(segmenter_samples.part_numbers()) + 1
    match = MatchHead(model.config.reduce_dim, tower.patch_size)
    return SegmenterHeads(match, PartHead(tower.hidden_size, parts, tower.patch_size))


class SegmenterOutput(NamedTuple):
    """Holds mask logits (B * Q, H, W), patch states (B, N, D) and matched states (B * Q, N, R).

    Matched states are those where a phrase meets the patches.
    """

    logits: Tensor
    patches: Tensor
    matched: Tensor


def forward(
    model: CLIPSegForImageSegmentation, pictures: Tensor, tokens: Tensor
) -> SegmenterOutput:
    """Compute the model's own forward with gradients in both towers, in one pass for all phrases.

    Pictures are (B, 3, H, W), tokens (B * Q, L) with Q phrases for each picture, one picture after
    the other.
    """
    states = model.clip.vision_model(pixel_values=pictures, output_hidden_states=True).hidden_states
    repeats = len(tokens) // len(pictures)
    extracted = [
        states[layer + 1].repeat_interleave(repeats, dim=0) for layer in model.extract_layers
    ]
    texts = model.clip.get_text_features(input_ids=tokens).pooler_output
    decoder = model.decoder
    deepest = decoder.reduces[0](states[model.extract_layers[-1] + 1][:, 1:])
    deepest = deepest.repeat_interleave(repeats, dim=0)
    matched = decoder.film_mul(texts)[:, None] * deepest + decoder.film_add(texts)[:, None]
    return SegmenterOutput(decoder(extracted, texts).logits, states[-1][:, 1:], matched)


# --- what is learned from ---


class SegmenterBatch(NamedTuple):
    """Holds B pictures with Q phrases each.

    Bytes (B, H, W, 3), parts (B, H, W), tokens (B * Q, L), masks and gaps (B * Q, H, W).
    """

    pixels: Tensor
    parts: Tensor
    tokens: Tensor
    masks: Tensor
    gaps: Tensor


class SegmenterCorpus:
    """Holds pictures and phrases in the memory of a device, with room for `most` pictures.

    `add_new_shards` takes up what was drawn since.
    """

    def __init__(self, folder: Path, most: int, tokenizer: CLIPTokenizer, device: str) -> None:
        self.folder = folder
        self.tokenizer = tokenizer
        self.device = device
        self.count = 0
        self._shards = 0
        first = segmenter_samples.read_shard(shards.files(folder)[0])
        self.pixels, self.parts, self.masks, self.gaps = (
            torch.zeros(
                (most, *array.shape[1:]), dtype=torch.from_numpy(array).dtype, device=device
            )
            for array in (first.pixels, first.parts, first.masks, first.gaps)
        )
        shape = (most, segmenter_samples.PHRASES, words.TOKENS)
        self.tokens = torch.zeros(shape, dtype=torch.int16, device=device)
        self.add_new_shards()

    def __len__(self) -> int:
        return self.count

    def add_new_shards(self) -> None:
        """Take up the shards that were drawn since the last call, while there is room."""
        files = shards.files(self.folder)
        for file in files[self._shards :]:
            shard = segmenter_samples.read_shard(file)
            rows = slice(self.count, min(self.count + len(shard.pixels), len(self.pixels)))
            room = rows.stop - rows.start
            for own, new in (
                (self.pixels, shard.pixels),
                (self.parts, shard.parts),
                (self.masks, shard.masks),
                (self.gaps, shard.gaps),
            ):
                own[rows] = torch.from_numpy(new[:room]).to(self.device)
            texts = [text for of_picture in shard.texts[:room] for text in of_picture]
            tokens = words.as_tokens(self.tokenizer, texts, padding="max_length")
            self.tokens[rows] = tokens.reshape(room, -1, words.TOKENS).short().to(self.device)
            self.count = rows.stop
        self._shards = len(files)

    def batch(self, rows: Tensor, columns: Tensor) -> SegmenterBatch:
        """Return the pictures of rows (B,) with the phrases of columns (B, Q)."""
        tokens = self.tokens[rows[:, None], columns].flatten(0, 1).long()
        is_word = tokens != self.tokenizer.pad_token_id
        longest = int(is_word.sum(-1).max()) + 1  # the end has the number of the padding
        return SegmenterBatch(
            self.pixels[rows],
            self.parts[rows],
            tokens[:, :longest],
            unpack_bits(self.masks[rows[:, None], columns].flatten(0, 1)),
            unpack_bits(self.gaps[rows[:, None], columns].flatten(0, 1)),
        )

    def sample_batch(self, step: int, config: SegmenterConfig) -> SegmenterBatch:
        """Return the pictures of a step with random phrases, the same for the same step."""
        generator = loop.step_generator(config.seed + 1, step, self.device)
        rows = torch.randint(
            HELD_OUT, len(self), (config.batch,), generator=generator, device=self.device
        )
        order = torch.rand(
            (len(rows), segmenter_samples.PHRASES), generator=generator, device=self.device
        )
        return self.batch(rows, order.argsort(1)[:, : config.asked])


def unpack_bits(packed: Tensor) -> Tensor:
    """Return bits (..., W / 8), eight in a byte, the highest first, as booleans (..., W)."""
    places = torch.arange(7, -1, -1, device=packed.device)
    return (packed[..., None] >> places & 1).bool().flatten(-2)


# --- training ---


class SegmenterLosses(NamedTuple):
    """Holds the losses: pixel cross entropy, one minus Dice, matched patches, and parts.

    The last two are cross entropies, too.
    """

    pixels: Tensor
    overlap: Tensor
    match: Tensor
    parts: Tensor

    def total(self, config: SegmenterConfig) -> Tensor:
        return self.pixels + self.overlap + config.match * self.match + config.parts * self.parts


def losses(
    model: CLIPSegForImageSegmentation,
    heads: SegmenterHeads,
    batch: SegmenterBatch,
    generator: torch.Generator,
) -> SegmenterLosses:
    """Compute the losses on randomly varied pictures."""
    pictures = vision.augment(vision.as_input(batch.pixels), generator)
    masks = batch.masks.float()
    with torch.autocast(pictures.device.type, torch.bfloat16):
        output = forward(model, pictures, batch.tokens)
        parts = heads.parts(output.patches, batch.parts)
        match = heads.match(output.matched, masks)
    logits = output.logits.float()
    weights = 1 + (GAP_WEIGHT - 1) * batch.gaps.float()
    pixels = functional.binary_cross_entropy_with_logits(logits, masks, weight=weights)
    return SegmenterLosses(pixels, _dice_loss(logits.sigmoid(), masks), match, parts)


def _dice_loss(shares: Tensor, masks: Tensor, least: float = 20.0) -> Tensor:
    """Compute one minus the Dice coefficient.

    `least` px are added to both sides, so that specks where nothing is count too.
    """
    both = (shares * masks).sum((1, 2))
    return (1 - (2 * both + least) / (shares.sum((1, 2)) + masks.sum((1, 2)) + least)).mean()


def train(config: SegmenterConfig, work: Path, out: Path, start: Path | None = None) -> None:
    """Draw the samples, train (from the weights in `start`), write `out`.

    What is already in `work` is not done again.
    """
    segmenter_samples.part_numbers()  # once, before other processes need them
    drawn = work / f"pictures-{config.size}"
    draw = partial(
        segmenter_samples.write, drawn, config.samples, config.size, workers=config.workers
    )
    with background.drawing(draw, drawn, config.begin):
        learn(config, drawn, work, out, start)


def learn(config: SegmenterConfig, drawn: Path, work: Path, out: Path, start: Path | None) -> None:
    """Train on the shards of a folder, also on those that come while it lasts, and write `out`."""
    torch.manual_seed(config.seed)
    device = loop.best_device()
    if start:
        model, tokenizer = load_start(start, config)
    else:
        parts = [DrawnPart(thing, part, 0) for thing, part in segmenter_samples.part_numbers()]
        tokenizer = words.make_tokenizer(vision.vocabulary([parts]))
        model = make_model(config, tokenizer)
    corpus = SegmenterCorpus(drawn, config.samples, tokenizer, device)
    heads = make_heads(model).to(device)
    model.to(device)
    if device == "cpu":
        vision.attend_plainly([*model.clip.vision_model.encoder.layers, *model.decoder.layers])
    schedule = loop.TrainingSchedule(average=config.average, warmup=100, checkpoint_every=500)
    trainer = loop.Trainer(
        model,
        loop.make_optimizers([model, heads], vision.is_inner_matrix, rate=config.rate),
        schedule,
        steps=config.steps,
        minutes=config.minutes,
        pictures=config.batch,
        heads=heads,
    )

    def losses_at(step: int) -> tuple[Tensor, SegmenterLosses]:
        if step % LOOK_EVERY == 0:
            corpus.add_new_shards()
        generator = loop.step_generator(config.seed, step, device)
        step_losses = losses(model, heads, corpus.sample_batch(step, config), generator)
        return step_losses.total(config), step_losses

    def save_average(done: int) -> None:
        averaged: Any = trainer.average.model
        print(f"step {done}: {len(corpus):,} images, {measure(averaged, corpus)}", flush=True)
        save(averaged, tokenizer, out)

    print(f"{loop.describe_size(model)}, {len(corpus):,} images", flush=True)
    trainer.run(work / "checkpoint.pt", losses_at, save_average)


# --- measures ---


class SegmenterAccuracy(NamedTuple):
    """Holds the mean intersection over union, and the share of absent phrases with a speck.

    A speck has 20 px or more.
    """

    overlap: float
    false_positives: float

    def __str__(self) -> str:
        return (
            f"IoU {self.overlap:.3f} of what is there, {self.false_positives:.1%} of what is absent"
            " pointed at"
        )


def measure(
    model: CLIPSegForImageSegmentation, corpus: SegmenterCorpus, batch_size: int = 8
) -> SegmenterAccuracy:
    """Measure on the pictures that are held out, with all of their phrases."""
    overlaps: list[float] = []
    specks: list[float] = []
    columns = torch.arange(segmenter_samples.PHRASES, device=corpus.device)
    held_out = torch.arange(min(HELD_OUT, len(corpus)), device=corpus.device)
    for rows in torch.split(held_out, batch_size):
        batch = corpus.batch(rows, columns.expand(len(rows), -1))
        with torch.inference_mode():
            logits = forward(model, vision.as_input(batch.pixels), batch.tokens).logits
        present = batch.masks.flatten(1).any(1)
        overlaps.extend(intersection_over_union(logits > 0, batch.masks)[present].tolist())
        specks.extend(((logits[~present] > 0).sum((1, 2)) >= SPECK).float().tolist())
    overlap = sum(overlaps) / max(1, len(overlaps))
    return SegmenterAccuracy(overlap, sum(specks) / max(1, len(specks)))


def intersection_over_union(first: Tensor, second: Tensor) -> Tensor:
    """Return the intersection over union (N,) of masks (N, H, W), 0 where both are empty."""
    intersection = (first & second).sum((1, 2))
    return intersection / (first | second).sum((1, 2)).clamp_min(1)


def save(model: CLIPSegForImageSegmentation, tokenizer: CLIPTokenizer, out: Path) -> None:
    """Write the stock folder that any CLIPSeg loader reads, safetensors in 16 bits a weight."""
    size = model.config.vision_config.image_size
    images = ViTImageProcessor(
        size={"height": size, "width": size},
        resample=3,
        image_mean=[vision.MEAN] * 3,
        image_std=[vision.DEVIATION] * 3,
    )
    loop.save_model(model, CLIPSegProcessor(images, words.reset_lengths(tokenizer)), out)


def main() -> None:
    config, folders = loop.read_arguments(
        __doc__,
        SegmenterConfig(),
        {
            "work": (WORK, "samples and checkpoints"),
            "out": (OUT, "the finished folder"),
            "start": (None, "a folder with weights to go on from"),
        },
    )
    train(config, **folders)


if __name__ == "__main__":
    main()
