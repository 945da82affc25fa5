"""The running casino: desks, clocks and sources of cards."""
