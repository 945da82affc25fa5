"""The accounts: users and their positions, devices, exclusions and own limits of patrons."""
