"""Draws scene graphs by chance, also such whose names lead nowhere."""

from hypothesis import strategies as st

from hallascope.data.graphs import (
    ERROR_TYPES,
    Edge,
    Graph,
    GraphError,
    GraphQuestion,
    Node,
    SceneGraphs,
)

names = st.sampled_from(["n1", "n2", "n3", "e1", "nobody", ""])
nodes = st.lists(
    st.builds(Node, name=names, label=st.text(max_size=30)),
    max_size=5,
    unique_by=lambda node: node.name,
).map(tuple)
edges = st.lists(st.builds(Edge, names, names, st.text(max_size=30), names), max_size=5).map(tuple)
one_graph = st.builds(Graph, nodes, edges)
errors = st.builds(
    GraphError,
    type=st.sampled_from(ERROR_TYPES),
    subject=st.text(max_size=9),
    asked=st.text(max_size=9),
    seen=st.text(max_size=9),
    asked_in=st.tuples(names),
    seen_in=st.tuples(names),
    finding=st.one_of(st.none(), st.integers(-1, 9)),
)
questions = st.builds(
    GraphQuestion,
    text=st.text(max_size=9),
    kind=st.sampled_from(["existence", "attribute", "number", "relation"]),
    wanted=st.just("yes"),
    answer=st.sampled_from(["yes", "no", "unknown"]),
    asked=st.tuples(names, names),
    memory=st.just(()),
    finding=st.integers(-1, 9),
    asked_value=st.text(max_size=9),
)
any_graphs = st.builds(
    SceneGraphs,
    asked=one_graph,
    seen=one_graph,
    matches=st.lists(st.tuples(names, names), max_size=5).map(tuple),
    questions=st.lists(questions, max_size=4).map(tuple),
    errors=st.lists(errors, max_size=4).map(tuple),
)
