"""Computes which ranks models may have, and which of them cannot be told apart."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from string import ascii_lowercase

from hallascope.metrics.statistics.paired_difference import ModelDifference

MIN_RANKED_PROMPTS = 20  # a model with fewer in a group has no rank there


@dataclass(frozen=True)
class RankInterval:
    """Holds the best and the worst rank that the differences do not exclude; 1 is the best.

    Models that share a letter of `letters` cannot be told apart.
    """

    best: int
    worst: int
    letters: str

    @property
    def words(self) -> str:
        """Return the ranks in words, such as "2 to 4"."""
        return str(self.best) if self.best == self.worst else f"{self.best} to {self.worst}"


def rank_intervals(
    values: Mapping[str, float],
    differences: Sequence[ModelDifference],
    *,
    higher_is_better: bool = True,
) -> dict[str, RankInterval]:
    """Return the rank interval of each model, from the corrected differences of all pairs.

    The best rank is 1 more than the models that are better beyond doubt, the worst leaves as many
    below as are worse beyond doubt. Where the p are corrected for all pairs, the intervals hold all
    ranks at once with 95 % confidence (Al Mohamad, van Zwet, Goeman and Solari, Biometrical Journal
    64, 2022). `values` are the means by model. Letters are handed out from the best model down.
    """
    wins = {
        (pair.one, pair.other) if (pair.value > 0) is higher_is_better else (pair.other, pair.one)
        for pair in differences
        if pair.told_apart and pair.value
    }
    order = sorted(values, key=values.__getitem__, reverse=higher_is_better)
    letters = _letters(order, wins)
    return {
        model: RankInterval(
            best=1 + sum(loser == model for _, loser in wins),
            worst=len(values) - sum(winner == model for winner, _ in wins),
            letters=letters[model],
        )
        for model in order
    }


def _letters(order: Sequence[str], apart: Set[tuple[str, str]]) -> dict[str, str]:
    """Return the letters of each model: two share one exactly where they are not apart.

    A letter stands for a largest set of models of which no two are apart: Piepho, Journal of
    Computational and Graphical Statistics 13 (2004).
    """
    import networkx as nx  # here, so that other commands start without it

    graph = nx.Graph(apart)
    graph.add_nodes_from(order)
    groups = sorted(
        sorted(map(order.index, clique)) for clique in nx.find_cliques(nx.complement(graph))
    )
    letters = dict.fromkeys(order, "")
    for number, group in enumerate(groups):
        marks, place = divmod(number, len(ascii_lowercase))  # a to z, then a' to z'
        for model in group:
            letters[order[model]] += ascii_lowercase[place] + "'" * marks
    return letters
