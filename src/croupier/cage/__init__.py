"""The cage: wallets, tickets, transfers to seats, and the banks of tables."""
