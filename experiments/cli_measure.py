"""Commands that measure: ``check-strategy`` and ``bench``."""

import typer


def register(app: typer.Typer) -> None:
    """Add these commands."""
