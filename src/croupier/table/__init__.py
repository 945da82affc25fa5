"""The table room: pure. So far it holds the shape of a rulebook; the round follows."""
