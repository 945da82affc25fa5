"""Load for a floor: a house to load, a crowd of plain sockets, and what it does there."""
