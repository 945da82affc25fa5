"""Frames of WebSockets by hand, where they are plain: nothing is done more often.

What the server sends is a text frame, the same bytes for everybody. What clients send is nearly
always one whole text frame; everything else (fragments, pings, a frame cut in two) is left to
the protocol of websockets.
"""

from __future__ import annotations

from typing import Final

try:  # as websockets itself does
    from websockets.speedups import apply_mask
except ImportError:  # where it is not compiled
    from websockets.utils import apply_mask

TEXT: Final = 0x81
"""The first byte of a text frame that is whole."""
CONTROL: Final = frozenset((0x88, 0x89, 0x8A))
"""Those of a close, a ping and a pong."""
MASKED: Final = 0x80
SIZE_SHORT: Final = 126
"""From here on the size of a frame stands in two bytes of its own, or in eight."""
SIZE_LONG: Final = 127
SHORT_MAX: Final = 0xFFFF
MASK_BYTES: Final = 4
LONG_HEAD: Final = 2 + 2 + MASK_BYTES
"""How many bytes stand before a text whose size has two."""


def frame(text: bytes) -> bytes:
    """Return a text frame as it goes over the wire: the same bytes for everybody."""
    size = len(text)
    if size < SIZE_SHORT:
        return b"\x81%c%b" % (size, text)
    if size <= SHORT_MAX:
        return b"\x81\x7e%b%b" % (size.to_bytes(2), text)
    return b"\x81\x7f%b%b" % (size.to_bytes(8), text)


def unframe(data: bytes) -> list[bytes]:
    """Return the texts of frames as ``frame`` made them, one after the other.

    >>> unframe(frame(b"{}") + frame(b"x" * 300))[0], len(unframe(frame(b"x" * 70_000))[0])
    (b'{}', 70000)
    """
    texts, at = [], 0
    while at < len(data):
        size, start = data[at + 1], at + 2
        if size >= SIZE_SHORT:
            start += 2 if size == SIZE_SHORT else 8
            size = int.from_bytes(data[at + 2 : start])
        at = start + size
        texts.append(data[start:at])
    return texts


def said(data: bytes) -> list[bytes | None] | None:
    """Return the texts of a client's frames, None for one that is a close, a ping or a pong.

    None for all of it: they are not all whole, masked and of these kinds, and not cut anywhere.

    >>> said(bytes((0x81, 0x82, 1, 2, 3, 4, ord("{") ^ 1, ord("}") ^ 2)))
    [b'{}']
    >>> said(bytes((0x89, 0x80, 1, 2, 3, 4))), said(bytes((0x81, 0x82, 1, 2, 3, 4, 0)))
    ([None], None)
    """
    found: list[bytes | None] = []
    at, end = 0, len(data)
    if end > LONG_HEAD and data[0] == TEXT and data[1] == MASKED | SIZE_SHORT:
        size = int.from_bytes(data[2:4])
        if end == LONG_HEAD + size:  # one command, by far the most
            return [apply_mask(data[LONG_HEAD:], data[4:LONG_HEAD])]
    while at < end:
        if end - at < 2 + MASK_BYTES or not data[at + 1] & MASKED:
            return None
        kind, size, start = data[at], data[at + 1] & ~MASKED, at + 2
        if size == SIZE_LONG or (kind != TEXT and (kind not in CONTROL or size == SIZE_SHORT)):
            return None
        if size == SIZE_SHORT:
            size, start = int.from_bytes(data[start : start + 2]), start + 2
        text = start + MASK_BYTES
        at = text + size
        if at > end:
            return None
        found.append(apply_mask(data[text:at], data[start:text]) if kind == TEXT else None)
    return found
