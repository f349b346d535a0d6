"""Asks a judge about a folder of images by inspect_ai; run by a Python that has it.

``python inspect_judge.py ADDRESS FOLDER QUESTIONS AT_ONCE LOGS``
"""

import sys
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import includes
from inspect_ai.solver import generate

CHOICES = "Answer with one letter: A) noise B) a cat C) a dog D) a bird E) none of the above."


def main(address: str, folder: str, questions: str, at_once: str, logs: str) -> None:
    """Judge the images, and fail where a question has no score."""
    samples = [
        Sample(
            input=[
                ChatMessageUser(
                    content=[
                        ContentImage(image=str(path)),
                        ContentText(text=f"What does part {number} show? {CHOICES}"),
                    ]
                )
            ],
            target="A",
        )
        for path in sorted(Path(folder).glob("*.png"))
        for number in range(int(questions))
    ]
    (log,) = eval(
        Task(dataset=samples, solver=generate(cache=True), scorer=includes()),
        model="openai-api/bench/judge",
        model_base_url=address,
        max_connections=int(at_once),
        max_samples=int(at_once),
        log_dir=logs,
        display="none",
    )
    if log.status != "success" or log.results is None:
        sys.exit(f"inspect_ai ended with {log.status}: {log.error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
