"""Who was found to lead a report, kept in its directory.

    leader.json         who leads, the players of other strengths, and what was asked
    policies/HASH.npz   the policies that they learned

So a report to which sections are added later, perhaps in another folder or on another
machine, is about the same players, and nobody learns anew.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from experiments.analysis.leader import FindLeader, Leader, who_plays
from experiments.core.cells import UsageError
from experiments.execution import atomic_files, kept_policies
from experiments.execution.checksummed_json import seal, unseal
from sim.parameters import Rules
from strategies import policy_store

_FILE = "leader.json"
_FOUND = TypeAdapter(tuple[Leader, dict[str, str]])


def kept_players(
    lead: Leader | FindLeader,
    game: str,
    rules: Rules,
    counts: Sequence[int],
    out: Path,
    *,
    found: bool,
) -> tuple[Leader, Mapping[str, str], Callable[[], None]]:
    """Return who leads the report in a directory, and the others of ``who_plays``.

    They are those that the directory has for the same question; else they are found.
    Also return what keeps them there, to be called once it is the directory of a run.
    """
    if not found:
        return *who_plays(lead, game, rules, counts, found=False), lambda: None
    asked = {
        "game": game,
        "rules": json.loads(json.dumps(rules.plain())),
        "players": [*counts],
        "lead": getattr(lead, "__name__", repr(lead)),
    }
    known = _known(out, asked)
    leader, levels = known or who_plays(lead, game, rules, counts, found=True)
    return leader, levels, partial(_keep, out, asked, leader, levels)


def _known(
    out: Path, asked: Mapping[str, Any]
) -> tuple[Leader, Mapping[str, str]] | None:
    """Return who was kept, if that can be read and trusted."""
    with suppress(FileNotFoundError, UsageError, ValidationError):
        kept = unseal(out / _FILE, "leader")
        found = _FOUND.validate_python(kept.get("found"))
        if kept.get("asked") == asked and ".py" not in _specs(*found):  # no code is run
            kept_policies.make_known(out, kept)
            return found
    return None


def _keep(
    out: Path, asked: Mapping[str, Any], leader: Leader, levels: Mapping[str, str]
) -> None:
    names = policy_store.names_in(_specs(leader, levels))
    policies = {kept_policies.POLICIES: kept_policies.described(names)}
    kept_policies.keep(out, policies)
    values = {"asked": asked, "found": [asdict(leader), dict(levels)], **policies}
    atomic_files.write_file(out / _FILE, seal("leader", values))


def _specs(leader: Leader, levels: Mapping[str, str]) -> str:
    return " ".join([leader.spec, leader.base, *levels.values()])
