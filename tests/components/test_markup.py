"""HTML is only ever a `Markup`, so that no text can become a tag; the look can be read and fetches
nothing.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from hallascope.components.html import gradio_html, markup, scripts
from hallascope.components.html.markup import tag
from hallascope.components.theme import gradio_theme
from hallascope.components.theme import look as looks


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text_comes_back_from_content_and_attribute(text: str) -> None:
    found = re.fullmatch('<b title="([^"]*)">([^<>]*)</b>', tag("b", text, title=text), re.DOTALL)
    assert found
    assert [unescape(part) for part in found.groups()] == [text, text]


def test_code_that_would_end_its_element_is_refused() -> None:
    with pytest.raises(ValueError, match="must not contain its end"):
        markup.raw_element("script", 'x = "</SCRIPT>"')


def test_files_have_other_addresses_within_the_block_alone() -> None:
    with markup.file_urls(lambda path: f"images/{path.name}"):
        assert markup.file_url(Path("/a/b.png")) == "images/b.png"
    assert markup.file_url(Path("/a/b c.png")) == "gradio_api/file=/a/b%20c.png"
    for folder, digits in (("0a", 62), ("redrawn", 64)):
        name = "b" * digits
        address = markup.file_url(Path(f"/home/images/{folder}/{name}.webp"))
        assert address == f"images/{folder}/{name}.webp"


ROOT = Path(__file__).parents[2]


SOURCES = sorted(
    path
    for part in ("components", "pages", "hallascope/results.py", "app.py")
    for path in ([ROOT / part] if part.endswith(".py") else (ROOT / part).rglob("*.py"))
)


BUILDERS = ROOT / "components" / "html" / "markup.py"  # where strings become HTML, escaped


TAG = re.compile(r"</?[a-z][a-z0-9]*[\s/>]|<!doctype", re.IGNORECASE)


PATTERNS = ("compile",)  # functions whose strings are searched for, not shown


def faults(source: str) -> Iterator[str]:
    """Yield what in the source builds HTML as a plain string, with its line."""
    tree = ast.parse(source)
    allowed = {id(node) for node in _docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in ("Markup", *PATTERNS):
            for argument in node.args:
                if isinstance(argument, ast.Constant):
                    allowed.add(id(argument))
                elif _called(node) == "Markup":
                    yield f"line {node.lineno}: Markup of what is no constant"
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in allowed:
            continue
        if isinstance(node.value, str) and TAG.search(node.value):
            yield f"line {node.lineno}: a tag in a plain string"


def _docstrings(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def _called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def test_what_a_template_would_read_as_its_own_is_written_as_entities() -> None:
    body = Markup("<p>${body} {{x}} `\\ @children</p>")
    component = gradio_html.input_html("labels/labeling", body, {"at": 1})
    assert not set("${`\\@") & set(component.html_template)
    assert unescape(component.html_template) == body
    assert component.value == {"at": 1}


OFFLINE = (
    "pages/site/site.js",
    "pages/learn/lesson.js",
    "components/learn/live/pupil.js",
    "components/learn/live/projector.js",
)


@pytest.mark.parametrize("name", OFFLINE)
def test_the_modules_of_a_page_without_a_server_are_one_script(name: str, tmp_path: Path) -> None:
    joined = scripts.join_modules(ROOT / name)
    assert not re.search(r"</script|<!--", joined, re.IGNORECASE)
    assert not re.search(r"^(import|export) ", joined, re.MULTILINE)
    script = tmp_path / "joined.js"
    script.write_text(joined, "utf-8")
    node = Path(sys.executable).parent / "node"
    subprocess.run([str(node), "--check", str(script)], check=True, capture_output=True)


PAIRS = [
    (words, ground)
    for words in ("ink", "soft", "accent", "correct", "incorrect", "left-out")
    for ground in ("paper", "card")
]


PAIRS += [
    ("soft", "quiet"),
    *((name, f"{name}-wash") for name in ("accent", "correct", "incorrect", "left-out")),
]


def brightness(color: str) -> float:
    """Return the relative luminance (WCAG 2.2)."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    low, high = sorted((brightness(first), brightness(second)))
    return (high + 0.05) / (low + 0.05)


def test_both_looks_have_the_same_tokens() -> None:
    assert looks.LIGHT.keys() == looks.DARK.keys()


def test_every_token_that_the_style_sheet_uses_exists() -> None:
    used, own = (
        set(re.findall(pattern, looks.sheets()))
        for pattern in (r"var\(--([a-z-]+)\)", r"[{;\s]--([a-z-]+):")
    )
    assert used <= set(looks.LIGHT) | own, (
        "some, such as mark and tint, are set by the style sheet itself"
    )
    assert not own & set(looks.LIGHT), "none of them takes the name of a token"


def test_nothing_is_fetched_from_elsewhere_and_nothing_shines() -> None:
    options = gradio_theme.launch_options()
    modules = [file.read_text("utf-8") for file in (ROOT / "components").rglob("*.js")]
    scripts_of_page = [re.sub(r"/\*\*? @import .*?\*/", "", module) for module in modules]
    for words in (options["css"], options["head"], *scripts_of_page):
        # the name of a format is no address
        said = words.replace("xmlns='http://www.w3.org/2000/svg'", "")
        assert not re.search(r"https?://|@import|gradient\(|box-shadow: (?!none)", said)
    assert options["theme"]._stylesheets == []


def test_no_plain_string_holds_a_tag() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {fault}"
        for path in SOURCES
        if path != BUILDERS
        for fault in faults(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_html_of_plain_strings_is_found_and_what_is_escaped_passes() -> None:
    wrong = (
        'html = f"<b>{name}</b>"',
        'html = "<b>" + name + "</b>"',
        'html = "".join(["<li>", name])',
        'html = Markup(f"<b>{name}</b>")',
        "html = Markup(name)",
        'html = "{}</p>".format(name)',
    )
    right = (
        'html = Markup("<b>{}</b>").format(name)',
        'html = tag("b", name)',
        'words = f"{a} < {b}, p <0.001"',
        'pattern = re.compile(r"<b>(.*?)</b>")',
    )
    assert [line for line in (*wrong, *right) if list(faults(line))] == list(wrong)


def test_text_has_the_contrast_of_level_aa_by_day_and_by_night() -> None:
    low = [
        (name, words, ground)
        for name, look in (("light", looks.LIGHT), ("dark", looks.DARK))
        for words, ground in PAIRS
        if contrast(look[words], look[ground]) < 4.5
    ]
    assert low == []
    for look in (looks.LIGHT, looks.DARK):
        assert contrast("#ffffff", look["button"]) >= 4.5
