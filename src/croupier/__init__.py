"""Croupier: casino baccarat by the book."""
