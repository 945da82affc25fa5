"""Scenes."""

SCENES = ()
