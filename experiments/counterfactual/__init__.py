"""What-ifs: games played twice, with one thing changed (``intervention``)."""
