"""The images of a benchmark are found by number, and what is missing or odd is counted."""

from pathlib import Path

from hallascope.data.benchmarks.images import image_folders


def _write(root: Path, *names: str) -> None:
    folder = root / "models" / "dalle-3" / "science" / "weird"
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_bytes(b"" if name.startswith("9") else b"x")


def test_images_are_found_by_number_whatever_their_ending(tmp_path: Path) -> None:
    _write(tmp_path, "1.jpg", "02.PNG", "3.webp", "notes.txt")
    [folder] = image_folders(tmp_path / "models")
    assert (folder.model, folder.field, sorted(folder.files)) == ("dalle-3", "science", [1, 2, 3])
    assert folder.complaints([1, 2, 3]) == []
    assert folder.complaints([]) == []


def test_what_is_missing_unknown_empty_or_odd_is_one_complaint_a_kind(tmp_path: Path) -> None:
    _write(tmp_path, "1.jpg", "1.png", "7.jpg", "9.jpg", "cat.jpg")
    [folder] = image_folders(tmp_path / "models")
    assert [complaint.problem for complaint in folder.complaints([1, 2])] == [
        "1 of 2 images are missing: 2",
        "1 images belong to no prompt: 7",
        "1 files are empty and left out: 9.jpg",
        "2 files are left out, as their names are no number or stand there twice: 1.png, cat.jpg",
    ]


def test_the_textbook_s_own_images_are_called_factual(tmp_path: Path) -> None:
    (tmp_path / "models" / "dalle-3" / "history" / "normal").mkdir(parents=True)
    assert [folder.model for folder in image_folders(tmp_path / "models")] == ["factual"]


def test_without_a_folder_of_models_there_are_no_images(tmp_path: Path) -> None:
    assert image_folders(tmp_path / "models") == []
