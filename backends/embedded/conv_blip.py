"""Defines a question answerer: a BLIP whose vision tower is convolutional.

The text encoder and the text decoder are those of ``BlipForQuestionAnswering``. The tower learns
small things from fewer examples than a vision transformer does, and it counts: it is taught where
parts have their centers, and beside a grid of states it gives a few that hold how many of each part
the whole image shows.
"""

import math
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import (
    AutoConfig,
    AutoModelForVisualQuestionAnswering,
    BlipConfig,
    BlipForQuestionAnswering,
    BlipTextConfig,
    BlipVisionConfig,
)
from transformers.modeling_outputs import BaseModelOutput

# px of the image to a state of the grid, to a cell of the finer map, and to the coarsest map
STATE = 16
CELL = 8
# The logarithm of how many centers of a part one cell may hold.
MOST_LOG = 2.0


class ConvVisionConfig(BlipVisionConfig):  # type: ignore[misc]
    """Configures the tower: channels at a quarter, an eighth and a sixteenth of the picture's side.

    `blocks` are the residual blocks at each, `num_hidden_layers` the transformer layers at the
    last. `parts` is how many kinds of parts are counted, into `summaries` states.
    """

    model_type = "conv_vision_model"

    channels: list[int] | tuple[int, ...] = (64, 128, 256)
    blocks: list[int] | tuple[int, ...] = (1, 2, 2)
    parts: int = 512
    summaries: int = 4


class ConvBlipConfig(BlipConfig):  # type: ignore[misc]
    """Configures a BLIP whose vision tower is convolutional."""

    model_type = "conv_blip"
    sub_configs_defaults: ClassVar[dict[str, type]] = {
        "text_config": BlipTextConfig,
        "vision_config": ConvVisionConfig,
    }


class ConvNorm(nn.Sequential):
    """Convolves and normalizes, without the nonlinearity."""

    def __init__(self, inner: int, outer: int, kernel: int = 3, stride: int = 1) -> None:
        conv = nn.Conv2d(inner, outer, kernel, stride, padding=kernel // 2, bias=False)
        super().__init__(conv, nn.BatchNorm2d(outer))


class ResidualBlock(nn.Module):
    """Adds two convolutions to what comes in, (B, C, H, W) -> (B, C, H, W)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = ConvNorm(channels, channels)
        self.second = ConvNorm(channels, channels)

    def forward(self, maps: Tensor) -> Tensor:
        inner = functional.relu(self.first(maps))
        return functional.relu(maps + self.second(inner))


class AttentionBlock(nn.Module):
    """Relates all places of a map to each other, states (B, N, W) -> (B, N, W)."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.attention_norm = nn.LayerNorm(width)
        self.projections = nn.Linear(width, 3 * width)
        self.attended = nn.Linear(width, width)
        self.inner_norm = nn.LayerNorm(width)
        self.widen = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)

    def forward(self, states: Tensor) -> Tensor:
        batch, places, width = states.shape
        split = self.projections(self.attention_norm(states))
        split = split.view(batch, places, 3, self.heads, width // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        # By the formula: on a CPU the fused kernel takes twice as long to learn.
        shares = (query * (width // self.heads) ** -0.5 @ key.transpose(-1, -2)).softmax(-1)
        attended = shares.to(value) @ value
        states = states + self.attended(attended.transpose(1, 2).reshape(states.shape))
        inner = functional.gelu(self.widen(self.inner_norm(states)))
        summed: Tensor = states + self.narrow(inner)
        return summed


class TowerOutput(NamedTuple):
    """Holds what the tower sees in B images.

    States (B, N, W); cells (B, W, H, W), a finer map of features; the logarithm of how many centers
    of each part each cell holds, (B, parts, H, W); and how many the image holds, (B, parts).
    """

    states: Tensor
    cells: Tensor
    log_centers: Tensor
    counts: Tensor


class ConvVision(nn.Module):
    """Turns images (B, 3, H, W) into states: the summaries, then the grid row by row.

    Sides are multiples of `STATE`.
    """

    main_input_name = "pixel_values"

    def __init__(self, config: ConvVisionConfig) -> None:
        super().__init__()
        self.config = config
        width = config.hidden_size
        fine, middle, coarse = config.channels
        blocks = [
            [ResidualBlock(c) for _ in range(n)]
            for c, n in zip(config.channels, config.blocks, strict=True)
        ]
        self.stem = nn.Sequential(
            ConvNorm(3, fine // 2, stride=2),
            nn.ReLU(),
            ConvNorm(fine // 2, fine, stride=2),
            nn.ReLU(),
            *blocks[0],
        )
        self.middle = nn.Sequential(ConvNorm(fine, middle, stride=2), nn.ReLU(), *blocks[1])
        self.coarse = nn.Sequential(ConvNorm(middle, coarse, stride=2), nn.ReLU(), *blocks[2])
        heads = config.num_attention_heads
        self.layers = nn.ModuleList(
            AttentionBlock(coarse, heads) for _ in range(config.num_hidden_layers)
        )
        self.from_coarse = ConvNorm(coarse, width, kernel=1)
        self.from_middle = ConvNorm(middle, width, kernel=1)
        self.cells = ResidualBlock(width)
        self.centers = nn.Conv2d(width, config.parts, kernel_size=1)
        self.summaries = nn.Linear(2 * config.parts, config.summaries * width)
        self.grid = nn.Sequential(ConvNorm(width, width, stride=2), nn.ReLU())
        self.grid_from_coarse = nn.Linear(coarse, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, pixel_values: Tensor, **ignored: Any) -> BaseModelOutput:
        return BaseModelOutput(last_hidden_state=self.look(pixel_values).states)

    def look(self, pixel_values: Tensor) -> TowerOutput:
        """Return the states with what they are made of."""
        pixels = pixel_values.contiguous(memory_format=torch.channels_last)
        middle = self.middle(self.stem(pixels))
        coarse = self.coarse(middle)
        _, channels, height, width = coarse.shape
        related = coarse.flatten(2).transpose(1, 2)
        related = related + places(height, width, channels, related.device).to(related)
        for layer in self.layers:
            related = layer(related)
        context = related.transpose(1, 2).reshape(coarse.shape)
        spread = functional.interpolate(self.from_coarse(context), scale_factor=2, mode="nearest")
        cells = self.cells(functional.relu(spread + self.from_middle(middle)))
        log_centers = self.centers(cells).float().clamp(max=MOST_LOG)
        counts = log_centers.exp().sum((2, 3))
        summaries = self.summaries(torch.cat([counts, (2 * counts).tanh()], dim=1))
        summaries = summaries.unflatten(1, (self.config.summaries, -1))
        grid = self.grid(cells).flatten(2).transpose(1, 2) + self.grid_from_coarse(related)
        grid = grid + places(height, width, grid.shape[-1], grid.device).to(grid)
        states = self.norm(torch.cat([summaries.to(grid), grid], dim=1))
        return TowerOutput(states, cells, log_centers, counts)


def places(height: int, width: int, channels: int, device: torch.device | str = "cpu") -> Tensor:
    """Return where each place of a map lies in the image as waves, (height * width, channels).

    Places are told as shares of the sides, so that images of any size are alike.
    """
    octaves = channels // 4
    rates = math.pi * torch.linspace(0, 4, octaves, device=device).exp2()
    y = (torch.arange(height, device=device) + 0.5) / height
    x = (torch.arange(width, device=device) + 0.5) / width
    rows = (y[:, None] * rates)[:, None].expand(-1, width, -1)
    columns = (x[:, None] * rates)[None].expand(height, -1, -1)
    waves = torch.cat([rows.sin(), rows.cos(), columns.sin(), columns.cos()], dim=-1)
    return waves.flatten(0, 1)


class ConvBlipForQuestionAnswering(BlipForQuestionAnswering):  # type: ignore[misc]
    """Answers questions about an image as ``BlipForQuestionAnswering`` does."""

    config_class = ConvBlipConfig

    def __init__(self, config: ConvBlipConfig) -> None:
        super(BlipForQuestionAnswering, self).__init__(config)
        # What `BlipForQuestionAnswering` builds, with another tower.
        from transformers.models.blip.modeling_blip import BlipTextLMHeadModel, BlipTextModel

        self.vision_model = ConvVision(config.vision_config)
        self.text_encoder = BlipTextModel(config.text_config, add_pooling_layer=False)
        self.text_decoder = BlipTextLMHeadModel(config.text_config)
        self.decoder_pad_token_id = config.text_config.pad_token_id
        self.decoder_start_token_id = config.text_config.bos_token_id
        self.post_init()


def register() -> None:
    """Make the library's automatic classes know the model."""
    AutoConfig.register(ConvVisionConfig.model_type, ConvVisionConfig, exist_ok=True)
    AutoConfig.register(ConvBlipConfig.model_type, ConvBlipConfig, exist_ok=True)
    AutoModelForVisualQuestionAnswering.register(
        ConvBlipConfig, ConvBlipForQuestionAnswering, exist_ok=True
    )
