"""Evilpact: grimoires of five elements, spells, and a contract with a demon."""
