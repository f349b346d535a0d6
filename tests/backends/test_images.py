"""A region is cut out with a margin, and without a region nothing is cut."""

from PIL import Image

from hallascope.backends.images import crop
from hallascope.data.regions import Box, window


def test_the_whole_image_stays_where_there_is_no_region() -> None:
    image = Image.new("RGB", (40, 20))
    assert crop(image, None) is image


def test_a_region_is_cut_at_its_window_and_a_square_one_has_equal_sides() -> None:
    image = Image.new("RGB", (100, 50), "navy")
    image.paste("red", (50, 10, 80, 30))
    region = Box(0.5, 0.2, 0.8, 0.6)
    left, top, right, bottom = window(region, 100, 50)
    part = crop(image, region)
    assert part.size == (right - left, bottom - top)
    assert part.getpixel((50 - left, 10 - top)) == (255, 0, 0)
    width, height = crop(image, region, square=True).size
    assert width == height
