"""What models take is a table that can be read without its head, and a sentence beneath it."""

from hallascope.components.models.quotes import (
    CandidateView,
    DownloadRow,
    candidate_card,
    offers,
)
from tests.support.tiles import EVIL, no_markup_of

ROW = DownloadRow(
    name="sd-turbo", roles="generator", size="2.6 GB", memory="4 GB", license="Stability"
)


def test_every_cell_names_its_column_for_narrow_screens() -> None:
    html = offers([ROW], "2.6 GB in all.")
    assert '<td data-label="Size">2.6 GB</td>' in html
    assert '<td data-label="Licence">Stability</td>' in html
    assert html.endswith('<p class="soft">2.6 GB in all.</p>')


def test_without_models_there_is_the_sentence_alone() -> None:
    assert offers([], "Nothing is missing.") == '<p class="soft">Nothing is missing.</p>'


def test_a_named_model_shows_its_facts_and_what_its_service_serves() -> None:
    html = candidate_card(CandidateView("owner/model", (("size", "1 GB"),), ("small", "large")))
    assert "<dt>size</dt><dd>1 GB</dd>" in html
    assert "<li>small</li><li>large</li>" in html
    assert "It names these models" not in candidate_card(CandidateView("owner/model", ()))


def test_text_from_elsewhere_stays_text() -> None:
    row = DownloadRow(
        name=EVIL, roles=EVIL, size=EVIL, memory=EVIL, license=EVIL, state=EVIL, reason=EVIL
    )
    assert no_markup_of(EVIL, offers([row], EVIL))
    assert no_markup_of(EVIL, candidate_card(CandidateView(EVIL, ((EVIL, EVIL),), (EVIL,))))
