"""Pictures of every screen and state, taken of a demo house: `make pictures` writes docs/screens."""
