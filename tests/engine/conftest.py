"""The fixtures of the engine, for the tests in this folder."""

from tests.support.engine_fixtures import empty, judge, no_waits, painter, postgres, store, url

__all__ = ["empty", "judge", "no_waits", "painter", "postgres", "store", "url"]
