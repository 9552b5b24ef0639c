"""A study of Kunitame: do four lives change who wins?"""

import tomllib
from typing import Any

from experiments.studies.study import Study, parse

FILE = """
question = "Do four lives change who wins?"
game = "kunitame"
lineups = ["greedy,random,random,random", "random"]
games = 3_000
seed = 5
detailed = false

[variants]
base = {}
four-lives = { rules = { life = 4 } }
"""


def study(**values: Any) -> Study:
    """The study of the file, with these values instead."""
    return parse({**tomllib.loads(FILE), **values})


def small(**values: Any) -> Study:
    """The same of random play alone, and fewer games."""
    return study(**{"lineups": ["random"], "games": 2_500, **values})
