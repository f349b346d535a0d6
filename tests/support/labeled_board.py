"""Fills a store with answers about images of six models, in which a simulated judge overlooks
errors that simulated people see: something to correct.
"""

import random
from collections.abc import Mapping

from hallascope.data.records import COIS, State
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, RatingSubject
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep

PROMPTS, LABELED = 100, 40
# the share of facts that a model draws right
MODELS: Mapping[str, float] = {
    "example/melon": 0.9,
    "example/arnica": 0.8,
    "example/lily": 0.68,
    "example/azalea": 0.6,
    "example/damson": 0.5,
    "example/almond": 0.4,
}
FOUND = 0.6  # of wrong facts the judge calls wrong
SLIPS = 0.03  # of their answers, right or wrong, judge and people get wrong by chance
RUN = "r"


def fill(store: Store, prompts: int = PROMPTS, labeled: int = LABELED) -> None:
    """Keep the judge's answers of all prompts, and those of people of the first ones."""
    chance = random.Random(7)
    ratings: dict[RatingSubject, str] = {}
    for number in range(prompts):
        easier = chance.gauss(0, 0.1)
        for model, share in MODELS.items():
            truth = [chance.random() < share + easier for _ in COIS]
            said = Said(f"prompt {number}", model, [_judge(chance, fact) for fact in truth])
            keep(store, said)
            if number < labeled:
                ratings |= {
                    _subject(said, question): _person(chance, fact)
                    for question, fact in enumerate(truth)
                }
    store.ratings.keep_values(ratings)


def _judge(chance: random.Random, fact: bool) -> State:
    finds = chance.random() < (1 - SLIPS if fact else FOUND)
    return "correct" if finds == fact else "incorrect"


def _person(chance: random.Random, fact: bool) -> str:
    """Return a person's answer; "Yes" is the expected one of every question of such a store."""
    return "Yes" if fact != (chance.random() < SLIPS) else "No"


def _subject(said: Said, question: int) -> RatingSubject:
    finding = f"{QUESTION}{question}?"
    return RatingSubject(said.image, IHALLA, said.prompt, finding, rater="Ann")
