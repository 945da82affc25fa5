"""What all tests of the floor share."""

from __future__ import annotations

import pytest

from croupier.floor import serving


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up a medium that is gone for ever sooner than a house would."""
    monkeypatch.setattr(serving, "PAUSES_SECONDS", (0.0, 0.001, 0.01))
