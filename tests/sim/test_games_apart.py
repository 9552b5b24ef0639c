"""A game is known in its own folders alone; all else finds it by its id."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.games import REGISTRY

ROOT = Path(__file__).parents[2]
PACKAGES = ("sim", "strategies", "reports", "experiments")


def imported(file: Path) -> Iterator[str]:
    """The modules that a file imports anywhere."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_no_other_module_imports_a_game() -> None:
    found = []
    for file in (file for name in PACKAGES for file in (ROOT / name).rglob("*.py")):
        own = file.relative_to(ROOT).parts[1]
        others = "|".join(game for game in REGISTRY if game != own)
        named = re.search(rf"\b({others})\b", file.read_text("utf-8"))
        for module in imported(file) if named else ():
            package, _, rest = module.partition(".")
            game = rest.partition(".")[0]
            if package in PACKAGES and game in REGISTRY and game != own:
                found.append(f"{file.relative_to(ROOT)} imports {module}")
    assert not found


@pytest.mark.parametrize("line", ["import sim.devil.play", "from sim import devil"])
def test_an_import_is_seen(line: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"def late():\n    {line}\n")
    [module] = imported(tmp_path / "a.py")
    assert module.startswith("sim.devil")
