"""Checks the name under which images that exist already are ranked."""

from hallascope.data.models.services import find
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import UPLOADED
from hallascope.engine.image_folders.detection import OpenedImages
from hallascope.engine.models.registry import ModelRegistry

LONGEST_NAME = 100
_KEPT_NAMES = (UPLOADED, "brought", "none")  # names that mean something else here


class UnclearModel(BadRequest):
    """Raised where it is not clear under which model's name images are to be stored.

    `remedy` is advice for the command line.
    """

    def __init__(self, sentence: str, remedy: str) -> None:
        super().__init__(sentence)
        self.remedy = remedy


def check_model_name(registry: ModelRegistry, name: str, allow_registered: bool = False) -> str:
    """Return the name on one line.

    Raises BadRequest where it is empty, too long or cannot be shown, and without
    `allow_registered` UnclearModel where it is that of a model which HallaScope can run: images
    made elsewhere would be averaged with those made here.
    """
    name = " ".join(name.split())
    if not name or not name.isprintable():
        raise BadRequest("The name of the model is empty or cannot be shown: give one in letters.")
    if len(name) > LONGEST_NAME:
        raise BadRequest(
            f"The name of the model has {len(name)} characters: give one of at most {LONGEST_NAME}."
        )
    if name.casefold() in _KEPT_NAMES:
        raise BadRequest(f"The name {name!r} stands for something else here: give another.")
    if "," in name:
        raise BadRequest(
            f"The name {name!r} has a comma, which separates names in commands: leave it out."
        )
    if not allow_registered and find(registry.specs, name):
        other = f"{name.rpartition('/')[2]}-elsewhere"
        raise UnclearModel(
            f"{name!r} is a model that HallaScope runs itself: give another name, such as"
            f" {other!r}.",
            "Or add --allow-registered, and the images count as its own.",
        )
    return name


def choose_name(opened: OpenedImages, name: str) -> str:
    """Return the one name of all images, "" where each has the name that the layout gives it.

    Raises UnclearModel where images would have no name, or several models would become one.
    """
    models = opened.folder.models
    if name and len(models) > 1:
        listed = ", ".join(models[:6]) + (" ..." if len(models) > 6 else "")
        raise UnclearModel(
            f"The images are of {len(models)} models ({listed}), which never become one: give no"
            " name, and each keeps its own, or give the images of one.",
            "Leave --as out.",
        )
    if not name and opened.folder.lacks_model:
        raise UnclearModel(
            f"The layout {opened.layout} does not say which model made the images: give its name.",
            "Add --as NAME.",
        )
    return name
