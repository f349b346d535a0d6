"""Holds the options that commands share, and makes commands of functions.

The parameters of a function are its arguments, those after `*` its options. What each is for
stands in the docstring under "Args:". A parameter whose type is a dataclass of this module stands
for all options of that class.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, is_dataclass
from functools import reduce
from operator import or_
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, cast, get_args, get_origin

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
    from hallascope.engine.money.spending import CostEstimate

DEFAULT_JUDGE = "primer/judge"
Natural = Annotated[int, typer.Option(min=0)]
Positive = Annotated[int, typer.Option(min=1)]
JsonOption = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON document and nothing else."),
]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask first.")]
ForceOption = Annotated[
    bool,
    typer.Option(
        "--force",
        help="Also write into a folder that has files; those of the same name are replaced.",
    ),
]
DryRunOption = Annotated[
    bool,
    typer.Option("--dry-run", help="Say what would be done, its time and its cost; do nothing."),
]
ModelOption = Annotated[
    str, typer.Option("--model", metavar="NAME", help="Names of models, separated by commas.")
]
MetricOption = Annotated[
    str, typer.Option("--metric", metavar="NAME", help="The name of the metric.")
]
RunOption = Annotated[
    str,
    typer.Option(
        "--run", metavar="RUN", help="Only these runs or sweeps: ids, separated by commas."
    ),
]
JudgeOption = Annotated[
    str, typer.Option("--judge", metavar="NAME", help="The model that answers questions.")
]
WriterOption = Annotated[
    str | None,
    typer.Option(
        "--writer",
        metavar="NAME",
        help="The model that writes texts, such as the questions of a prompt without any.",
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
        help="The texts that models are sent: a pack of `hallascope wording`, or your folder.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class SpendingOptions:
    """Holds what a person allows for a run.

    Args:
        budget: The most that the run may cost in USD (default: HALLASCOPE_BUDGET_RUN, else 5.00).
        budget_day: The most that all runs of a day may cost in USD (default: HALLASCOPE_BUDGET_DAY,
            else 20.00).
        unpriced: Allow models of unknown price; the caps do not count them.
    """

    budget: float | None = None
    budget_day: float | None = None
    unpriced: bool = False

    @property
    def policy(self) -> "SpendingPolicy":
        from hallascope.engine.money.budget import SpendingPolicy

        return SpendingPolicy(run=self.budget, day=self.budget_day, unpriced=self.unpriced)


@dataclass(frozen=True, kw_only=True)
class ExperimentOptions(SpendingOptions):
    """Holds who judges what a command draws, and whether it is only estimated."""

    judge: JudgeOption = DEFAULT_JUDGE
    writer: WriterOption = None
    wording: WordingOption = OURS
    dry_run: DryRunOption = False
    as_json: JsonOption = False

    def print_estimate(self, estimate: "CostEstimate") -> None:
        """Print what is likely to be spent, where anything is or that is all that is asked."""
        from hallascope.cli.output.costs import print_estimate

        if self.dry_run or (estimate.lines and not self.as_json):
            print_estimate(self.as_json, estimate, self.policy)


@dataclass(frozen=True, kw_only=True)
class JudgingOptions:
    """Holds how images are judged, and by which models.

    Args:
        metric: Names of metrics, separated by commas.
        judge: The model that answers questions (default: primer/judge); `none`: make images only.
        trials: How often each image is judged.
        writer: The model that writes texts, such as the questions of a prompt without any.
        parser: The model that reads prompts, any writer; default: rules.
        prompt_reader: Who reads prompts: rules; model (of --parser); auto: a model where the rules
            are not sure.
        accept_readings: Also score readings that the rules are not sure of.
        captioner: The model that describes images.
        detector: The model that finds objects.
        segmenter: The model that cuts out objects.
        reader: The model that reads text in images.
        embedder: The model that compares images and texts as vectors.
    """

    metric: str = "ihalla"
    judge: str | None = None
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
            "judge": None if self.judge == "none" else self.judge or DEFAULT_JUDGE,
        }
        del own["metric"]
        return EvaluateRequest(prompt=prompt, **own, **others)


Thresholds = Annotated[list[str] | None, typer.Option(metavar="METRIC=VALUE")]


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """Holds which scores are too low, and where programs read the results.

    Args:
        fail_under: Exit with 3 if the mean score of a model is lower; may be repeated.
        fail_under_bound: Exit with 3 if the lower end of its 95 % interval is lower.
        fail_on_worse: Exit with 3 if a model is significantly worse than in this run or sweep, on
            the prompts of both.
        junit: Write the results as JUnit XML into this file.
        github_summary: Add a summary to the file that GITHUB_STEP_SUMMARY names.
    """

    fail_under: Thresholds = None
    fail_under_bound: Thresholds = None
    fail_on_worse: Annotated[str, typer.Option(metavar="RUN")] = ""
    junit: Path | None = None
    github_summary: bool = False


@dataclass(frozen=True, kw_only=True)
class SelectionOptions:
    """Holds a choice of judged images.

    Args:
        where: Only images under these conditions, such as `number:4;tag:extra fingers`.
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
    about, texts = _split_docstring(function)
    groups: dict[str, type] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        if is_dataclass(parameter.annotation):
            groups[parameter.name] = cast(type, parameter.annotation)
            kinds = reversed(groups[parameter.name].__mro__[:-1])
            inherited = (item for kind in kinds for item in _split_docstring(kind)[1].items())
            parameters += _read_parameters(groups[parameter.name], {**dict(inherited), **texts})
    own = [one for one in _read_parameters(function, texts) if one.name not in groups]

    def call(**values: Any) -> int:
        for argument, kind in groups.items():
            names = inspect.signature(kind).parameters
            values[argument] = kind(**{name: values.pop(name) for name in names})
        return function(**values)

    call.__signature__ = inspect.Signature([*own, *parameters])  # type: ignore[attr-defined]
    call.__annotations__ = {}
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, help=about)(call)
    return cast(TyperCommand, typer.main.get_command(app))


def _read_parameters(
    owner: Callable[..., Any], texts: Mapping[str, str]
) -> list[inspect.Parameter]:
    """Return the parameters as typer takes them: as options only, each with its help."""
    return [
        parameter.replace(
            kind=inspect.Parameter.KEYWORD_ONLY,
            annotation=_split_annotation(parameter)[0],
            default=_describe(parameter, texts.get(parameter.name)),
        )
        for parameter in inspect.signature(owner, eval_str=True).parameters.values()
    ]


def _split_annotation(parameter: inspect.Parameter) -> tuple[Any, ParameterInfo | None]:
    """Return the type of a parameter, and what its annotation says of an option; None: nothing."""
    declared: list[ParameterInfo] = []

    def unwrap(annotation: Any) -> Any:
        if get_origin(annotation) in (Union, UnionType):
            return reduce(or_, map(unwrap, get_args(annotation)))
        metadata = getattr(annotation, "__metadata__", ())
        declared.extend(copy(one) for one in metadata if isinstance(one, ParameterInfo))
        return annotation.__origin__ if metadata else annotation

    return unwrap(parameter.annotation), next(iter(declared), None)


def _describe(parameter: inspect.Parameter, text: str | None) -> ParameterInfo:
    """Return an argument or option with its default, its names and its help."""
    _, info = _split_annotation(parameter)
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
