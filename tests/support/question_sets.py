"""Examples of sets of questions, and any set that can stand."""

from hypothesis import strategies as st

from hallascope.data.files.questions import tidy_set
from hallascope.data.files.tidy import line
from hallascope.data.records import (
    COIS,
    DOMAINS,
    LETTERS,
    NONE_OF_THE_ABOVE,
    Category,
    Provenance,
    Question,
    QuestionSet,
)

CHOICES = ("Two", "Three", "Four", "Five", NONE_OF_THE_ABOVE)


ATOMS = Question(
    text="How many hydrogen atoms are in the image?",
    choices=CHOICES,
    gold="C",
    coi="counting",
    regions=("hydrogen atom",),
    origin="made by openai/gpt-4o, edited",
)


SHAPE = Question(
    text="What shape is it?",
    choices=("Linear", "Tetrahedral", "Planar", "Octahedral", NONE_OF_THE_ABOVE),
    gold="B",
    coi="shape",
)


MADE = Provenance(
    judge="openai/gpt-4o",
    writer="openai/gpt-4o",
    reasoning="Visual evidence: four.\n\nContextual.",
    templates={"reason": "0123"},
    difficulty={"ab": "easy"},
    made="2026-07-01",
)


METHANE = QuestionSet(
    prompt="A molecule of methane.",
    questions=(ATOMS, SHAPE),
    category=Category.PHYSICS,
    domain="artifact",
    source="made",
    provenance=MADE,
)


WATER = QuestionSet(prompt="water", questions=(ATOMS,), source="made")


texts = st.text(max_size=40) | st.sampled_from(
    [
        "=1+1",
        "+49",
        "-3",
        "@here",
        "'quoted",
        "#N/A!",
        "_x000D_",
        "_x005F_x000D_",
        "a\nb",
        "A) Red",
        "tab\there",
        "\x00\x07",
        "\ufffe",
        "🦋 a",
    ]
)


# The texts that are left out cannot stand as a prompt or a choice.
said = texts.filter(lambda text: line(text) not in ("", "#N/A!"))


levels = st.sampled_from(["easy", "medium", "hard"])


questions = st.builds(
    Question,
    text=texts.map(lambda text: f"{text} ?"),
    choices=st.lists(
        said, min_size=4, max_size=4, unique_by=lambda text: line(text).casefold()
    ).map(lambda four: (*four, NONE_OF_THE_ABOVE)),
    gold=st.sampled_from(LETTERS),
    coi=st.sampled_from(COIS),
    regions=st.lists(texts, max_size=2).map(tuple),
    origin=texts,
)


provenances = st.builds(
    Provenance,
    judge=texts,
    writer=texts,
    reasoning=texts | texts.map(lambda text: f"{text}. \n" * 999),
    templates=st.dictionaries(texts, texts, max_size=2),
    difficulty=st.dictionaries(texts, levels, max_size=2),
    made=texts,
)


sets = st.builds(
    QuestionSet,
    prompt=said,
    questions=st.lists(
        questions, min_size=1, max_size=6, unique_by=lambda question: line(question.text)
    ).map(tuple),
    category=st.none() | st.sampled_from(Category),
    domain=st.none() | st.sampled_from(DOMAINS),
    source=st.sampled_from(["made", "file", "primer"]),
    provenance=st.none() | provenances,
)


def stands(found: QuestionSet) -> bool:
    try:
        tidy_set(found)
    except ValueError:
        return False
    return True
