"""Answers a question from the triples about its things (paper, equations 1 and 2).

It uses nothing else and knows no picture.

Our reading: one thing of the type that satisfies what is asked is enough, as the paper scores it
(section 4.1); where the prompt says how many, so many must, unless none of the others is plainly
otherwise.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from hallascope.data.graphs import AnswerValue, Graph, Triple
from hallascope.metrics.parsing.language import spelled
from hallascope.metrics.parsing.positions import INVERSE, words
from hallascope.metrics.scene_graph.attributes import kind, meets
from hallascope.metrics.scene_graph.matching import Matches
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph
from hallascope.metrics.scene_graph.questions import SceneQuestion
from hallascope.metrics.scene_graph.relations import FROM_BOXES
from hallascope.metrics.scene_graph.relations import meets as meets_relation

IS_A = "is a"
IS = "is"
IS_NOT = "is not"
MOST_SEEN = 2  # relations that are told in place of the one that was asked
UnseenKeys = Collection[
    tuple[str, ...]
]  # what of which nodes could not be looked at: (node, kind of attribute), (node, node, relation)


class RecalledTriples(NamedTuple):
    """Holds the triples that answer a question, and the seen nodes for each of its asked ones."""

    triples: tuple[Triple, ...]
    groups: tuple[frozenset[str], ...]


class TripleAnswer(NamedTuple):
    """An answer with what is seen in place of what was asked.

    `lost`: it could be otherwise, as something was not looked at.
    """

    answer: AnswerValue
    seen: str = ""
    lost: bool = False


def triples(seen: Graph) -> tuple[Triple, ...]:
    """Everything that a graph says, in words.

    Things of one name are numbered: ("circle 1", "is", "red").
    """
    names = titles(seen)
    found = [Triple(names[node.name], IS_A, node.label, (node.name,)) for node in seen.nodes]
    for node in seen.nodes:
        for attribute in node.attributes:
            denied = attribute.value.startswith("not ")
            found.append(
                Triple(
                    names[node.name],
                    IS_NOT if denied else IS,
                    attribute.value.removeprefix("not "),
                    (node.name,),
                )
            )
    ends = [((edge.source, edge.target), edge) for edge in seen.edges]
    return (
        *found,
        *(
            Triple(names[one], edge.relation, names[other], (one, other), edge.name)
            for (one, other), edge in ends
        ),
    )


def titles(seen: Graph) -> Mapping[str, str]:
    """What each node is called in words, with its number among those of its name."""
    counts: dict[str, int] = {}
    found = {}
    for node in seen.nodes:
        counts[node.label] = counts.get(node.label, 0) + 1
        found[node.name] = f"{node.label} {counts[node.label]}"
    return found


def recall(
    question: SceneQuestion,
    matched: Matches,
    known: Sequence[Triple],
    twins: Mapping[str, tuple[str, ...]],
) -> RecalledTriples:
    """The memory of a question: what its things are, then what bears on what is asked."""
    alike = twins if question.kind == "relation" else {}
    groups = tuple(frozenset(_candidates(name, matched, alike)) for name in question.nodes)
    about = [
        triple
        for triple in known
        if triple.predicate == IS_A and any(triple.nodes[0] in group for group in groups)
    ]
    if question.kind == "attribute":
        about += [
            triple
            for triple in known
            if triple.predicate in (IS, IS_NOT) and triple.nodes[0] in groups[0]
        ]
    if question.kind == "relation":
        about += [
            triple
            for triple in known
            if _is_between(triple, *groups) or _is_between(triple, *groups[::-1])
        ]
    return RecalledTriples(tuple(about), groups)


def _is_between(triple: Triple, one: frozenset[str], other: frozenset[str]) -> bool:
    return len(triple.nodes) == 2 and triple.nodes[0] in one and triple.nodes[1] in other


def twins(asked: PromptGraph) -> Mapping[str, tuple[str, ...]]:
    """Return for each asked node those of its name and attributes.

    Of "a dog left of a dog" either may be the one.
    """
    same = {
        node.name: tuple(
            other.name
            for other in asked.graph.nodes
            if other.label == node.label
            and [a.value for a in other.attributes] == [a.value for a in node.attributes]
        )
        for node in asked.graph.nodes
    }
    return {name: others for name, others in same.items() if len(others) > 1}


def _candidates(name: str, matched: Matches, alike: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [one for other in alike.get(name, (name,)) for one in matched.get(other, ())]


def answer(
    question: SceneQuestion, asked: PromptGraph, recalled: RecalledTriples, lost: UnseenKeys = ()
) -> TripleAnswer:
    """Return the answer that a memory gives, "unknown" where it is silent, and what it says.

    It says that instead of what was asked.
    """
    things = {triple.nodes[0]: triple for triple in recalled.triples if triple.predicate == IS_A}
    if question.kind == "existence":
        return TripleAnswer(
            "yes" if things else "no", next((triple.object for triple in things.values()), "")
        )
    if not all(recalled.groups):
        return TripleAnswer("unknown")
    phrase = asked.phrase(question.nodes[0])
    if question.kind == "number":
        return TripleAnswer("yes" if len(things) == phrase.number else "no", spelled(len(things)))
    if question.kind == "attribute":
        return _attribute(question, phrase.number or 1, list(things), recalled.triples, lost)
    return _relation(question, recalled, lost)


def _attribute(
    question: SceneQuestion,
    need: int,
    things: Sequence[str],
    recalled: Sequence[Triple],
    lost: UnseenKeys,
) -> TripleAnswer:
    """Met by so many as are needed, or by any where no other is plainly otherwise."""
    said = {
        thing: [t for t in recalled if t.predicate in (IS, IS_NOT) and t.nodes[0] == thing]
        for thing in things
    }
    met = [
        thing
        for thing in things
        if any(t.predicate == IS and meets(question.value, t.object) for t in said[thing])
    ]
    other = {
        thing: [_worded(t) for t in said[thing] if _bears(question, t)]
        for thing in things
        if thing not in met
    }
    contrary = [thing for thing in other if other[thing]]
    if met and (len(met) >= need or not contrary):
        return TripleAnswer("yes", question.value)
    seen = " and ".join(
        dict.fromkeys(
            [question.value] * bool(met) + [value for thing in contrary for value in other[thing]]
        )
    )
    unlooked = any(
        (thing, of) in lost
        for thing in other
        if not other[thing]
        for of in (question.of, question.value)
    )
    return TripleAnswer("unknown" if unlooked or not contrary else "no", seen, unlooked)


def _worded(triple: Triple) -> str:
    return f"not {triple.object}" if triple.predicate == IS_NOT else triple.object


def _bears(question: SceneQuestion, triple: Triple) -> bool:
    """Whether a triple says something of the kind that is asked about."""
    if triple.predicate == IS_NOT:
        return meets(question.value, triple.object)
    return kind(triple.object) == question.of and question.of != "state"


def _relation(question: SceneQuestion, recalled: RecalledTriples, lost: UnseenKeys) -> TripleAnswer:
    """Said of any of the first things and any of the second, either way round."""
    one, other = recalled.groups
    said = [triple.predicate for triple in recalled.triples if _is_between(triple, one, other)]
    back = [triple.predicate for triple in recalled.triples if _is_between(triple, other, one)]
    known = [*said, *filter(None, map(INVERSE.get, back))]
    met = [each for each in known if meets_relation(question.value, each)]
    if met:  # what was observed, which may be kin to what was asked
        return TripleAnswer("yes", words(question.value if question.value in met else met[0]))
    alike = [each for each in known if (each in FROM_BOXES) == (question.value in FROM_BOXES)]
    seen = " and ".join(words(each) for each, _ in Counter(alike).most_common(MOST_SEEN))
    unlooked = any(
        len(key) == 3 and key[0] in one and key[1] in other and key[2] == question.value
        for key in lost
    )
    return TripleAnswer("unknown" if unlooked else "no", seen, unlooked)
