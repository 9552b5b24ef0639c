"""Options of the test run.

What asks for all cores has one in tests, so that no other process is started but where
a test says how many: pytest itself is spread over the cores. So are products of
matrices, whose threads would wait for those of others. The command line is built once,
rather than anew for each of the many commands.
"""

import os
import sys
from functools import cache

import pytest
import typer.testing

os.environ["LOKY_MAX_CPU_COUNT"] = "1"
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
if sys.dont_write_bytecode:  # or each of many processes compiles all modules anew
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
typer.testing._get_command = cache(typer.main.get_command)
pytest.register_assert_rewrite("tests.games")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the golden transcripts anew, from what the games do now",
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden transcripts are to be written anew."""
    return bool(request.config.getoption("--update-golden"))
