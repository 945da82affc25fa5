"""Pictures of every screen and state, of a demo house: `make pictures` writes docs/screens."""
