"""What the tests of the client share."""

from tests.floor.serving import served

__all__ = ["served"]
