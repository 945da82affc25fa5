"""The HTTP calls of a floor: one module for each kind, all under ``/api/v1``."""
