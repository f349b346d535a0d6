"""A scheduler is made anew with the configuration of the pipeline, and fits its model."""

from typing import Any

import diffusers
import pytest

from hallascope.backends.diffusers.schedulers import make_scheduler
from hallascope.backends.diffusers.settings import BadSetting

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")


@pytest.fixture
def original() -> Any:
    return diffusers.DDIMScheduler(beta_start=0.002, prediction_type="v_prediction")


@pytest.mark.parametrize(
    ("name", "class_name"),
    [(None, "DDIMScheduler"), ("EulerDiscreteScheduler", "EulerDiscreteScheduler")],
)
def test_a_new_scheduler_has_the_configuration_of_the_original(
    original: Any, name: str | None, class_name: str
) -> None:
    scheduler = make_scheduler(original, name)
    assert scheduler is not original
    assert type(scheduler).__name__ == class_name
    assert scheduler.config.beta_start == 0.002
    assert scheduler.config.prediction_type == "v_prediction"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("EulerScheduler", "there is no scheduler 'EulerScheduler': did you mean '"),
        ("zzz", "there is no scheduler 'zzz': name one of the classes of diffusers, e.g. '"),
        ("UNet2DConditionModel", "there is no scheduler 'UNet2DConditionModel': "),
        (
            "FlowMatchEulerDiscreteScheduler",
            "the scheduler 'FlowMatchEulerDiscreteScheduler' is for another kind of model: use"
            " DDIMScheduler, ",
        ),
    ],
)
def test_a_scheduler_that_does_not_exist_or_fit_is_refused(
    original: Any, name: str, message: str
) -> None:
    with pytest.raises(BadSetting) as caught:
        make_scheduler(original, name)
    assert str(caught.value).startswith(message)


def test_a_pipeline_without_a_scheduler_takes_none() -> None:
    with pytest.raises(BadSetting, match="its pipeline takes no 'scheduler': leave it out"):
        make_scheduler(None, "DDIMScheduler")


def test_schedulers_of_flow_matching_replace_each_other() -> None:
    scheduler = make_scheduler(
        diffusers.FlowMatchEulerDiscreteScheduler(shift=3.0), "FlowMatchHeunDiscreteScheduler"
    )
    assert type(scheduler).__name__ == "FlowMatchHeunDiscreteScheduler"
    assert scheduler.config.shift == 3.0
