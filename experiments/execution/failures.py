"""What stops a run, and what stops only one of its cells."""

import pickle
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.errors import error_text

if TYPE_CHECKING:
    from experiments.core.recording import Block

_EXPECTED = {
    "BlockLost",
    "IllegalAnswer",
    "StrategyFailed",
    "RuleError",
    "UnknownStrategy",
}


class RunFailed(RuntimeError):
    """A run that stopped; says why and what to do next."""


class BlockLost(RuntimeError):
    """Games that ended the process that played them, each time that one did."""


@dataclass(frozen=True)
class BlockFailure:
    """A block that could not be played, and why."""

    block: "Block"
    error: Exception
    where: str = ""  # the traceback, which does not travel with the error

    @property
    def message(self) -> str:
        """Why, in a sentence; the kind of error where it was not foreseen."""
        name = type(self.error).__name__
        return str(self.error) if name in _EXPECTED else error_text(self.error)

    def __reduce__(self) -> tuple[Any, ...]:
        """Without the traceback, which some libraries make travel with an error."""
        error = self.error.with_traceback(None)
        return BlockFailure, (self.block, error, self.where)

    def raised(self) -> Exception:
        """The error to raise, with where it was raised if that was elsewhere."""
        if self.error.__traceback__ is None and self.where:
            self.error.add_note(self.where)
        return self.error


def caught(block: "Block", error: BaseException) -> BlockFailure:
    """An error as it can travel between processes.

    What is wrong with the machine and not with the cell becomes ``RunFailed``. What is
    no ``Exception`` (a library's panic, ``SystemExit``) becomes one.
    """
    where = "".join(traceback.format_exception(error))
    if isinstance(error, MemoryError):
        error = RunFailed("out of memory. Repeat the command with fewer --jobs.")
    if not isinstance(error, Exception):
        error = RuntimeError(error_text(error))
    if not _travels(error):
        error.__cause__ = error.__context__ = None  # some libraries pickle these too
    if not _travels(error):
        error = RuntimeError(error_text(error))
    return BlockFailure(block, error, where)


def _travels(error: Exception) -> bool:
    """Whether another process can be sent an error."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - made in this line
    except Exception:
        return False
    return True
