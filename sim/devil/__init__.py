"""Devil: shed your hand by ones digits, over rounds, until a total is too high."""
