"""Every page of a site is framed alike, links relatively, and needs no server."""

from pathlib import Path

from markupsafe import Markup

from hallascope.components.html.judge_chip import judge_chip, judge_mark
from hallascope.pages.site import frame
from hallascope.pages.site.frame import PageLink


def test_a_title_stays_text_and_a_body_stays_markup() -> None:
    html = frame.page("<b>title</b>", Markup("<p>body</p>"))
    assert "<b>title" not in html
    assert "<title>&lt;b&gt;title&lt;/b&gt;</title>" in html
    assert "<p>body</p>" in html


def test_a_page_in_a_folder_reaches_what_all_pages_share() -> None:
    html = frame.page("a cat", Markup(), 1, [PageLink("../index.html", "All results")])
    assert 'href="../assets/site.css"' in html
    assert 'src="../assets/site.js"' in html
    assert '<a href="../index.html">All results</a>' in html
    assert 'href="assets/site.css"' in frame.page("a cat", Markup())


def test_a_page_names_no_address_but_its_own() -> None:
    assert "default-src &#39;none&#39;" in frame.page("a cat", Markup())
    assert "http" not in frame.page("a cat", Markup()).replace("http-equiv", "").replace(
        "http://www.w3.org/2000/svg", ""
    )


def test_pages_before_and_after_are_linked_where_there_are_any() -> None:
    before, after = PageLink("1.html", "<one>"), PageLink("3.html", "three")
    assert frame.page_turn_links(None, None) == ""
    both = frame.page_turn_links(before, after)
    assert '<a href="1.html">← &lt;one&gt;</a>' in both
    assert '<a href="3.html">three →</a>' in both
    assert "1.html" not in frame.page_turn_links(None, after)


def test_what_only_a_server_can_do_is_left_out_and_what_a_person_said_stays() -> None:
    plain = frame.without_server(judge_chip("primer/judge"))
    assert plain.startswith(
        '<span class="judge-chip"><span class="called">primer/<wbr>judge</span>'
    )
    assert "<a" not in plain
    assert "<a" not in frame.without_server(judge_mark("primer/judge", None))
    button = '<button type="button" class="fine" aria-pressed="{}">Fine</button>'
    assert frame.without_server(Markup(button.format("false"))) == ""
    assert "a person calls this fine" in frame.without_server(Markup(button.format("true")))


def test_the_address_of_a_picture_is_that_of_its_hash() -> None:
    stored = Path("/store/images/ab/cdef.png")
    assert frame.image_address(0)(stored) == "images/abcdef.png"
    assert frame.image_address(1)(stored) == "../images/abcdef.png"


def test_the_title_of_a_space_cannot_break_its_front_matter() -> None:
    text = frame.front_matter('a "cat"\n---\nsdk: docker')
    head = text.split("---\n")[1]
    assert [line.partition(":")[0] for line in head.splitlines()] == [
        "title",
        "sdk",
        "app_file",
        "pinned",
    ]
    assert "sdk: static" in head.splitlines()
    assert 'title: "HallaScope"' in frame.front_matter("???")
