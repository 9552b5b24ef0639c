"""The gallery: its code makes every picture that the page shows."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "gallery.md").read_text("utf-8")
SHOWN = set(re.findall(r"\]\((gallery/\S+)\)", TEXT))


def test_pictures_are_small_and_shown():
    pictures = {f"gallery/{path.name}": path for path in (DOCS / "gallery").iterdir()}
    assert set(pictures) == SHOWN
    assert max(path.stat().st_size for path in pictures.values()) < 60_000


@pytest.mark.soak
def test_its_code_makes_them(tmp_path, monkeypatch):
    """As it is written, with fewer games."""
    monkeypatch.chdir(tmp_path)
    [code] = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    for many, few in (
        ("(2_048, 128)", "(160, 4)"),
        ("(512, 0)", "(60, 0)"),
        ("games=2_048", "games=1_024"),
        ("games = 1_000", "games = 60"),
        ("games=256", "games=16"),
    ):
        assert many in code
        code = code.replace(many, few)
    exec(compile(code, "gallery.md", "exec"), {})  # noqa: S102 - our own page
    made = {f"gallery/{path.name}" for path in Path("docs/gallery").iterdir()}
    assert made == SHOWN
