"""What a refusal's message must look like."""

from __future__ import annotations

import re


def is_one_sentence(message: str) -> bool:
    """Tell whether this is one sentence: begun, ended by a full stop, none ended within."""
    begun_and_ended = re.fullmatch(r"[A-Z0-9'\"].*[^.\s]\.", message)
    return begun_and_ended is not None and re.search(r"[.!?]\s", message) is None
