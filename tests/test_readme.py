"""The README and the pages it leads to are true: every tab, command and model they list exists, and
the other way round.
"""

import re
from importlib import import_module
from pathlib import Path

import yaml
from PIL import Image

from hallascope.cli.main import COMMANDS
from hallascope.data.models.specs import read_models
from hallascope.data.models.table import insert_table, table
from hallascope.data.spaces import front_matter, read_spaces, with_front_matter
from hallascope.engine.spaces.build import pinned_versions
from hallascope.metrics import METRICS
from hallascope.pages import PAGES
from hallascope.primer.concepts import concepts

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")
CLI, MODELS, TOUR = (
    (DOCS / name).read_text(encoding="utf-8") for name in ("cli.md", "models.md", "tour.md")
)
LONGEST = 150  # lines of the README
HEAVIEST = 400_000  # bytes of its animated image
# metrics that are another with one thing taken away
VARIANTS = {"caption-ablation", "factualbench-no-reference", "factualbench-prompt-shown"}


def _section(text: str, title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"no section {title!r}"
    return found.group(1)


def test_the_two_commands_stand_at_the_top_before_any_other_section() -> None:
    top = README.split("\n## ")[0]
    assert "make app" in top
    assert "make test" in top


def test_the_readme_is_short_and_shows_a_small_animated_image_of_about_six_seconds() -> None:
    assert len(README.splitlines()) <= LONGEST
    assert "(docs/hero.webp)" in README.split("\n## ")[0]
    assert (DOCS / "hero.webp").stat().st_size < HEAVIEST
    with Image.open(DOCS / "hero.webp") as hero:
        assert hero.format == "WEBP"
        assert 5_000 <= _duration(hero) <= 8_000


def _duration(image: Image.Image) -> int:
    """Milliseconds that all frames of an animated image take."""
    total = 0
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        image.load()
        total += image.info.get("duration", 0)
    return total


def test_every_metric_of_the_readme_exists_and_every_metric_is_in_it() -> None:
    rows = re.findall(r"^\| (`[^|]+) \|", _section(README, "Metrics at a glance"), re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}
    assert listed == set(METRICS) - VARIANTS


def test_the_readme_lists_the_figures_of_the_judge_as_the_page_on_validation_does() -> None:
    validation = (DOCS / "validation.md").read_text(encoding="utf-8")
    section = _section(README, "How good the judge is")
    figures = re.findall(r"\d+\.\d %", section)
    assert len(figures) > 10
    assert [figure for figure in figures if figure not in validation] == []
    commands = re.findall(r"`(hallascope [^`]+)`", section)
    assert commands
    assert [command for command in commands if f"`{command}`" not in validation] == []


def test_every_tab_is_listed_and_every_listed_tab_exists() -> None:
    rows = re.findall(
        r"^\| ([A-Z][\w-]*(?: [\w-]+)*) \|", _section(TOUR, "All tabs at a glance"), re.MULTILINE
    )
    assert rows == [import_module(page).TITLE for page in PAGES.values()]


def test_every_command_is_listed_and_every_listed_command_exists() -> None:
    known = {name for name, (function, _) in COMMANDS.items() if function}
    groups = COMMANDS.keys() - known
    listed = set()
    for name, word in re.findall(r"^hallascope ([a-z][a-z-]*)(?: ([a-z-]+)\b)?", CLI, re.MULTILINE):
        listed.add(f"{name} {word}" if name in groups else name)
    assert listed == known


def test_the_embedded_models_are_listed_with_their_real_numbers() -> None:
    rows = re.findall(r"^\| `(primer/[\w-]+)` \| ([\w, ]+) \| ([^|]*) \|", MODELS, re.MULTILINE)
    listed = {name: said.strip() for name, _, said in rows}
    models = {name: spec for name, spec in read_models().items() if name.startswith("primer/")}
    assert set(listed) == set(models)
    for name, spec in models.items():
        if "violation" in spec.settings:
            assert float(listed[name]) == spec.settings["violation"]


def test_the_table_of_models_is_what_the_command_makes_of_the_file_of_models() -> None:
    text = (ROOT / "data" / "models" / "README.md").read_text(encoding="utf-8")
    assert insert_table(text, table(read_models())) == text, (
        "run `hallascope models list --out data/models/README.md`"
    )


def test_the_number_of_concepts_is_right() -> None:
    for text in (README, MODELS):
        found = re.search(r"(\d+) concepts", text)
        assert found
        assert int(found.group(1)) == len(concepts())


def test_the_front_matter_is_that_of_the_first_space_that_is_declared() -> None:
    block = front_matter(read_spaces()[0], pinned_versions()["gradio"])
    assert with_front_matter(README, block) == README, "run `hallascope spaces --write README.md`"
    said = yaml.safe_load(README.split("---")[1])
    assert (said["hf_oauth"], said["hf_oauth_scopes"]) == (True, ["inference-api"])


def test_the_front_matter_names_the_version_of_gradio_everything_is_tested_with() -> None:
    version = re.search(r"^sdk_version: (\S+)", README, re.MULTILINE)
    pinned = re.search(
        r"^gradio==(\S+)", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert version
    assert pinned
    assert version.group(1) == pinned.group(1)
