"""Says under which conditions a cell is measured: which texts are sent, how a judge answers."""

from collections.abc import Sequence

from hallascope.data.records import version_protocol
from hallascope.data.reproduce.paper_tables import PaperTable
from hallascope.data.wordings.catalog import WORDINGS, wordings_of
from hallascope.data.wordings.packs import WordingPack
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.reproduce.cells import CellSource
from hallascope.engine.reproduce.replies import grader_of
from hallascope.engine.reproduce.scores import cell_filters
from hallascope.engine.storage.store import Store
from hallascope.metrics.haloquest.auto_eval import AUTO_EVALS
from hallascope.metrics.haloquest.plan import NAME as HALOQUEST


def cell_metric(table: PaperTable, source: CellSource) -> str:
    """Return the metric of a cell by name; "" of a cell that counts a benchmark."""
    return HALOQUEST if table.fill in ("judges", "replies") else source.metric


def cell_wording(table: PaperTable, source: CellSource, pack: WordingPack | None) -> str:
    """Return which texts the models of a cell are sent: those of the pack, and ours where none.

    `pack` None: ours alone. "" where no text of a wording is sent.
    """
    receivers = {str(role) for role in source.roles}
    if "writer" in receivers:
        receivers.add("grader")
    names = wordings_of(cell_metric(table, source))
    if table.fill == "replies":
        grader = grader_of(source)
        names = (AUTO_EVALS[grader[1]].template,) if grader else ()
    sent = [name for name in names if WORDINGS[name].sent_to in receivers]
    texts = pack.texts if pack else {}
    own = [name for name in sent if name in texts]
    ours = [name for name in sent if name not in texts]
    parts = []
    if pack and own:
        parts.append(f"{pack.name} ({', '.join(own)})")
    if ours:
        reason = f"; {pack.name} has none" if pack else ""
        parts.append(f"ours ({', '.join(ours)}{reason})")
    return ", ".join(parts)


def stored_protocol(store: Store, source: CellSource, runs: Sequence[str]) -> str:
    """Return the protocol of a cell's stored evaluations, as `Report.protocol`; "" without any."""
    query = Query(source.metric, source.score, filters=cell_filters(source, runs))
    instruments = queries.read_instruments(store, query)
    shown = queries.select_instruments(query, instruments)[:1]
    return "".join(version_protocol(each.version) for each in instruments if each.key in shown)
