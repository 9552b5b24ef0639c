"""The example notebook: a kernel runs its cells, and shows what is kept of them."""

import base64
import json
import sys
import tempfile
from io import BytesIO
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image

NOTEBOOK = Path(__file__).parents[2] / "docs" / "balance.ipynb"
KERNEL = "of-this-python"
DRAWN = [
    'game.play(lineup="allround", games=64, seed=1, jobs=1).plot("won by position")',
    'fd.tournament(game, ["greedy", "random"], players=3, games=64, jobs=1).plot()',
    'fd.levers(game, "allround", only=["life"], games=64, jobs=1).plot("positions")',
    "fd.knockout(game, games=64, seed=1, jobs=1).plot()",
    'fd.ask("drake", "is Pride too strong?", levels=["good"], games=64, jobs=1).plot()',
    'fd.luck(game, "greedy,random,random,random", games=64, seed=1, jobs=1).plot()',
    "fd.compare(game.rules(), game.rules(life=4), lineup='random', games=64, "
    "jobs=1, detailed=False).plot()",
    'fd.skill("devil", samples=[1], games=16, seed=1, minutes=None, jobs=1).plot()',
]


@pytest.fixture
def execute(tmp_path, monkeypatch):
    """Run a notebook in a fresh kernel, of this Python and of nothing in a home."""
    with tempfile.TemporaryDirectory() as home:
        for name in ("CONFIG", "DATA", "RUNTIME"):
            monkeypatch.setenv(f"JUPYTER_{name}_DIR", home)
        monkeypatch.setenv("IPYTHONDIR", home)
        monkeypatch.delenv("MPLBACKEND", raising=False)
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        spec = {"argv": argv, "display_name": "Python", "language": "python"}
        place = Path(home, "kernels", KERNEL)
        place.mkdir(parents=True)
        (place / "kernel.json").write_text(json.dumps(spec), "utf-8")
        where = {"metadata": {"path": str(tmp_path)}}

        def run(book):
            NotebookClient(
                book,
                kernel_name=KERNEL,
                timeout=900,
                startup_timeout=600,
                record_timing=False,
                resources=where,
            ).execute()
            return code(book)

        yield run


def code(book):
    """The cells that are run."""
    return [cell for cell in book["cells"] if cell["cell_type"] == "code"]


def pictured(output):
    """Whether an output has a picture, and one that can be opened."""
    if "image/png" not in output.get("data", ()):
        return False
    picture = base64.b64decode(output["data"]["image/png"])
    with Image.open(BytesIO(picture)) as image:
        return image.format == "PNG" and min(image.size) > 100


def told(output):
    """What an output tells, but for the dots of its picture."""
    data = {**output.get("data", {}), "image/png": pictured(output)}
    return {**output, "data": data}


def test_every_plot_is_a_picture_in_a_fresh_notebook(execute):
    first = 'import fairdeal as fd\ngame = fd.Game("kunitame")'
    book = new_notebook(cells=[new_code_cell(text) for text in (first, *DRAWN)])
    _, *cells = execute(book)
    for cell in cells:
        [output] = cell["outputs"]
        assert pictured(output), cell["source"]


@pytest.mark.slow
def test_cells_show_what_is_kept(execute, update_golden):
    """All texts and tables, and that there is a picture where one is kept."""
    kept = nbformat.read(NOTEBOOK, as_version=4)
    book = nbformat.from_dict(kept)
    about = kept["metadata"].copy()
    cells = execute(book)
    if update_golden:
        book["metadata"] = about  # without the versions of this machine
        nbformat.write(book, NOTEBOOK)
        return
    for now, then in zip(cells, code(kept), strict=True):
        assert [*map(told, now["outputs"])] == [*map(told, then["outputs"])]
