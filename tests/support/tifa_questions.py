"""The questions on the methane example of I-HallA's appendix D, as writers reply with them."""

from hallascope.data.records import Question
from hallascope.metrics.tifa.replies import ORIGIN

# Paper, appendix D: two elements, and for the first the two questions of the paper.
ELEMENTS = {
    "elements": [
        {
            "element": "molecule",
            "kind": "existence",
            "yes_no": "Is there a molecule in the image?",
            "question": "What is this?",
            "choices": ["atom", "molecule", "ion", "compound"],
        },
        {
            "element": "methane",
            "kind": "existence",
            "yes_no": "Is this methane?",
            "question": "What molecule is this?",
            "choices": ["water", "ammonia", "methane", "ethane"],
        },
    ]
}
METHANE = (
    Question(
        text="Is there a molecule in the image?",
        choices=("Yes", "No"),
        gold="A",
        coi="existence",
        origin=ORIGIN,
    ),
    Question(
        text="What is this?",
        choices=("atom", "molecule", "ion", "compound"),
        gold="B",
        coi="existence",
        origin=ORIGIN,
    ),
    Question(
        text="Is this methane?",
        choices=("Yes", "No"),
        gold="A",
        coi="existence",
        origin=ORIGIN,
    ),
    Question(
        text="What molecule is this?",
        choices=("water", "ammonia", "methane", "ethane"),
        gold="C",
        coi="existence",
        origin=ORIGIN,
    ),
)
# The same as Hu et al. have it written.
TEXT = """Entities: molecule, methane
About molecule (object):
Q: Is there a molecule in the image?
Choices: yes, no
A: yes
Q: What is this?
Choices: atom, molecule, ion, compound
A: molecule
About methane (object):
Q: Is this methane?
Choices: yes, no
A: yes
Q: What molecule is this?
Choices: water, ammonia, methane, ethane
A: methane"""
