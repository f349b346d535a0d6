"""A link to a page shows its title, and a picture where a server has one."""

import base64
import io

import pytest
from PIL import Image

from hallascope.components.html.link_tags import icon_address, link_tags
from tests.support.tiles import EVIL, no_markup_of


def test_a_page_without_a_server_names_no_picture() -> None:
    assert "og:image" not in link_tags("a ladybug", None)
    assert 'content="a ladybug · HallaScope"' in link_tags("a ladybug", None)


@pytest.mark.parametrize("root", [EVIL, None])
def test_nothing_that_comes_from_outside_is_markup(root: str | None) -> None:
    assert no_markup_of(EVIL, link_tags(EVIL, root))


def test_the_icon_is_in_its_address() -> None:
    kind, _, data = icon_address().partition(",")
    assert kind == "data:image/png;base64"
    with Image.open(io.BytesIO(base64.b64decode(data))) as icon:
        assert icon.size == (64, 64)
