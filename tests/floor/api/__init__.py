"""Tests of the HTTP calls and the socket, against servers of their own."""
