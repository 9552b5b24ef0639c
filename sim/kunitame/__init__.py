"""Kunitame: contracts with a devil, pledges and tricks, over four weeks."""
