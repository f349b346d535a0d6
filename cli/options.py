"""Holds the options that commands share, and makes commands of functions.

The parameters of a function are its arguments, those after `*` its options. What each is for
stands in the docstring under "Args:". A parameter whose type is a dataclass of this module stands
for all options of that class.
"""

import inspect
import re
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, is_dataclass
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.core import TyperCommand
from typer.models import OptionInfo, ParameterInfo

from hallascope.cli.terminal import split_names
from hallascope.data.prompt_reading import PromptReader
from hallascope.data.wordings.catalog import OURS as OURS
from hallascope.data.wordings.packs import SHIPPED, find_folder

if TYPE_CHECKING:
    from hallascope.engine.error_analysis.selection import ErrorSelection
    from hallascope.engine.events import EvaluateRequest
    from hallascope.engine.money.budget import SpendingPolicy

DEFAULT_JUDGE = "primer/judge"
Natural = Annotated[int, typer.Option(min=0)]
Positive = Annotated[int, typer.Option(min=1)]
JsonOption = Annotated[
    bool,
    typer.Option(
        "--json", help="Print one JSON document on standard output and nothing else there."
    ),
]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask first.")]
ForceOption = Annotated[
    bool,
    typer.Option(
        "--force", help="Also into a folder that holds something; files of the same name go."
    ),
]
DryRunOption = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Say what would be done, how long it takes and what it costs; do nothing."
    ),
]
ModelOption = Annotated[
    str, typer.Option("--model", metavar="NAME", help="Models by name, with commas between.")
]
MetricOption = Annotated[str, typer.Option("--metric", metavar="NAME", help="The metric by name.")]
RunOption = Annotated[
    str,
    typer.Option(
        "--run", metavar="RUN", help="Only these runs or sweeps, by id, with commas between."
    ),
]
JudgeOption = Annotated[
    str, typer.Option("--judge", metavar="NAME", help="The model that answers.")
]
WriterOption = Annotated[
    str | None,
    typer.Option(
        "--writer",
        metavar="NAME",
        help="The model that writes what is needed in words, such as the questions of a prompt that"
        " has none.",
    ),
]


def _resolve_wording(name: str) -> str:
    """Return the name of a pack; of a folder its whole path, as a run may go on elsewhere."""
    folder = find_folder(name) if name and name not in SHIPPED else None
    return str(folder) if folder else name


WordingOption = Annotated[
    str,
    typer.Option(
        "--wording",
        metavar="PACK",
        callback=_resolve_wording,
        help="The texts that models are sent: ours, as-published, or a folder of yours; see"
        " `hallascope wording list`.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class SpendingOptions:
    """Holds what a person allows for a run.

    Args:
        budget: The most that the run may cost, in USD (else HALLASCOPE_BUDGET_RUN, else 5.00).
        budget_day: The most that all runs of a day may cost, in USD (else HALLASCOPE_BUDGET_DAY,
            else 20.00).
        unpriced: Allow models with unknown prices; no cap holds for them.
    """

    budget: float | None = None
    budget_day: float | None = None
    unpriced: bool = False

    @property
    def policy(self) -> "SpendingPolicy":
        from hallascope.engine.money.budget import SpendingPolicy

        return SpendingPolicy(run=self.budget, day=self.budget_day, unpriced=self.unpriced)


@dataclass(frozen=True, kw_only=True)
class JudgingOptions:
    """Holds how images are judged, and by which models.

    Args:
        metric: Metrics by name, with commas between.
        judge: The model that answers; `none` judges nothing.
        trials: How often each image is judged.
        writer: The model that writes what a metric needs written, and the questions of a prompt
            that has none.
        parser: The model that reads what the prompt asks for, any writer; else rules do.
        prompt_reader: Who reads prompts: rules, the model of --parser, or that model where the
            rules are not sure (auto).
        accept_readings: Also score readings that the rules are not sure of.
        captioner: The model that describes, where a metric needs one.
        detector: The model that finds things, where a metric needs one.
        segmenter: The model that cuts things out, where a metric needs one.
        reader: The model that reads writing in images, where a metric can use one.
        embedder: The model that compares, where a metric needs one.
    """

    metric: str = "ihalla"
    judge: str = DEFAULT_JUDGE
    trials: int = 1
    writer: str | None = None
    parser: str | None = None
    prompt_reader: PromptReader | None = None
    accept_readings: bool = False
    captioner: str | None = None
    detector: str | None = None
    segmenter: str | None = None
    reader: str | None = None
    embedder: str | None = None
    wording: WordingOption = OURS

    def request(self, prompt: str, **others: Any) -> "EvaluateRequest":
        """Return a request to judge images of a prompt so."""
        from hallascope.engine.events import EvaluateRequest

        own = {
            **vars(self),
            "metrics": split_names(self.metric),
            "judge": None if self.judge == "none" else self.judge,
        }
        del own["metric"]
        return EvaluateRequest(prompt=prompt, **own, **others)


@dataclass(frozen=True, kw_only=True)
class SelectionOptions:
    """Holds which judged images are looked at.

    Args:
        where: Only images that meet these conditions, such as `number:4;tag:extra fingers`.
    """

    metric: MetricOption = "ihalla"
    run: RunOption = ""
    model: ModelOption = ""
    where: str = ""

    def read(self) -> "ErrorSelection":
        """Return the selection that the options name. Raises BadRequest."""
        from hallascope.engine.error_analysis.conditions import parse_conditions
        from hallascope.engine.error_analysis.selection import ErrorSelection
        from hallascope.engine.leaderboard.filters import Filters

        return ErrorSelection(
            metric=self.metric,
            filters=Filters(models=split_names(self.model), runs=split_names(self.run)),
            conditions=parse_conditions(self.where),
        )


# --- from functions to commands ---


def make_command(function: Callable[..., int], name: str) -> TyperCommand:
    """Return the command that calls the function."""
    groups: dict[str, type] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        if is_dataclass(parameter.annotation):
            groups[parameter.name] = cast(type, parameter.annotation)
            parameters += _read_parameters(groups[parameter.name])
    own = [one for one in _read_parameters(function) if one.name not in groups]

    def call(**values: Any) -> int:
        for argument, kind in groups.items():
            names = inspect.signature(kind).parameters
            values[argument] = kind(**{name: values.pop(name) for name in names})
        return function(**values)

    call.__signature__ = inspect.Signature([*own, *parameters])  # type: ignore[attr-defined]
    call.__annotations__ = {}
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, help=_split_docstring(function)[0])(call)
    return cast(TyperCommand, typer.main.get_command(app))


def _read_parameters(owner: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return the parameters as typer takes them: as options only, each with its help."""
    _, texts = _split_docstring(owner)
    return [
        parameter.replace(
            kind=inspect.Parameter.KEYWORD_ONLY,
            annotation=parameter.annotation.__origin__
            if hasattr(parameter.annotation, "__metadata__")
            else parameter.annotation,
            default=_describe(parameter, texts.get(parameter.name)),
        )
        for parameter in inspect.signature(owner, eval_str=True).parameters.values()
    ]


def _declared(parameter: inspect.Parameter) -> ParameterInfo | None:
    """Return what an annotation says of an option, None where it says nothing."""
    metadata = getattr(parameter.annotation, "__metadata__", ())
    return next((copy(one) for one in metadata if isinstance(one, ParameterInfo)), None)


def _describe(parameter: inspect.Parameter, text: str | None) -> ParameterInfo:
    """Return an argument or option with its default, its names and its help."""
    info = _declared(parameter)
    if info is None:
        is_option = parameter.kind is inspect.Parameter.KEYWORD_ONLY
        flag = [f"--{parameter.name.replace('_', '-')}"] if parameter.default is False else []
        info = typer.Option(..., *flag) if is_option else typer.Argument()
    elif isinstance(info, OptionInfo) and info.default is not ...:
        info.param_decls = (cast(str, info.default), *(info.param_decls or ()))
    info.default = ... if parameter.default is parameter.empty else parameter.default
    info.help = text or info.help
    return info


def _split_docstring(owner: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Return what a docstring says before "Args:", and the text of each argument."""
    about, _, listed = (inspect.getdoc(owner) or "").partition("\nArgs:\n")
    entries = re.findall(r"^    (\w+): (.*(?:\n        .*)*)", listed, re.MULTILINE)
    return about.strip(), {name: " ".join(text.split()) for name, text in entries}
