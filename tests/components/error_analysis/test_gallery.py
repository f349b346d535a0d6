"""The gallery is a list box with a name, its keys in words, and an icon for every answer."""

import json

from hallascope.components.error_analysis.gallery import gallery, sign_icons
from hallascope.components.html.signs import SIGNS


def test_there_is_an_icon_for_every_kind_of_answer() -> None:
    assert set(json.loads(sign_icons())) == {sign.kind for sign in SIGNS.values()}


def test_the_list_is_named_by_the_title_and_described_by_its_keys() -> None:
    body = str(gallery((), "some-gallery").props["body"])
    for name in ("some-gallery-title", "some-gallery-keys"):
        assert f'id="{name}"' in body
    assert 'role="listbox"' in body
    assert 'aria-labelledby="some-gallery-title"' in body
    assert 'aria-describedby="some-gallery-keys"' in body
    assert 'data-evidence="some-gallery-evidence"' in body
