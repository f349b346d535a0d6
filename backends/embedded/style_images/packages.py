"""Reads the images of packages: photographs, clip art, icons, emoji, maps and screenshots.

Debian packages in `TRAINED` and the icon sets of npm in `ICON_SETS` are learned from. The images
that the detector is measured on come from other packages (``data/other_styles/README.md`` lists
them).
"""

import io
import json
import random
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

# The most files of each package: a few of the icon themes are enough.
TRAINED: dict[str, int] = {
    "breeze-icon-theme": 300,
    "digikam-data": 150,
    "extremetuxracer-data": 150,
    "frozen-bubble-data": 300,
    "gcompris-qt-data": 1500,
    "gimp-data": 150,
    "gimp-help-en": 500,
    "gnome-backgrounds": 40,
    "gnome-icon-theme": 400,
    "gnome-mahjongg": 100,
    "gnome-user-docs": 97,
    "hedgewars-data": 500,
    "kgeography-data": 300,
    "khangman": 60,
    "kigo": 60,
    "klettres-data": 60,
    "kmahjongg": 60,
    "kpat": 150,
    "kstars-data": 300,
    "libreoffice-common": 300,
    "lxqt-themes": 43,
    "mate-icon-theme": 400,
    "minetest-data": 60,
    "numix-icon-theme": 200,
    "opencv-doc": 500,
    "oxygen-icon-theme": 500,
    "papirus-icon-theme": 500,
    "pidgin-data": 150,
    "pingus-data": 300,
    "plasma-workspace-wallpapers": 72,
    "pychess": 150,
    "pysiogame": 1000,
    "scratch": 500,
    "supertux-data": 600,
    "tango-icon-theme": 200,
    "tuxmath-data": 150,
    "tuxpaint-stamps-default": 1100,
    "ukui-wallpapers": 12,
    "wesnoth-1.16-data": 900,
}
# The same of icon sets, each an npm package "@iconify-json/NAME" of one file with all its icons.
ICON_SETS: dict[str, int] = {
    "emojione": 700,
    "flat-color-icons": 300,
    "fluent-emoji": 700,
    "fluent-emoji-flat": 700,
    "fxemoji": 800,
    "meteocons": 200,
    "noto": 900,
    "openmoji": 1500,
    "streamline-emojis": 700,
    "twemoji": 900,
}
PIXELS = (".png", ".jpg", ".jpeg", ".webp", ".gif")
VECTORS = (".svg",)
SMALLEST = 48  # px; smaller icons show too little
LARGEST = 768  # px to which a large file is reduced when it is read
VECTOR_SIDE = 384


def fetch_packages(folder: Path) -> None:
    """Download and unpack all that is not in the folder, each package into a folder of its name.

    Raises CalledProcessError where apt-get or npm cannot fetch one.
    """
    archives = folder / "archives"
    archives.mkdir(parents=True, exist_ok=True)
    for package in TRAINED:
        if not (folder / package).is_dir():
            subprocess.run(["apt-get", "download", package], cwd=archives, check=True)
            (archive,) = archives.glob(f"{package}_*.deb")
            subprocess.run(["dpkg-deb", "-x", archive, folder / package], check=True)
    for name in ICON_SETS:
        if not (folder / name).is_dir():
            subprocess.run(["npm", "pack", f"@iconify-json/{name}"], cwd=archives, check=True)
            (archive,) = archives.glob(f"iconify-json-{name}-[0-9]*.tgz")
            unpack_icons(archive, folder / name)


def unpack_icons(archive: Path, folder: Path) -> None:
    """Write every icon of an icon set as an SVG file of its name."""
    with tarfile.open(archive) as opened:
        file = opened.extractfile("package/icons.json")
        assert file, archive
        icons = json.load(file)
    folder.mkdir()
    for name, icon in icons["icons"].items():
        sides = [icon.get(key, icons.get(key, 16)) for key in ("width", "height")]
        (folder / f"{name}.svg").write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
            f' viewBox="0 0 {sides[0]} {sides[1]}">{icon["body"]}</svg>'
        )


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
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):  # damaged, or unknown
        return None
    if min(image.size) < SMALLEST:
        return None
    image.thumbnail((LARGEST, LARGEST))
    return image


def is_large(image: Image.Image) -> bool:
    """Return whether an image was large: mostly a photograph, of which parts differ much."""
    return max(image.size) >= 0.9 * LARGEST


def read_images(folder: Path, seed: str) -> Iterator[Image.Image]:
    """Read the images of all packages and icon sets, which are unpacked in the folder."""
    for package, most in (TRAINED | ICON_SETS).items():
        for path in image_files(folder / package, most, seed):
            image = open_image(path)
            if image is not None:
                yield image
