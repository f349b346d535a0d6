"""What a link shows elsewhere is our title, sentence and picture, by whole addresses, and nothing
of Gradio's.
"""

import io
import re
from html import unescape
from urllib.parse import quote

import httpx
import numpy as np
from PIL import Image, ImageChops

from hallascope.components.html.link_tags import (
    ADDRESS,
    DESCRIPTION,
    ICON,
    LABELING,
    SIZE,
)
from hallascope.components.html.scripts import policy_hash
from tests.support.tiles import EVIL


def metas(html: str) -> list[tuple[str, str]]:
    return re.findall(
        r'<meta\s+(?:property|name)="((?:og|twitter):[^"]+)"\s+content="([^"]*)"', html
    )


def test_the_first_page_says_what_the_app_is_once_and_nothing_of_gradio(address: str) -> None:
    html = httpx.get(address, timeout=60).text
    found = metas(html)
    assert len(found) == len(dict(found))
    said = dict(found)
    assert said["og:title"] == "HallaScope · Find what AI-generated images get wrong"
    assert said["og:description"] == DESCRIPTION
    assert said["og:image"] == f"{address.rstrip('/')}{ADDRESS}"
    assert "Gradio" not in "".join(said.values())
    assert "<title>HallaScope</title>" in html


def test_the_icon_and_the_picture_are_ours(address: str) -> None:
    for page in ("", "label"):
        html = httpx.get(f"{address}{page}", timeout=60).text
        (icon,) = re.findall(r'<link rel="icon"[^>]* href="([^"]+)"', html)
        with (
            Image.open(ICON) as ours,
            Image.open(io.BytesIO(httpx.get(icon, timeout=60).content)) as found,
        ):
            small = [each.convert("RGB").resize((16, 16)) for each in (ours, found)]
        assert np.asarray(ImageChops.difference(*small)).max() < 40
    said = dict(metas(httpx.get(address, timeout=60).text))
    reply = httpx.get(said["og:image"], timeout=60)
    assert reply.headers["content-type"] == "image/png"
    with Image.open(io.BytesIO(reply.content)) as picture:
        assert picture.size == SIZE == (int(said["og:image:width"]), int(said["og:image:height"]))


def test_behind_a_named_proxy_the_addresses_are_those_of_the_visitor(address: str) -> None:
    sent = {"x-forwarded-proto": "https"}
    said = dict(metas(httpx.get(address, headers=sent, timeout=60).text))
    assert said["og:image"] == f"https{address.removeprefix('http').rstrip('/')}{ADDRESS}"


def test_a_page_runs_its_own_scripts_and_no_others(address: str) -> None:
    for page in ("", "label", "?share=unknown"):
        reply = httpx.get(f"{address}{page}", timeout=60)
        scripts, frames = reply.headers.get_list("content-security-policy")
        assert frames == "frame-ancestors 'self'"
        (allowed,) = re.findall("script-src ([^;]+);", scripts)
        assert "unsafe-inline" not in allowed
        inline = re.findall(r"<script(?: data-[a-z-]+)?>(.*?)</script>", reply.text, re.DOTALL)
        assert len(inline) == 5
        for script in inline:
            assert policy_hash(script) in allowed
        assert policy_hash(EVIL) not in allowed


# --- the page of raters ---


def test_a_link_for_raters_shows_nothing_but_that_there_are_images_to_label(address: str) -> None:
    query = "plan=0123456789ab&key=aB-9_"
    html = httpx.get(f"{address}label?{query}", timeout=60).text
    found = metas(html)
    assert len(found) == len(dict(found))
    said = dict(found)
    assert said["og:title"] == "Label images · HallaScope"
    assert said["og:description"] == LABELING.description
    assert unescape(said["og:url"]) == f"{address.rstrip('/')}/label?{query}"
    picture = httpx.get(said["og:image"], timeout=60)
    assert picture.content == LABELING.picture.read_bytes()
    with Image.open(io.BytesIO(picture.content)) as drawn:
        assert drawn.size == SIZE
    head = html.split("</head>")[0]
    for word in (DESCRIPTION, "penguin", "judge", "model"):
        assert not re.search(rf'content="[^"]*{word}', head)


def test_a_link_for_raters_repeats_nothing_but_the_id_of_a_plan_and_its_key(address: str) -> None:
    for query in (f"plan={quote(EVIL)}", "plan=first%20study", "key=aB-9_", "deep_link=x", ""):
        said = dict(metas(httpx.get(f"{address}label?{query}", timeout=60).text))
        assert said["og:url"] == f"{address.rstrip('/')}/label"
    said = dict(metas(httpx.get(f"{address}label?plan=1&key={quote(EVIL)}", timeout=60).text))
    assert said["og:url"] == f"{address.rstrip('/')}/label?plan=1"
