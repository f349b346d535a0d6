"""Reads the images of Debian packages: photographs, clip art, icons, maps and screenshots.

Packages in `TRAINED` are learned from. The images that the detector is measured on come from other
packages (``data/other_styles/README.md`` lists them).
"""

import io
import random
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from PIL import Image

# The most files of each package: a few of the icon themes are enough.
TRAINED: Mapping[str, int] = {
    "digikam-data": 150,
    "extremetuxracer-data": 150,
    "frozen-bubble-data": 300,
    "gimp-data": 150,
    "gimp-help-en": 500,
    "gnome-backgrounds": 40,
    "gnome-user-docs": 97,
    "kgeography-data": 300,
    "kstars-data": 300,
    "lxqt-themes": 43,
    "opencv-doc": 500,
    "oxygen-icon-theme": 500,
    "papirus-icon-theme": 500,
    "pidgin-data": 150,
    "pingus-data": 300,
    "plasma-workspace-wallpapers": 72,
    "pysiogame": 1000,
    "tuxpaint-stamps-default": 1100,
    "ukui-wallpapers": 12,
}
PIXELS = (".png", ".jpg", ".jpeg", ".webp", ".gif")
VECTORS = (".svg",)
SMALLEST = 48  # px; smaller icons show too little
LARGEST = 768  # px to which a large file is reduced when it is read
VECTOR_SIDE = 384


def fetch_packages(folder: Path) -> None:
    """Download and unpack every package that is not in the folder, each into a folder of its name.

    Raises CalledProcessError where apt-get cannot fetch it.
    """
    for package in TRAINED:
        if (folder / package).is_dir():
            continue
        archives = folder / "archives"
        archives.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", package], cwd=archives, check=True)
        (archive,) = archives.glob(f"{package}_*.deb")
        subprocess.run(["dpkg-deb", "-x", archive, folder / package], check=True)


def image_files(folder: Path, most: int, seed: str) -> list[Path]:
    """Return image files below a folder, at most `most`, chosen by the seed."""
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in (*PIXELS, *VECTORS) and path.is_file() and not path.is_symlink()
    )
    chance = random.Random(f"{seed} {folder.name}")
    chance.shuffle(files)
    # Themes hold one icon in many sizes: one file of a name is enough.
    unique = list({path.stem: path for path in reversed(files)}.values())
    return unique[:most]


def open_image(path: Path) -> Image.Image | None:
    """Return an image as RGBA; None where it cannot be read or is very small."""
    try:
        if path.suffix.lower() in VECTORS:
            import resvg_py

            png = resvg_py.svg_to_bytes(svg_path=str(path), width=VECTOR_SIDE)
            image = Image.open(io.BytesIO(png)).convert("RGBA")
        else:
            with Image.open(path) as opened:
                opened.draft("RGB", (LARGEST, LARGEST))
                image = opened.convert("RGBA")
    except Exception:  # a damaged file, or one that the reader does not know
        return None
    if min(image.size) < SMALLEST:
        return None
    image.thumbnail((LARGEST, LARGEST))
    return image


def is_large(image: Image.Image) -> bool:
    """Return whether an image was large: mostly a photograph, of which parts differ much."""
    return max(image.size) >= 0.9 * LARGEST


def read_images(folder: Path, seed: str) -> Iterator[Image.Image]:
    """Read the images of all packages in `TRAINED`, which are unpacked in the folder."""
    for package, most in TRAINED.items():
        for path in image_files(folder / package, most, seed):
            image = open_image(path)
            if image is not None:
                yield image
