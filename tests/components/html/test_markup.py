"""What is not HTML is escaped wherever it is put in, and HTML stays as it is."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from hallascope.components.html import markup
from hallascope.components.html.markup import join, tag


def test_content_is_escaped_and_html_is_not() -> None:
    assert tag("p", "a < b & c", tag("b", "d")) == "<p>a &lt; b &amp; c<b>d</b></p>"


def test_attributes_are_named_as_in_html_and_escaped() -> None:
    html = tag("a", class_="x", data_key='"1"', aria_hidden="true", href="?a&b", name="n")
    assert html == (
        '<a class="x" data-key="&#34;1&#34;" aria-hidden="true" href="?a&amp;b" name="n"></a>'
    )


def test_an_attribute_can_stand_alone_or_be_left_out() -> None:
    assert tag("input", hidden=True, disabled=False, title=None, value="") == (
        '<input hidden value="">'
    )


def test_elements_that_hold_nothing_have_no_end() -> None:
    assert tag("img", src="a.png") == '<img src="a.png">'
    assert tag("path", d="") == '<path d=""/>'
    assert tag("span") == "<span></span>"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text_comes_back_from_content_and_attribute(text: str) -> None:
    found = re.fullmatch('<b title="([^"]*)">([^<>]*)</b>', tag("b", text, title=text), re.DOTALL)
    assert found
    assert [unescape(part) for part in found.groups()] == [text, text]


def test_join_escapes_text_alone() -> None:
    html = join("<", Markup("<br>"), 3)
    assert html == "&lt;<br>3"
    assert isinstance(html, Markup)


def test_the_code_of_a_script_is_not_escaped() -> None:
    html = markup.raw_element("script", 'if (1 < 2) "&"', id="x")
    assert html == '<script id="x">if (1 < 2) "&"</script>'


def test_code_that_would_end_its_element_is_refused() -> None:
    with pytest.raises(ValueError, match="must not contain its end"):
        markup.raw_element("script", 'x = "</SCRIPT>"')


def test_keys_are_json_in_attributes() -> None:
    attributes = markup.key_attributes(["finding=1"], ["node=2"])
    assert {name: json.loads(value) for name, value in attributes.items()} == {
        "data_keys": ["finding=1"],
        "data_under": ["node=2"],
    }
    assert "data_under" not in markup.key_attributes(["finding=1"])


def test_files_have_other_addresses_within_the_block_alone() -> None:
    with markup.file_urls(lambda path: f"images/{path.name}"):
        assert markup.file_url(Path("/a/b.png")) == "images/b.png"
    assert markup.file_url(Path("/a/b c.png")) == "gradio_api/file=/a/b%20c.png"


def test_a_share_is_the_width_of_its_bar() -> None:
    assert 'style="width:25%"' in markup.bar(0.25)
    assert 'style="width:0%"' in markup.bar(None)


def test_a_side_note_without_words_is_nothing() -> None:
    assert markup.side_note("a < b") == '<span class="about">a &lt; b</span>'
    assert markup.side_note("") == ""
