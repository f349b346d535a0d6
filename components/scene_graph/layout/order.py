"""Orders things of which some are tied, so that what is tied stands near."""

from collections.abc import Iterable


def order_by_ties(number: int, ties: Iterable[tuple[int, int]]) -> list[int]:
    """Return an order in which things that are tied stand near each other.

    It is that of Cuthill and McKee, 1969.
    """
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(number))
    graph.add_edges_from((one, other) for one, other in ties if one != other)
    result: list[int] = []
    for group in sorted(sorted(group) for group in nx.connected_components(graph)):
        order = list(nx.utils.cuthill_mckee_ordering(graph.subgraph(group).copy()))
        result += order if order[0] <= order[-1] else order[::-1]
    return result
