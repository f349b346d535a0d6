"""Makes ratings of what tests have people say."""

from hallascope.engine.storage.people.ratings import Rating, RatingSubject


def rating_of(subject: RatingSubject, value: str, created: float) -> Rating:
    return Rating(**vars(subject), value=value, created=created)
