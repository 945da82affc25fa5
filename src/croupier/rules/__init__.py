"""The rules room: cards, tableau, coups, outcomes, wagers and games. Pure throughout."""
