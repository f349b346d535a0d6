"""Prompts for new concepts need feasibility, four phrases and a sentence that names them all."""

import json
from pathlib import Path

import pytest

from hallascope.data.concepts import TASKS, ConceptRef, FactualTask
from hallascope.data.records import Domain, Picture
from hallascope.data.requests import Answer, Failure, Reply, Write
from hallascope.metrics.factualbench.prompt_synthesis import (
    TAKES,
    PromptCandidate,
    Proposal,
    make,
    proposals,
)
from hallascope.metrics.factualbench.prompt_synthesis_replies import (
    FEASIBLE_SCHEMA,
    read_feasible,
)
from hallascope.metrics.replies.written_prompts import SCHEMA as PROMPT_SCHEMA
from hallascope.metrics.replies.written_prompts import read_written_prompt

PICTURE = Picture("ab" * 32, Path("beagle.jpg"))


def ref(name: str, domain: Domain, definition: str = "") -> ConceptRef:
    return ConceptRef(name=name, domain=domain, definition=definition, reference=PICTURE)


BEAGLE, HAT = ref("beagle_dog", "animal", "A small hound."), ref("deerstalker hat", "artifact")
TOFU, TOWER, FAIR = (
    ref("plate_of_Mapo_Tofu", "food"),
    ref("Eiffel Tower", "location"),
    ref("lantern festival", "event"),
)
ALL = (BEAGLE, HAT, TOFU, TOWER, FAIR)
ACTION = Proposal("action", (BEAGLE,))
SIZE = Proposal("size", (BEAGLE, HAT))
LOST = Failure("timeout", "The writer did not answer.")


def feasible(*phrases: object, yes: object = True) -> Answer:
    return Answer(json.dumps({"reason": "plausible", "feasible": yes, "phrases": list(phrases)}))


def prompt(text: str) -> Answer:
    return Answer(json.dumps({"prompt": text}))


def made(proposal: Proposal, *replies: Reply, draw: int = 0) -> tuple[PromptCandidate, list[Write]]:
    plan, asked = make(proposal, draw), []
    try:
        (request,) = next(plan)
        for reply in replies:
            assert isinstance(request, Write)
            asked.append(request)
            (request,) = plan.send([reply])
    except StopIteration as done:
        return done.value, asked
    raise AssertionError("the plan asks on")


def test_feasibility_is_asked_first_and_one_of_the_phrases_becomes_a_prompt() -> None:
    found, asked = made(
        ACTION,
        feasible(["chasing a ball"], ["digging a hole"]),
        prompt("A Beagle is digging a hole in a garden."),
    )
    assert [request.schema for request in asked] == [FEASIBLE_SCHEMA, PROMPT_SCHEMA]
    assert "- beagle dog (animal): A small hound." in asked[0].text
    assert "The task is: action" in asked[0].text
    assert found.prompt
    assert found.prompt.variations in [("chasing a ball",), ("digging a hole",)]
    assert found.prompt.variations[0] in asked[1].text
    assert (found.prompt.level, found.prompt.task, found.prompt.source) == (
        "SKCU",
        "action",
        "made",
    )
    assert (found.feasible, found.reason, found.problem) == (True, "plausible", "")
    assert set(found.templates) == {"factualbench_feasible", "factualbench_write"}


def test_what_is_not_feasible_is_not_written() -> None:
    found, asked = made(SIZE, feasible(yes=False))
    assert len(asked) == 1
    assert (found.prompt, found.feasible, found.reason, found.problem) == (
        None,
        False,
        "plausible",
        "",
    )


def test_of_sizes_each_concept_has_its_own_text_and_other_phrases_are_left_out() -> None:
    replies = (
        feasible(["small", "large"], ["one text"], ["", "large"]),
        prompt("A beagle and a deerstalker hat on a lawn."),
    )
    found, asked = made(SIZE, *replies)
    assert found.phrases == (("small", "large"),)
    assert found.prompt
    assert found.prompt.task_text == "beagle_dog: small; deerstalker hat: large"
    assert "beagle dog: small\ndeerstalker hat: large" in asked[1].text


def test_the_first_level_needs_no_writer() -> None:
    found, asked = made(Proposal("memorization", (HAT,)))
    assert asked == []
    assert found.prompt
    assert (found.prompt.prompt, found.prompt.level) == ("An image of deerstalker hat", "SKCM")


@pytest.mark.parametrize(
    "replies, problem",
    [
        ((LOST,), "The writer did not answer."),
        ((Answer("Well."),), "does not say whether it is feasible"),
        ((feasible(),), "no phrase that can be used"),
        ((feasible(["x"]), LOST), "The writer did not answer."),
        ((feasible(["x"]), Answer("Two\nlines")), "holds no prompt"),
        ((feasible(["x"]), prompt("A dog digs a hole.")), "does not name beagle dog"),
        ((feasible(["x"]), prompt("beagle dog " * 40)), "has 80 words"),
    ],
)
def test_what_goes_wrong_is_a_sentence_and_no_prompt(
    replies: tuple[Reply, ...], problem: str
) -> None:
    found, _ = made(ACTION, *replies)
    assert found.prompt is None
    assert problem in found.problem


@pytest.mark.parametrize("task", TASKS)
def test_a_task_takes_the_concepts_that_the_paper_gives_it(task: FactualTask) -> None:
    found = proposals(ALL, task, 4, seed=1)
    assert found == proposals(ALL, task, 4, seed=1)
    assert found
    assert len({frozenset(concept.name for concept in one.concepts) for one in found}) == len(found)
    for one in found:
        front = [
            concept
            for concept in one.concepts
            if concept is not TOWER or task in ("memorization", "scene")
        ]
        assert len(front) == (
            2 if task in ("size", "differentiating", "interaction", "background") else 1
        )
        assert task == "memorization" or all(concept.domain in TAKES[task] for concept in front)
    behind = [TOWER in one.concepts for one in found]
    assert task != "background" or all(behind)
    assert task != "interaction" or (any(behind) and not all(behind))


def written(feasible: object, *phrases: object) -> str:
    return json.dumps({"reason": "They differ.", "feasible": feasible, "phrases": list(phrases)})


def test_a_phrase_counts_once_only_with_as_many_texts_as_wanted_and_at_most_four_do() -> None:
    phrases = ["jumping", ["jumping"], ["small", "large"], [""], [3], ["a"], ["b"], ["c"], ["d"]]
    reply = read_feasible(written(True, *phrases))
    assert reply.phrases == (("jumping",), ("a",), ("b",), ("c",))
    assert read_feasible(written(True, *phrases), 2).phrases == (("small", "large"),)


@pytest.mark.parametrize(
    "text, prompt",
    [
        ('{"prompt": "A beagle digs."}', "A beagle digs."),
        ('{"prompt": " “A beagle digs.” "}', "A beagle digs."),
        ('{"prompt": "A beagle digs."} {"prompt": "A beagle digs."}', "A beagle digs."),
        ('{"prompt": "A beagle digs."} {"prompt": "A fox digs."}', ""),
        ('{"prompt": ["A beagle digs."]}', ""),
        ("A beagle digs.", "A beagle digs."),
        ("```\nA beagle digs.\n```", "A beagle digs."),
        ('Prompt: "A beagle digs."', "A beagle digs."),
        ("", ""),
    ],
)
def test_a_prompt_is_read_where_there_is_exactly_one(text: str, prompt: str) -> None:
    assert read_written_prompt(text) == prompt
