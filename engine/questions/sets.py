"""Keeps the saved questions of prompts, and writes them to files and reads them from there.

Beside them stand those of the Primer world.
"""

from collections.abc import Sequence
from pathlib import Path

from hallascope.data.benchmarks.ihalla import CAPTIONS, read_ihalla
from hallascope.data.files import question_files
from hallascope.data.files.questions import tidy_set
from hallascope.data.files.tables import Complaint
from hallascope.data.records import QuestionSet
from hallascope.engine.errors import BadRequest, NoQuestions, refuse
from hallascope.engine.questions.generation import ImportedQuestions
from hallascope.engine.storage.questions_and_replies import normalize_prompt
from hallascope.engine.storage.store import Store
from hallascope.primer import scenes

_STAY = (
    "here questions stay as they are, since everybody is asked them: run HallaScope on a machine of"
    " your own to change them, or choose another prompt."
)
_NO_QUESTIONS = (
    "There are no questions for this prompt yet, so the images are shown without a score: make"
    " some on the Questions tab (`hallascope questions make`), or choose a prompt of the Primer"
    " world."
)


def _sets_of_ihalla(path: Path) -> tuple[list[QuestionSet], list[Complaint]]:
    """Return the sets of one file of I-HallA's folder, with the prompts beside it."""
    benchmark = read_ihalla(path.parent)
    return [
        prompt.question_set
        for prompt in benchmark.prompts
        if benchmark.files.get(f"{prompt.field} questions") == path.name
    ], [own for own in benchmark.complaints if own.file in (path.name, CAPTIONS)]


class QuestionSets:
    """Keeps the question sets of one store, by prompt."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def for_prompt(self, prompt: str) -> QuestionSet:
        """Return the questions of a prompt: those that were saved, else those of the Primer world.

        Raises NoQuestions.
        """
        saved = self._store.question_set(prompt)
        if saved:
            return saved
        try:
            return scenes.parse(prompt).questions()
        except scenes.CannotDraw as error:
            raise NoQuestions(_NO_QUESTIONS) from error

    def save(self, questions: QuestionSet) -> QuestionSet:
        """Save the questions of a prompt, in place of those that were there.

        Those of a visitor of a public app are asked for that visitor alone, and only where the
        operator and the Primer world have none.

        Raises BadRequest where one cannot stand.
        """
        with refuse(ValueError):
            clean = tidy_set(questions)
        if self._store.database.visitor and self.are_shared(clean.prompt):
            raise BadRequest(f"There are questions for {clean.prompt!r} already, and {_STAY}")
        self._store.keep_question_set(clean)
        return clean

    def add(self, questions: QuestionSet) -> None:
        """Save the questions of a prompt, unless some are saved. Raises as `save` does."""
        if not self.is_saved(questions.prompt):
            self.save(questions)

    def is_saved(self, prompt: str) -> bool:
        """Say whether questions of a prompt are saved; Primer's are not."""
        return self._store.question_set(prompt) is not None

    def all(self) -> list[QuestionSet]:
        """Return all saved sets, by prompt."""
        return self._store.question_sets()

    def remove(self, prompt: str) -> None:
        """Forget the saved questions of a prompt. Raises BadRequest where there are none."""
        if self._store.question_set(prompt) is None:
            raise BadRequest(
                f"There are no saved questions for {prompt!r}: `hallascope questions show` names"
                " all."
            )
        if self._store.database.visitor and self.are_shared(prompt):
            raise BadRequest(f"The questions for {prompt!r} are not removed: {_STAY}")
        self._store.remove_question_set(prompt)

    def are_shared(self, prompt: str) -> bool:
        """Return whether everybody is asked the questions of a prompt."""
        if self._store.has_shared_questions(prompt):
            return True
        try:
            scenes.parse(prompt)
        except scenes.CannotDraw:
            return False
        return True

    def export(self, path: Path, prompts: Sequence[str] | None = None) -> int:
        """Write the saved sets (of these prompts, None: all) as .xlsx or .jsonl; gives how many.

        Raises BadRequest.
        """
        sets = self.all()
        if prompts is not None:
            normalized = set(map(normalize_prompt, prompts))
            sets = [own for own in sets if normalize_prompt(own.prompt) in normalized]
        if not sets:
            raise BadRequest("There are no saved questions to export: make and accept some first.")
        with refuse(ValueError, OSError):
            question_files.write(sets, path)
        return len(sets)

    def load(self, path: Path) -> ImportedQuestions:
        """Save every valid set of a file (.xlsx, .jsonl) in place of what its prompt had.

        Not on a public app.

        Raises BadRequest.
        """
        if self._store.database.visitor:
            raise BadRequest(f"Files of questions are not taken in: {_STAY}")
        with refuse(ValueError, OSError):
            sets, complaints = question_files.read_question_file(path)
            if sets and not any(own.prompt for own in sets) and path.with_name(CAPTIONS).is_file():
                sets, complaints = _sets_of_ihalla(path)
        saved = [self.save(questions) for questions in sets if questions.prompt]
        return ImportedQuestions(tuple(saved), tuple(complaints))
