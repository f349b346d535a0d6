"""Writes the site of some runs: an index with the leaderboards, a page a run, a page a picture."""

from dataclasses import replace
from pathlib import Path

from hallascope.components.html import scripts
from hallascope.engine.export import records
from hallascope.engine.export.folder import ExportFolder
from hallascope.engine.export.formats import ExportSource, count_verdicts
from hallascope.engine.run.result import RunResult
from hallascope.engine.storage.people.ratings import Rating
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.truths import with_truths
from hallascope.pages.site import boards, frame, index, paths, picture
from hallascope.pages.site.frame import PageLink


def write(source: ExportSource, folder: ExportFolder) -> None:
    """Write all pages, their style and script, pictures with thumbnails, and a Space's README."""
    heads = [_run(source, folder, name) for name in source.runs]
    store = source.services.store
    everything = set(source.runs) == set(records.select_runs(store, records.ALL))
    shown = boards.boards(
        source.services,
        () if everything else source.runs,
        {metric for head in heads for metric in head.metrics},
        people=source.people,
    )
    for number, page in enumerate(index.pages(heads, shown), 1):
        folder.write_text(paths.index(number), page)
    folder.write_text("assets/site.css", frame.style())
    folder.write_text("assets/site.js", scripts.join_modules(Path(__file__).parent / "site.js"))
    folder.write_text("README.md", frame.front_matter(index.title(heads)))


def _run(source: ExportSource, folder: ExportFolder, name: str) -> index.IndexEntry:
    """Write the page of a run and those of its pictures; return what the index shows of it."""
    view = _without_authors(_with_pictures(source, folder, source.services.view(name)))
    written = source.summary
    ratings = _picture_ratings(source, name)
    created = source.services.store.run(name).created
    tiles = with_truths(source.services, run_pictures.tiles(view), source.people)
    folder.write_text(paths.run(view), index.of_run(view, created, tiles))
    shots = [shot for shot in view.shots if shot.image]
    links = [
        PageLink(
            paths.picture(view, shot).rpartition("/")[2],
            run_pictures.seeded_name(run_pictures.picture_name(shot), shot.model, shot.seed),
        )
        for shot in shots
    ]
    around = zip([None, *links[:-1]], [*links[1:], None], strict=True)
    for shot, neighbors in zip(shots, around, strict=False):
        page = picture.page(
            source.services, view, shot, neighbors, ratings, people_answer=source.people
        )
        folder.write_text(paths.picture(view, shot), page)
    written.runs += 1
    written.pictures += len(view.shots)
    written.evaluations += len(view.evaluations)
    written.verdicts += sum(count_verdicts(evaluation.report) for evaluation in view.evaluations)
    return index.head(view)


def _picture_ratings(source: ExportSource, name: str) -> list[Rating]:
    """Return what people said of a run's pictures, also in other runs with the same picture."""
    run = records.read_run(source.services.store, name)
    source.ratings(run)  # counts each once
    return records.read_ratings(source.services.store, run) if source.people else []


# --- pictures -------------------------------------------------------------------------------------


def _without_authors(view: RunResult) -> RunResult:
    """Return a run that names nobody who corrected what its prompt asks for."""
    evaluations = (
        replace(evaluation, report=evaluation.report.without_author())
        for evaluation in view.evaluations
    )
    return replace(view, evaluations=tuple(evaluations))


def _with_pictures(source: ExportSource, folder: ExportFolder, view: RunResult) -> RunResult:
    """Return the run with its pictures copied into the site.

    Those that are no longer there have no path.
    """
    factual = view.request.factual
    for concept in factual.concepts if factual else ():
        if concept.reference:
            _copied(source, folder, concept.reference.sha256)
    shots = []
    for shot in view.shots:
        if not shot.image or _copied(source, folder, shot.image):
            shots.append(shot)
        else:
            source.summary.missing.append(shot.image)
            shots.append(replace(shot, path=None, thumbnail=None))
    return replace(view, shots=tuple(shots))


def _copied(source: ExportSource, folder: ExportFolder, sha256: str) -> bool:
    """Put a picture and its thumbnail into the site, once; return whether the store has it."""
    images = source.services.store.images
    name = paths.image(sha256)
    if name in folder.files:
        return True
    if not images.path(sha256).exists():
        return False
    folder.copy(name, images.path(sha256))
    small = images.render_thumbnail(sha256) or images.path(sha256)
    folder.copy(paths.thumbnail(sha256), small)
    source.summary.images += 1
    return True
