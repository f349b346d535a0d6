"""Hand-made scene graphs for tests: a picture with every kind of error, one where all is right, one
with many things.
"""

from dataclasses import replace
from pathlib import Path

from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.scene_graph.exhibit import exhibit
from hallascope.components.tiles.tile import Tile
from hallascope.data.evidence import Evidence, Finding, SegmentEvidence, State
from hallascope.data.graphs import (
    Attribute,
    Edge,
    Graph,
    GraphError,
    GraphQuestion,
    Node,
    SceneGraphs,
    Triple,
)
from hallascope.data.records import Report, Score
from hallascope.data.regions import Box, Span
from tests.support.marks import segment
from tests.support.viewer_app import disc, spans, square

PROMPT = "a red circle to the left of a blue square above a tulip, no hat"


def _spans(*words: str) -> tuple[Span, ...]:
    return spans(PROMPT, *words)


ASKED = Graph(
    (
        Node(
            name="n1",
            label="circle",
            attributes=(Attribute("color", "red", _spans("red")),),
            spans=_spans("circle"),
        ),
        Node(
            name="n2",
            label="square",
            attributes=(Attribute("color", "blue", _spans("blue")),),
            spans=_spans("square"),
        ),
        Node(name="n3", label="tulip", spans=_spans("tulip")),
        Node(name="n4", label="hat", spans=_spans("hat"), absent=True),
    ),
    (
        Edge("e1", "n1", "left of", "n2", _spans("to the left of")),
        Edge("e2", "n2", "above", "n3", _spans("above")),
    ),
)
SEEN = Graph(
    (
        Node(
            name="n1",
            label="circle",
            attributes=(Attribute("color", "green"), Attribute("texture", "smooth")),
            segment="s1",
        ),
        Node(name="n2", label="square", attributes=(Attribute("color", "blue"),), segment="s2"),
        Node(name="n3", label="circle", attributes=(Attribute("color", "grey"),), segment="s3"),
        Node(name="n4", label="star", attributes=(Attribute("color", "yellow"),), segment="s4"),
    ),
    (
        Edge("e1", "n1", "right of", "n2"),
        Edge("e2", "n2", "left of", "n1"),
        Edge("e3", "n3", "below", "n1"),
        Edge("e4", "n4", "right of", "n3"),
    ),
)
IS_GREEN = Triple("circle 1", "is", "green", ("n1",))
IS_BLUE = Triple("square 1", "is", "blue", ("n2",))
RIGHT_OF = Triple("circle 1", "right of", "square 1", ("n1", "n2"), "e1")
QUESTIONS = (
    GraphQuestion(
        text="Is there a circle?",
        kind="existence",
        wanted="yes",
        answer="yes",
        asked=("n1",),
        memory=(IS_GREEN, RIGHT_OF),
        finding=0,
    ),
    GraphQuestion(
        text="Is there a square?",
        kind="existence",
        wanted="yes",
        answer="yes",
        asked=("n2",),
        memory=(IS_BLUE, RIGHT_OF),
        finding=1,
    ),
    GraphQuestion(
        text="Is there a tulip?",
        kind="existence",
        wanted="yes",
        answer="no",
        asked=("n3",),
        memory=(),
        finding=2,
    ),
    GraphQuestion(
        text="Is the circle red?",
        kind="attribute",
        wanted="yes",
        answer="no",
        asked=("n1",),
        memory=(IS_GREEN,),
        finding=3,
        asked_value="red",
        seen_value="green",
    ),
    GraphQuestion(
        text="Is the square blue?",
        kind="attribute",
        wanted="yes",
        answer="yes",
        asked=("n2",),
        memory=(IS_BLUE,),
        finding=4,
        asked_value="blue",
        seen_value="blue",
    ),
    GraphQuestion(
        text="Is the circle left of the square?",
        kind="relation",
        wanted="yes",
        answer="no",
        asked=("n1", "n2", "e1"),
        memory=(RIGHT_OF,),
        finding=5,
        asked_value="left of",
        seen_value="right of",
    ),
    GraphQuestion(
        text="Is the square above the tulip?",
        kind="relation",
        wanted="yes",
        answer="unknown",
        asked=("n2", "n3", "e2"),
        memory=(),
        finding=6,
        asked_value="above",
        seen_value="",
    ),
    GraphQuestion(
        text="Is there a hat?",
        kind="existence",
        wanted="no",
        answer="no",
        asked=("n4",),
        memory=(),
        finding=7,
    ),
)
ERRORS = (
    GraphError(
        type="attribute",
        subject="circle",
        asked="red",
        seen="green",
        asked_in=("n1",),
        seen_in=("n1",),
        finding=3,
    ),
    GraphError(
        type="relation",
        subject="circle",
        asked="circle left of the square",
        seen="right of",
        asked_in=("e1",),
        seen_in=("e1",),
        finding=5,
    ),
    GraphError(
        type="omission",
        subject="tulip",
        asked="tulip",
        seen="",
        asked_in=("n3",),
        seen_in=(),
        finding=2,
    ),
    GraphError(
        type="extraneous",
        subject="star",
        asked="",
        seen="star",
        asked_in=(),
        seen_in=("n4",),
        finding=8,
    ),
)


def graphs() -> SceneGraphs:
    """One attribute wrong, one relation wrong, one thing missing, one that nobody asked for.

    One that must not be there is not.
    """
    sentence = "One or two things are missing or stand wrongly to each other."
    return SceneGraphs(
        asked=ASKED,
        seen=SEEN,
        matches=(("n1", "n1"), ("n2", "n2"), ("e1", "e1")),
        questions=QUESTIONS,
        errors=ERRORS,
        grade=3,
        sentence=sentence,
    )


def evidence() -> Evidence:
    segments = (
        segment("s1", "circle", disc(0.72, 0.3, 0.15)),
        segment("s2", "square", square(0.28, 0.35, 0.13)),
        segment("s3", "circle", disc(0.66, 0.74, 0.1)),
        segment("s4", "star", disc(0.88, 0.82, 0.07)),
    )
    return Evidence(
        segments=segments,
        findings=findings(),
        phrases=("circle", "square", "tulip", "hat"),
        notes=("The judge gave no texture of the square.",),
        graphs=graphs(),
    )


def findings() -> tuple[Finding, ...]:
    """One for each question, and one for what nobody asked for."""

    def told(
        kind: str, asked: str, seen: str, state: State, words: tuple[str, ...], *about: str
    ) -> Finding:
        return Finding(
            kind=kind,
            expected=asked,
            observed=seen,
            state=state,
            prompt_spans=_spans(*words),
            segments=about,
        )

    return (
        told("object", "circle", "circle", "correct", ("circle",), "s1", "s3"),
        told("object", "square", "square", "correct", ("square",), "s2"),
        told("object", "tulip", "", "incorrect", ("tulip",)),
        told("attribute", "red circle", "green circle", "incorrect", ("red circle",), "s1"),
        told("attribute", "blue square", "blue square", "correct", ("blue square",), "s2"),
        told(
            "relation",
            "circle left of square",
            "circle right of square",
            "incorrect",
            ("to the left of",),
            "s1",
            "s2",
        ),
        told("relation", "square above tulip", "", "failed", ("above",), "s2"),
        told("object", "no hat", "", "correct", ("no hat",)),
        Finding(
            kind="extraneous", expected="", observed="star", state="incorrect", segments=("s4",)
        ),
    )


def crowd(number: int) -> SceneGraphs:
    """So many things asked for and seen, each tied to the next and to the tenth after it.

    Every third has the wrong colour.
    """
    colours = ("red", "green", "blue")
    asked = tuple(
        Node(
            name=f"n{i}",
            label=f"thing number {i}",
            attributes=(Attribute("color", colours[i % 3]),),
        )
        for i in range(number)
    )
    seen = tuple(
        replace(node, attributes=(Attribute("color", colours[(i + (not i % 3)) % 3]),))
        for i, node in enumerate(asked)
    )
    steps = [(i, i + step) for step in (1, 10) for i in range(number - step)]
    edges = tuple(
        Edge(f"e{k}", f"n{one}", "to the left of", f"n{other}")
        for k, (one, other) in enumerate(steps)
    )
    errors = tuple(
        GraphError(
            type="attribute",
            subject=node.label,
            asked=node.attributes[0].value,
            seen=seen[i].attributes[0].value,
            asked_in=(node.name,),
            seen_in=(node.name,),
        )
        for i, node in enumerate(asked)
        if not i % 3
    )
    names = (*(node.name for node in asked), *(edge.name for edge in edges))
    return SceneGraphs(
        asked=Graph(asked, edges),
        seen=Graph(seen, edges),
        matches=tuple((name, name) for name in names),
        errors=errors,
        grade=4,
    )


def report(found: Evidence) -> Report:
    grade = found.graphs.grade if found.graphs else None
    value = None if grade is None else (grade - 1) / 6
    scores = {
        "score": Score(value, 8, 0),
        "answered": Score(7 / 8, 8, 0),
        "correct": Score(4 / 7, 7, 1),
    }
    return Report(
        metric="scene-graph",
        version="1",
        prompt=PROMPT,
        image="ab" * 32,
        scores=scores,
        evidence=found,
    )


def boxed(number: int) -> Evidence:
    """The crowd with a segment each, on a grid."""
    found = crowd(number)
    side = 7
    boxes = [
        Box(i % side / side, i // side / side, (i % side + 0.8) / side, (i // side + 0.8) / side)
        for i in range(number)
    ]
    nodes = tuple(replace(node, segment=f"s{i}") for i, node in enumerate(found.seen.nodes))
    segments = tuple(
        SegmentEvidence(name=f"s{i}", phrase=node.label, box=box, score=0.9)
        for i, (node, box) in enumerate(zip(nodes, boxes, strict=True))
    )
    return Evidence(segments=segments, graphs=replace(found, seen=replace(found.seen, nodes=nodes)))


def tile(
    found: Evidence,
    path: Path,
    run: str = "run1",
    key: str = "picture1",
    name: str = "careless",
    prompt: str = PROMPT,
) -> Tile:
    return Tile(
        run=run,
        key=key,
        model=f"primer/{name}",
        name=name,
        prompt=prompt,
        seed=0,
        path=path,
        reports=(report(found),),
    )


def shown(found: Evidence, path: Path, *names: str) -> Exhibit:
    """The exhibit of a picture; `names`: of run, key, model and the prompt, where they matter."""
    return exhibit(
        tile(found, path, *names), (("detector", "primer/segmenter"), ("judge", "primer/judge"))
    )


def hostile(evil: str) -> Evidence:
    """The evidence with every text trying to be markup."""
    found = graphs()
    nodes = tuple(
        replace(node, label=evil, attributes=(Attribute(evil, evil),)) for node in found.seen.nodes
    )
    asked = tuple(
        replace(node, label=evil, attributes=(Attribute(evil, evil),)) for node in found.asked.nodes
    )
    edges = [
        tuple(replace(edge, relation=evil) for edge in graph.edges)
        for graph in (found.asked, found.seen)
    ]
    triple = Triple(evil, evil, evil, ("n1",), "e1")
    return replace(
        evidence(),
        graphs=replace(
            found,
            asked=Graph(asked, edges[0]),
            seen=Graph(nodes, edges[1]),
            sentence=evil,
            questions=tuple(
                replace(one, text=evil, asked_value=evil, seen_value=f"{evil}!", memory=(triple,))
                for one in found.questions
            ),
            errors=tuple(replace(one, subject=evil, asked=evil, seen=evil) for one in found.errors),
        ),
    )
