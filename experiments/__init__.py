"""Simulations: cells and blocks, execution, variants, studies, analyses, commands."""
