"""A visitor of a public app changes what is theirs alone; the operator changes everything."""

import re
from dataclasses import replace

import pytest

from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.data.records import Question, QuestionSet
from hallascope.engine.access.limits import WRITES, OverLimit, Quota, Quotas
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.errors import BadRequest, StoreError, UnknownRun
from hallascope.engine.image_notes import image_notes, keep_note
from hallascope.engine.image_tags import TaggedImage, image_tags, keep_tags, remove_tag
from hallascope.engine.storage.owners import NotYours
from hallascope.engine.storage.people.ratings import RatingSubject
from hallascope.engine.storage.store import Store
from tests.engine.storage.test_store import PLACE, REQUEST

CAT = TaggedImage("image", "a cat")
SUBJECT = RatingSubject("image", "grade", "a cat", "", "Ann")
READING = PromptReading(prompt="a cat", objects=(AskedObject(id="o1", name="cat"),))
QUESTIONS = QuestionSet(
    prompt="a cat",
    questions=(Question(text="Is it a cat?", choices=("Yes", "No"), gold="A", coi="scene"),),
)


@pytest.fixture
def ann(store: Store) -> Store:
    return store.acting_for(Visitor("ann-id", "home"))


@pytest.fixture
def bo(store: Store) -> Store:
    return store.acting_for(Visitor("bo-id", "home"))


@pytest.fixture
def nobody(store: Store) -> Store:
    return store.acting_for(Visitor("", "home"))


def test_a_name_belongs_to_the_first_visitor_who_takes_it(
    store: Store, ann: Store, bo: Store, nobody: Store
) -> None:
    ann.ratings.keep(SUBJECT, "7")
    ann.ratings.keep(SUBJECT, "6")
    for other in (bo, nobody):
        with pytest.raises(NotYours):
            other.ratings.keep(SUBJECT, "1")
        with pytest.raises(NotYours):
            other.ratings.remove(SUBJECT)
        with pytest.raises(NotYours, match=r"somebody else|who you are"):
            other.readings.keep(READING, "Ann")
    assert [rating.value for rating in store.ratings.all()] == ["6"]
    bo.ratings.keep(replace(SUBJECT, rater="Bo"), "1")
    store.ratings.remove(SUBJECT)
    assert [rating.subject.rater for rating in store.ratings.all()] == ["Bo"]
    # names that stand in the store already are the operator's
    store.ratings.keep(replace(SUBJECT, rater="Di"), "7")
    store.readings.keep(READING, "Cy")
    for name in ("Di", "Cy"):
        with pytest.raises(NotYours, match=f"'{name}' is the name of somebody else"):
            ann.ratings.keep(replace(SUBJECT, rater=name), "1")


@pytest.mark.parametrize(
    "name", ["zoé", "ZOE\u0301", "Zo\u200bé", "Zoé\u2060", " Zoé", "\uff3aoé", "Zo\u00adé"]
)
def test_a_name_that_looks_like_that_of_another_is_taken(
    store: Store, ann: Store, bo: Store, name: str
) -> None:
    store.readings.keep(READING, "Zoé")
    ann.ratings.keep(replace(SUBJECT, rater="Zoe"), "7")
    for look in (name, name.replace("é", "e").replace("E\u0301", "E")):
        with pytest.raises(NotYours, match="is the name of somebody else"):
            bo.ratings.keep(replace(SUBJECT, rater=look), "1")
    ann.ratings.keep(replace(SUBJECT, rater="zoe"), "6")


def test_what_is_said_without_a_name_is_each_visitors_own(
    store: Store, ann: Store, bo: Store
) -> None:
    unnamed = replace(SUBJECT, rater="")
    ann.ratings.keep(unnamed, "7")
    bo.ratings.keep(unnamed, "1")
    seen = ann.ratings.for_picture("image", "grade", "a cat")[""]
    assert seen == {"": "7", "visitor bo-id": "1"}
    with pytest.raises(NotYours):
        bo.ratings.keep(replace(SUBJECT, rater="visitor ann-id"), "1")
    bo.ratings.remove(unnamed)
    assert [rating.value for rating in store.ratings.all()] == ["7"]


def test_tags_and_notes_of_others_stay(ann: Store, bo: Store) -> None:
    keep_tags(ann, [CAT], "blurry", "Ann")
    keep_note(ann, [CAT], "too dark")
    with pytest.raises(NotYours):
        remove_tag(bo, "image", "a cat", "blurry")
    keep_note(bo, [CAT], "")
    assert image_tags(bo, "image", "a cat") == ("blurry",)
    assert [note.text for note in image_notes(bo, "image", "a cat")] == ["too dark"]
    remove_tag(ann, "image", "a cat", "blurry")
    assert image_tags(ann, "image", "a cat") == ()


def test_what_the_operator_says_without_a_name_is_not_the_visitors(
    store: Store, ann: Store
) -> None:
    unnamed = replace(SUBJECT, rater="")
    store.ratings.keep(unnamed, "7")
    ann.ratings.keep(unnamed, "1")
    seen = ann.ratings.for_picture("image", "grade", "a cat")[""]
    assert seen == {"": "7", "visitor ann-id": "1"}
    keep_tags(store, [CAT], "blurry")
    with pytest.raises(NotYours):
        remove_tag(ann, "image", "a cat", "blurry")
    assert image_tags(ann, "image", "a cat") == ("blurry",)
    assert remove_tag(store, "image", "a cat", "blurry")
    assert image_tags(ann, "image", "a cat") == ()


def test_nobody_keeps_others_from_giving_an_image_tags(store: Store, ann: Store, bo: Store) -> None:
    for number in range(20):
        keep_tags(bo, [CAT], f"tag {number}")
    with pytest.raises(BadRequest, match="at most 20 tags"):
        keep_tags(bo, [CAT], "one more")
    for other in (ann, store):
        keep_tags(other, [CAT], f"dark {other.owners.stored_name('')}")
    assert len(image_tags(store, "image", "a cat")) == 22


@pytest.mark.parametrize("name", ["Ann", "", "visitor ann-id"])
def test_a_correction_of_a_visitor_holds_for_its_author_alone(
    store: Store, ann: Store, bo: Store, name: str
) -> None:
    operators = store.readings.keep(READING, "The operator")
    ann.readings.keep(READING, name)
    own = ann.readings.newest("a cat")
    assert own is not None
    assert own.author == (name or "visitor ann-id")
    assert bo.readings.newest("a cat") == store.readings.newest("a cat") == operators
    assert (len(store.readings.of_prompt("a cat")), len(store.readings.all())) == (1, 2)
    with pytest.raises(NotYours):
        bo.readings.remove("a cat", own.author)
    ann.readings.remove("a cat", name)
    assert ann.readings.newest("a cat") == operators


def test_questions_of_a_visitor_are_asked_for_that_visitor_alone(
    store: Store, ann: Store, bo: Store, nobody: Store
) -> None:
    ann.keep_question_set(QUESTIONS)
    assert (ann.question_set("A  cat"), bo.question_set("a cat")) == (QUESTIONS, None)
    assert (len(ann.question_sets()), bo.question_sets()) == (1, [])
    bo.remove_question_set("a cat")
    assert ann.question_set("a cat")
    with pytest.raises(NotYours):
        nobody.keep_question_set(QUESTIONS)
    shared = replace(QUESTIONS, source="made")
    store.keep_question_set(shared)
    assert ann.question_set("a cat") == bo.question_set("a cat") == shared


def test_a_run_of_several_is_no_visitors_alone(store: Store, ann: Store, bo: Store) -> None:
    ann.start_run("r", REQUEST, [PLACE])
    assert [entry.id for entry in ann.catalog.entries()] == ["r"]
    assert bo.catalog.entries() == []
    with pytest.raises(UnknownRun):
        bo.catalog.rename("r", "x")
    with pytest.raises(UnknownRun):
        bo.catalog.pin("r", True)
    bo.start_run("r", REQUEST, [PLACE])
    for acting in (ann, store, ann):
        acting.start_run("of the operator, too", REQUEST, [PLACE])
    with store.database.read_transaction() as session:
        for run in ("r", "of the operator, too"):
            assert not ann.owners.is_sole_author(session, "run", run)


def test_a_finished_run_stays_finished_where_others_begin_it_again(
    store: Store, ann: Store
) -> None:
    store.start_run("r", REQUEST, [PLACE])
    store.end_run("r", "finished")
    ann.start_run("r", REQUEST, [PLACE])
    assert store.run("r").state == "finished"
    ann.end_run("r", "stopped")
    assert store.run("r").state == "finished"


def test_a_public_app_says_where_its_store_lies_in_the_log_alone(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    place = store.display_address
    for acts in (lambda: store.run("\ud800"), lambda: store.evaluations_by_id([10**30])):
        store.database.quotas = None
        with pytest.raises(StoreError, match=re.escape(place)):
            acts()
        store.database.quotas = Quotas()
        with pytest.raises(StoreError, match="The store could not be read: check") as refused:
            acts()
        assert place not in str(refused.value)
        assert place in caplog.text
        caplog.clear()


def test_a_visitor_writes_so_often_and_so_much(store: Store, ann: Store) -> None:
    with pytest.raises(BadRequest, match=r"has 81 characters: shorten it to 80 or fewer"):
        ann.readings.keep(READING, "x" * 81)
    store.database.quotas = quotas = Quotas()
    ann = store.acting_for(Visitor("ann-id", "home"))
    quotas.writes = Quota([WRITES[0].with_most(3)], lambda: 0.0)
    for value in "123":
        ann.ratings.keep(SUBJECT, value)
    with pytest.raises(OverLimit, match="3 saved labels, notes and corrections a minute"):
        ann.ratings.keep(SUBJECT, "4")
    many = [replace(SUBJECT, image=str(number)) for number in range(201)]
    with pytest.raises(BadRequest, match="These are 201 images, and here at most 200"):
        ann.ratings.keep_values(dict.fromkeys(many, "1"))
    store.ratings.keep_values(dict.fromkeys(many, "1"))
