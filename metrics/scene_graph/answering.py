"""Answers a question from the triples about its things alone (paper, equations 1 and 2).

One thing of the type that satisfies what is asked is enough, as the paper scores it
(section 4.1); where the prompt says how many, so many must, unless none of the others is plainly
otherwise. Of several things "next to" another one is enough: they may stand in a row. What may be
missing ("no more than two cats") and is satisfies all that is asked of it.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from hallascope.data.graphs import AnswerValue, Graph, Triple
from hallascope.data.prompt_reading import MANY
from hallascope.metrics.reading.words.language import number_word
from hallascope.metrics.reading.words.relations import INVERSE, relation_words
from hallascope.metrics.scene_graph.matching import Matches
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph
from hallascope.metrics.scene_graph.questions import SceneQuestion
from hallascope.metrics.scene_graph.relations import (
    CONTACT,
    FROM_BOXES,
    MOST_JUDGED_PAIRS,
    MOST_PAIRS,
)
from hallascope.metrics.scene_graph.relations import meets as meets_relation
from hallascope.metrics.scene_graph.words.attributes import kind, meets

IS_A = "is a"
IS = "is"
IS_NOT = "is not"
MOST_OTHER = 2  # relations that are told in place of the one that was asked
# What of which nodes could not be looked at: (node, kind of attribute), (node, node, relation).
UnseenKeys = Collection[tuple[str, ...]]


@dataclass(frozen=True)
class RecalledTriples:
    """Holds the triples that answer a question, and the seen nodes for each of its asked ones."""

    triples: tuple[Triple, ...]
    groups: tuple[frozenset[str], ...]


@dataclass(frozen=True)
class TripleAnswer:
    """Holds an answer with what is observed in place of what was asked.

    `lost`: it could be otherwise, as something was not looked at.
    """

    value: AnswerValue
    observed: str = ""
    lost: bool = False


def triples(graph: Graph) -> tuple[Triple, ...]:
    """Return everything that a graph says, in words.

    Things of one name are numbered: ("circle 1", "is", "red").
    """
    names = titles(graph)
    types = [Triple(names[node.name], IS_A, node.label, (node.name,)) for node in graph.nodes]
    attributes = [
        Triple(
            names[node.name],
            IS_NOT if attribute.value.startswith("not ") else IS,
            attribute.value.removeprefix("not "),
            (node.name,),
        )
        for node in graph.nodes
        for attribute in node.attributes
    ]
    relations = [
        Triple(
            names[edge.source],
            edge.relation,
            names[edge.target],
            (edge.source, edge.target),
            edge.name,
        )
        for edge in graph.edges
    ]
    return (*types, *attributes, *relations)


def titles(graph: Graph) -> Mapping[str, str]:
    """Return what each node is called in words, with its number among those of its name."""
    counts: Counter[str] = Counter()
    names = {}
    for node in graph.nodes:
        counts[node.label] += 1
        names[node.name] = f"{node.label} {counts[node.label]}"
    return names


# --- the memory of a question


def recall(
    question: SceneQuestion,
    matched: Matches,
    known: Sequence[Triple],
    twins: Mapping[str, tuple[str, ...]],
) -> RecalledTriples:
    """Return the memory of a question: what its things are, then what bears on what is asked."""
    interchangeable = twins if question.kind == "relation" else {}
    groups = tuple(
        frozenset(
            candidate
            for twin in interchangeable.get(name, (name,))
            for candidate in matched.get(twin, ())
        )
        for name in question.nodes
    )
    things = frozenset().union(*groups)
    types = [triple for triple in known if triple.predicate == IS_A and triple.nodes[0] in things]
    details: list[Triple] = []
    if question.kind == "attribute":
        details = [
            triple
            for triple in known
            if triple.predicate in (IS, IS_NOT) and triple.nodes[0] in groups[0]
        ]
    if question.kind == "relation":
        details = [
            triple
            for triple in known
            if _is_between(triple, *groups) or _is_between(triple, *groups[::-1])
        ]
    return RecalledTriples((*types, *details), groups)


def twins(prompt: PromptGraph) -> Mapping[str, tuple[str, ...]]:
    """Return for each asked node those of its name and attributes.

    Of "a dog left of a dog" either may be the one.
    """
    names_by_look: dict[tuple[str, ...], list[str]] = {}
    for node in prompt.graph.nodes:
        look = (node.label, *(attribute.value for attribute in node.attributes))
        names_by_look.setdefault(look, []).append(node.name)
    return {
        name: tuple(names) for names in names_by_look.values() if len(names) > 1 for name in names
    }


def _is_between(triple: Triple, sources: frozenset[str], targets: frozenset[str]) -> bool:
    return len(triple.nodes) == 2 and triple.nodes[0] in sources and triple.nodes[1] in targets


def is_about(key: tuple[str, ...], question: SceneQuestion, recalled: RecalledTriples) -> bool:
    """Return whether what could not be looked at (see `UnseenKeys`) is what a question asks."""
    *names, aspect = key
    return (
        len(names) == len(recalled.groups)
        and all(name in group for name, group in zip(names, recalled.groups, strict=True))
        and aspect in (question.of, question.value)
    )


# --- the answer


def answer(
    question: SceneQuestion, prompt: PromptGraph, recalled: RecalledTriples, lost: UnseenKeys = ()
) -> TripleAnswer:
    """Return the answer that a memory gives, "unknown" where it is silent.

    With it comes what the memory says instead of what was asked.
    """
    types = {triple.nodes[0]: triple for triple in recalled.triples if triple.predicate == IS_A}
    if question.kind == "existence":
        observed = next((triple.object for triple in types.values()), "")
        return TripleAnswer("yes" if types else "no", observed)
    count = prompt.count(question.nodes[0])
    if question.kind == "number" and all(recalled.groups):
        is_met = count is not None and count.allows(len(types))
        return TripleAnswer("yes" if is_met else "no", number_word(len(types)))
    missing = [
        prompt.asked_object(name)
        for name, group in zip(question.nodes, recalled.groups, strict=True)
        if not group
    ]
    if missing:
        return TripleAnswer("yes" if all(thing.is_optional for thing in missing) else "unknown")
    needed = count.least if count and count != MANY else 1
    if question.kind == "attribute":
        return _attribute_answer(question, needed, list(types), recalled.triples, lost)
    return _relation_answer(question, needed, recalled, lost)


def _attribute_answer(
    question: SceneQuestion,
    needed: int,
    things: Sequence[str],
    recalled: Sequence[Triple],
    lost: UnseenKeys,
) -> TripleAnswer:
    """Answer yes where so many are so as are needed, or any where no other is plainly otherwise."""
    count = 0
    otherwise: list[str] = []
    unseen = False
    for thing in things:
        about = [
            triple
            for triple in recalled
            if triple.predicate in (IS, IS_NOT) and triple.nodes[0] == thing
        ]
        if any(triple.predicate == IS and meets(question.value, triple.object) for triple in about):
            count += 1
            continue
        others = [
            f"not {triple.object}" if triple.predicate == IS_NOT else triple.object
            for triple in about
            if _is_of_asked_kind(triple, question)
        ]
        otherwise += others
        if not others:
            unseen |= any((thing, key) in lost for key in (question.of, question.value))
    if count and (count >= needed or not otherwise):
        return TripleAnswer("yes", question.value)
    values = [question.value, *otherwise] if count else otherwise
    observed = " and ".join(dict.fromkeys(values))
    return TripleAnswer("unknown" if unseen or not otherwise else "no", observed, unseen)


def _is_of_asked_kind(triple: Triple, question: SceneQuestion) -> bool:
    """Return whether a triple says something of the kind that is asked about."""
    if triple.predicate == IS_NOT:
        return meets(question.value, triple.object)
    return kind(triple.object) == question.of and question.of != "state"


def _relation_answer(
    question: SceneQuestion, needed: int, recalled: RecalledTriples, lost: UnseenKeys
) -> TripleAnswer:
    """Answer yes where it holds of as many of the first things as are needed, to any second.

    What is said the other way round counts by its inverse.
    """
    sources, targets = recalled.groups
    known = [
        (triple.nodes[0], triple.predicate)
        for triple in recalled.triples
        if _is_between(triple, sources, targets)
    ]
    known += [
        (triple.nodes[1], INVERSE[triple.predicate])
        for triple in recalled.triples
        if triple.predicate in INVERSE and _is_between(triple, targets, sources)
    ]
    met = [(name, relation) for name, relation in known if meets_relation(question.value, relation)]
    standing_so = {name for name, _ in met}
    if len(standing_so) >= _least_sources(question, needed, sources, targets):
        # What was observed may be kin to what was asked.
        observed = [relation for _, relation in met]
        words = question.value if question.value in observed else observed[0]
        return TripleAnswer("yes", relation_words(words))
    is_from_box = question.value in FROM_BOXES
    comparable = Counter(
        relation
        for name, relation in known
        if name not in standing_so and (relation in FROM_BOXES) == is_from_box
    )
    others = [relation_words(relation) for relation, _ in comparable.most_common(MOST_OTHER)]
    unseen = any(is_about(key, question, recalled) for key in lost)
    if standing_so:
        number = f"{number_word(len(standing_so))} of {number_word(len(sources))}"
        others = [f"{relation_words(question.value)} ({number})", *others]
    return TripleAnswer("unknown" if unseen else "no", " and ".join(others), unseen)


def _least_sources(
    question: SceneQuestion, needed: int, sources: Collection[str], targets: Collection[str]
) -> int:
    """Return of how many things a relation must hold: of one where not every pair was looked at."""
    is_from_box = question.value in FROM_BOXES and question.value not in CONTACT
    most_pairs = MOST_PAIRS if is_from_box else MOST_JUDGED_PAIRS
    if question.value == "next to" or len(sources) * len(targets) > most_pairs:
        return 1
    return max(1, min(needed, len(sources)))
