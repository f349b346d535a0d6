"""What pages and commands are given: start a run, watch it, look at a stored one. It knows no page.

SKETCH of the public face (being filled in); events and records are in engine/events.py:

    services = create_services(url=None)                 # None: SQLite under HALLASCOPE_HOME, else ./.hallascope
    services.models() -> tuple[Model, ...]               # Model(spec: ModelSpec, reason: str | None); reason None = can run
    services.judges() / services.generators()            # the same, by role
    services.evaluate(request, stop=threading.Event()) -> Iterator[Event]
        # Queued, then Generating/Pictured/PictureFailed/Judged/Evaluated/EvaluationFailed in the order they happen, Finished.
        # Before Queued it raises HallaScopeError with one sentence: UnknownModel, Unavailable, BadRequest (empty prompt, too long ...), BadImage (upload).
    services.view(run) -> RunView                        # raises UnknownRun
    services.questions(prompt) -> QuestionSet            # raises NoQuestions with one sentence
    services.regions(image) -> Mapping[str, tuple[Polygon, ...]]   # part name -> polygons, points (x, y) in [0, 1]; {} where not known
    services.accept(path) -> Picture                     # an upload, checked and stored; raises BadImage with one sentence
    services.seconds(model) -> float | None              # median seconds a picture took here, for the estimate
    services.runs(limit=20) -> tuple[RunView heads]      # newest first
"""

from engine.events import EvaluateRequest, Evaluated, Evaluation, EvaluationFailed, Event, Finished, Generating, Judged, Pictured, PictureFailed, Queued, RunView, Shot, jsonable

__all__ = ["EvaluateRequest", "Evaluated", "Evaluation", "EvaluationFailed", "Event", "Finished", "Generating", "Judged", "PictureFailed", "Pictured", "Queued", "RunView", "Shot", "jsonable"]
