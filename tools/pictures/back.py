"""Scenes."""
SCENES = ()
