"""An uploaded image is checked before it is unpacked and kept as a plain PNG; regions are those of
the stored image.
"""

import contextlib
import io
import random
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from hallascope.engine.errors import BadImage
from hallascope.engine.images import uploads
from hallascope.engine.images.true_answers import drawing_regions
from hallascope.engine.images.uploads import accept, encoded_again, image_notes
from hallascope.primer import scenes
from tests.support.images import png


def saved(tmp_path: Path, image: Image.Image, name: str, **options: object) -> Path:
    path = tmp_path / name
    image.save(path, **options)  # type: ignore[arg-type]
    return path


def bomb(side: int) -> bytes:
    """A PNG of a few hundred bytes that claims `side` x `side` pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(1000)))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp", "a.gif", "a.avif"])
def test_pictures_of_the_usual_kinds_become_rgb_png(tmp_path: Path, name: str) -> None:
    with Image.open(
        io.BytesIO(accept(saved(tmp_path, Image.new("RGB", (30, 20), "red"), name)))
    ) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "RGB", (30, 20))


def test_metadata_stays_behind_and_the_picture_stands_upright(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by 90 degrees
    exif[0x010F] = "A camera"
    data = accept(
        saved(
            tmp_path, Image.new("RGB", (30, 20)), "a.jpg", exif=exif, comment="secret", dpi=(72, 72)
        )
    )
    with Image.open(io.BytesIO(data)) as image:
        assert (image.size, dict(image.getexif()), image.info) == ((20, 30), {}, {})


MODES = ("1", "L", "P", "RGB", "CMYK", "RGBA")
RAMP = np.tile(np.linspace(0, 1, 64), (64, 1))


def gray(path: Path) -> float:
    """Return the mean gray level of what is kept of a file, from 0 to 255."""
    with Image.open(io.BytesIO(accept(path))) as image:
        return float(np.asarray(image).mean())


@pytest.mark.parametrize(
    "pixels, name, expected",
    [
        *(
            (Image.fromarray((RAMP * 255).astype(np.uint8)).convert("RGB").convert(mode), name, 127)
            for mode, name in [("LA", "a.png"), *((m, "a.tiff") for m in MODES)]
        ),
        *(
            (Image.fromarray((RAMP * top).astype(np.uint16)), name, 127.5 * top / 65535)
            for name in ("a.png", "a.tiff")
            for top in (65535, 6553)
        ),
        *(
            (Image.fromarray((RAMP * top).astype(dtype)), "a.tiff", 127.5)
            for dtype, top in (("i4", 255), ("i4", 65535), ("f4", 1), ("f4", 255))
        ),
    ],
)
def test_gray_is_kept_in_any_mode_and_numbers_are_scaled_by_the_range_they_lie_in(
    tmp_path: Path, pixels: Image.Image, name: str, expected: float
) -> None:
    assert gray(saved(tmp_path, pixels, name)) == pytest.approx(expected, abs=1)


@pytest.mark.parametrize("values", [RAMP * 1e6, RAMP - 0.5, RAMP * 1.5, RAMP * np.nan])
def test_values_of_no_scale_are_refused(tmp_path: Path, values: NDArray[Any]) -> None:
    with pytest.raises(BadImage, match="8 or 16 bits"):
        accept(saved(tmp_path, Image.fromarray(values.astype(np.float32)), "a.tiff"))


def test_what_is_transparent_is_white(tmp_path: Path) -> None:
    for mode in ("RGBA", "LA"):
        assert gray(saved(tmp_path, Image.new(mode, (40, 40)), "a.png")) == 255
    palette = Image.new("P", (40, 40))
    assert gray(saved(tmp_path, palette, "a.png", transparency=0)) == 255


FRAMES = {"save_all": True, "append_images": [Image.new("RGB", (30, 20))]}


@pytest.mark.parametrize(
    "image, options, said",
    [
        (Image.new("RGB", (1, 1)), {}, "1 x 1"),
        (Image.new("RGB", (20000, 10)), {}, "20000 x 10"),
        (Image.new("RGBA", (40, 40)), {}, "transparent"),
        (Image.new("RGB", (30, 20), "red"), FRAMES, "2 frames"),
    ],
)
def test_what_is_odd_about_an_image_is_said(
    tmp_path: Path, image: Image.Image, options: dict[str, Any], said: str
) -> None:
    path = saved(tmp_path, image, "a.png", **options)
    assert accept(path)
    assert [said in note for note in image_notes(path.read_bytes())] == [True]
    plain = saved(tmp_path, Image.new("RGB", (40, 40)), "b.png")
    assert image_notes(plain.read_bytes()) == []


def test_a_gif_that_is_cut_off_behind_its_first_frame_is_taken(tmp_path: Path) -> None:
    path = saved(tmp_path, Image.new("RGB", (30, 20), "red"), "a.gif", **FRAMES)
    content = path.read_bytes()
    path.write_bytes(content[: content.rindex(b"!\xf9") + 12])
    assert accept(path)
    (note,) = image_notes(path.read_bytes())
    assert "damaged behind its first frame" in note


def test_an_8_bit_rgb_png_stays_as_it_is_compressed_and_loses_its_metadata(tmp_path: Path) -> None:
    image = Image.effect_noise((64, 64), 50).convert("RGB")
    told = PngInfo()
    told.add_text("prompt", "secret")
    plain = saved(tmp_path, image, "a.png", compress_level=1).read_bytes()
    assert accept(tmp_path / "a.png") == plain
    assert accept(saved(tmp_path, image, "b.png", compress_level=1, pnginfo=told)) == plain
    best = saved(tmp_path, image, "c.png").read_bytes()
    assert encoded_again(plain) == best != plain


TURNED = Image.Exif()
TURNED[0x0112] = 6  # by 90 degrees


@pytest.mark.parametrize(
    "options, size, color",
    [
        ({"exif": TURNED}, (20, 30), (255, 0, 0)),
        (FRAMES, (30, 20), (255, 0, 0)),
        ({"transparency": (255, 0, 0)}, (30, 20), (255, 255, 255)),
    ],
)
def test_a_png_that_shows_more_than_its_pixels_is_encoded_anew(
    tmp_path: Path, options: dict[str, Any], size: tuple[int, int], color: tuple[int, int, int]
) -> None:
    image = Image.new("RGB", (30, 20), "red")
    path = saved(tmp_path, image, "a.png", compress_level=0, **options)
    assert accept(path) != path.read_bytes()
    with Image.open(io.BytesIO(accept(path))) as kept:
        assert (kept.size, kept.getpixel((5, 5)), kept.info) == (size, color, {})


@pytest.mark.parametrize("side", [10_000, 60_000])
def test_a_decompression_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, side: int) -> None:
    (tmp_path / "bomb.png").write_bytes(bomb(side))
    with pytest.raises(
        BadImage, match=r"'bomb.png' has .* at most 40 million are taken: make it smaller\.$"
    ):
        accept(tmp_path / "bomb.png")


def test_any_damage_to_a_picture_is_a_sentence_or_a_picture(tmp_path: Path) -> None:
    whole = bytearray(png("a", 40))
    for place in range(8, len(whole), 3):
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        (tmp_path / "a.png").write_bytes(damaged)
        with contextlib.suppress(BadImage):  # anything else would surface
            assert accept(tmp_path / "a.png").startswith(b"\x89PNG")


def test_a_file_that_is_too_large_or_not_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadImage, match="cannot be read"):
        accept(tmp_path)
    monkeypatch.setattr(uploads, "MAX_BYTES", 10)
    (tmp_path / "large.png").write_bytes(png())
    with pytest.raises(BadImage, match=r"'large\.png' has"):
        accept(tmp_path / "large.png")
    with pytest.raises(BadImage, match="cannot be read"):
        accept(tmp_path / "missing.png")


def test_every_question_of_a_factual_drawing_finds_its_regions() -> None:
    for prompt in random.Random(0).sample(scenes.prompts(), 12):
        scene = scenes.parse(prompt)
        found = drawing_regions({"prompt": prompt, "chance": 0, "values": scene.truths()})
        for question in scene.questions().questions:
            assert not question.regions or set(question.regions) & set(found), (prompt, question)


@pytest.mark.parametrize(
    "truth",
    [
        {"values": {"legs": 4}},
        {"prompt": "the weather of love", "chance": 0, "values": {}},
        {"prompt": "a ladybug", "chance": 0, "values": {"spots": [1]}},
    ],
)
def test_a_truth_that_cannot_be_drawn_has_no_regions(truth: dict[str, Any]) -> None:
    assert drawing_regions(truth) == {}
