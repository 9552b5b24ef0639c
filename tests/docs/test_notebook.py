"""The example notebook: its cells run, and show what it keeps of them."""

import ast
import base64
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

NOTEBOOK = Path(__file__).parents[2] / "docs" / "balance.ipynb"


def shown(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a cell; what a notebook shows of its last line."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), NOTEBOOK.name, "exec"), names)  # noqa: S102
    if last is None:
        return []
    value = eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)  # noqa: S307
    data: dict[str, Any] = {"text/plain": str(value).splitlines(keepends=True)}
    if isinstance(value, Figure):
        value.savefig(picture := BytesIO(), format="png", dpi=80)
        image = base64.b64encode(picture.getvalue()).decode()
        data = {"image/png": image, "text/plain": ["<Figure>"]}
    about = {"output_type": "execute_result", "execution_count": None, "metadata": {}}
    return [about | {"data": data}]


@pytest.mark.slow
def test_cells_show_what_is_kept(tmp_path, monkeypatch, update_golden):
    """All texts, and that there is a picture where one is kept."""
    monkeypatch.chdir(tmp_path)
    book, names = json.loads(NOTEBOOK.read_text("utf-8")), {}
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        found = shown("".join(cell["source"]), names)
        if update_golden:
            cell["outputs"] = found
        kept = [output["data"] for output in cell["outputs"]]
        told = [output["data"] for output in found]
        assert [sorted(data) for data in told] == [sorted(data) for data in kept]
        texts = [[data["text/plain"] for data in side] for side in (told, kept)]
        assert texts[0] == texts[1]
    if update_golden:
        text = json.dumps(book, indent=1, ensure_ascii=False)
        NOTEBOOK.write_text(f"{text}\n", "utf-8")
