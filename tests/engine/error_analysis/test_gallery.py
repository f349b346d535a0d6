"""A gallery shows each image with the state of every answer, in the order that is asked for."""

from hallascope.engine.error_analysis.gallery import read_gallery_images
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.image_tags import keep_tag
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep


def test_images_come_in_their_order_with_answers_and_tags(store: Store) -> None:
    keep(store, Said(states=("correct", "abstained", "unreadable"), seed=3, run="a"))
    keep(store, Said(states=("incorrect",), model="m/two", run="b"))
    ids = read_judged_images(store, ErrorSelection()).images["evaluation"].tolist()
    first = read_gallery_images(store, ids)[0]
    keep_tag(store, first.image, first.prompt, "extra fingers", "Ann")
    second, first = read_gallery_images(store, [ids[1], 999, ids[0]])
    assert (first.run, first.seed, first.tags) == ("a", 3, ("extra fingers",))
    assert [answer.state for answer in first.answers] == ["correct", "abstained", "unreadable"]
    assert first.value == 0.5
    assert (second.model, second.value, second.tags) == ("m/two", 0.0, ())


def test_an_image_without_its_file_has_no_thumbnail(store: Store) -> None:
    keep(store, Said())
    (id_,) = read_judged_images(store, ErrorSelection()).images["evaluation"].tolist()
    assert read_gallery_images(store, [id_])[0].thumbnail is None
