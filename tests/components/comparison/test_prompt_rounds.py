"""The strip of rounds marks what a prompt gained and lost, and nothing in it becomes a tag."""

import re

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from hallascope.components.comparison.prompt_rounds import (
    PromptRound,
    prompt_difference,
    prompt_rounds,
)


def text_of(html: Markup, without: str) -> str:
    """The text of some HTML without the elements of a name."""
    return Markup(re.sub(rf"<{without}>.*?</{without}>", "", str(html), flags=re.S)).striptags()


def test_new_words_are_marked_and_lost_ones_are_struck_out() -> None:
    html = prompt_difference("a red fox runs", "a red fox with two ears")
    assert html == "a red fox <del>runs</del><ins>with two ears</ins>"
    assert prompt_difference("", "a fox") == "a fox"


@given(
    st.lists(st.sampled_from(["a", "<b>", "fox", "&"]), min_size=1, max_size=8),
    st.lists(st.sampled_from(["a", "<b>", "fox", "&"]), min_size=1, max_size=8),
)
def test_both_prompts_can_be_read_off_the_difference(before: list[str], after: list[str]) -> None:
    html = prompt_difference(" ".join(before), " ".join(after))
    assert text_of(html, "del").split() == after
    assert text_of(html, "ins").split() == before
    assert "<b>" not in html


def test_a_round_shows_its_score_its_failure_and_what_is_wrong() -> None:
    rounds = [
        PromptRound(
            number=0,
            prompt="a fox",
            before="",
            path=None,
            score="score 0.40 (5 questions)",
            wrong=("How many <i>legs</i>?",),
        ),
        PromptRound(
            number=1,
            prompt="a fox. Facts: four",
            before="a fox",
            path=None,
            score="no score",
            failure="The judge did not answer.",
        ),
    ]
    html = prompt_rounds(rounds)
    assert html.count('class="prompt-round"') == 2
    for words in ("First prompt", "Round 1", "score 0.40", "1 answered wrongly", "did not answer"):
        assert words in html
    assert "How many &lt;i&gt;legs&lt;/i&gt;?" in html
    assert prompt_rounds(()) == Markup('<div class="prompt-rounds none"></div>')
