"""The what-ifs of a study: tables ``[what_if.NAME]``, each of one or several changes.

    [what_if.no-black]
    forbid = "claim:black"

    [what_if.richer-and-bolder]
    other_rules = { life = 4 }
    force = "contract:3"
    when = "week 1"

Their keys are the arguments of ``fairdeal.what_if`` that say what is changed.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field, ValidationError

from experiments.core.cells import Cell, UsageError
from experiments.counterfactual.intervention import Intervention
from experiments.counterfactual.named_interventions import interventions_named
from experiments.studies.plans import Plan, plan
from experiments.studies.study import Study
from experiments.studies.study_short_forms import StudyTable
from sim.parameters import RuleError, no_such
from strategies.registry import UnknownStrategy

_Names = str | list[str]


class WhatIfTable(StudyTable):
    """A table ``[what_if.NAME]`` of a study."""

    when: str = Field("", description="Decisions and a moment: 'claim in week 2'.")
    whose: str = Field("first", description="Whose decisions: first, or all.")
    forbid: _Names = Field("", description="Options that may not be taken.")
    force: _Names = Field("", description="Options that are taken if possible.")
    decline: bool = Field(False, description="Decline the decisions of `when`.")
    grant: _Names = Field("", description="Things of which one player gets one more.")
    swap_cards: _Names = Field("", description="Cards to have, rather than not.")
    other_rules: dict[str, Any] = Field({}, description="Rules that are changed.")
    other_strategy: str = Field("", description="The strategy that decides instead.")


def what_ifs_of(study: Study) -> tuple[Plan, list[Intervention[Any]], int]:
    """Return the plan of a study, what is changed in it, and the number of games.

    Raises ``UsageError`` if the plan has more than one cell, or no what-ifs.
    """
    planned = plan(study)
    cells = planned.cells
    if len(cells) > 1:
        raise UsageError(
            f"{study.where}: a what-if takes one rule set, lineup and number of "
            f"players; this study has {len(cells)} of them. Choose with --variant, "
            "--lineup and --players."
        )
    if not study.what_if:
        raise UsageError(
            f"{study.where}: there is no what-if. Add a table, such as "
            '[what_if.mine] with forbid = "DECISION:OPTION".'
        )
    named = {each.title: each for each in _found(study, cells[0])}
    return planned, [*named.values()], study.most


def _found(study: Study, cell: Cell) -> Iterator[Intervention[Any]]:
    """Yield what all tables change; raises errors that name the table."""
    for name, values in study.what_if.items():
        try:
            yield from interventions_named(cell, **_checked(values))
        except (UsageError, RuleError, UnknownStrategy) as error:
            raise type(error)(f"{study.where}: [what_if.{name}] {error}") from None


def _checked(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments in a table; raises ``UsageError``."""
    for key in values:
        if key not in WhatIfTable.model_fields:
            raise UsageError(no_such("key", key, WhatIfTable.model_fields))
    try:
        return WhatIfTable.model_validate(values).model_dump()
    except ValidationError as error:
        first = error.errors()[0]
        place, message = first["loc"][0], str(first["msg"])
        raise UsageError(
            f"{place}: {message[0].lower()}{message[1:]}, not {first['input']!r}."
        ) from None
