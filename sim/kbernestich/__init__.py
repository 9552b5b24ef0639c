"""Kbernestich: trump, bids and cubes plotted on a sheet, over four rounds of tricks."""
