"""Errors that stop a run, and errors that stop only one of its cells."""

import pickle
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.errors import error_text

if TYPE_CHECKING:
    from experiments.core.block_records import Block

_EXPECTED = {
    "BlockLost",
    "IllegalAnswer",
    "NotConserved",
    "StrategyFailed",
    "RuleError",
    "UnknownStrategy",
}


class RunFailed(RuntimeError):
    """A run that stopped; the message says why, and what to do next."""


class BlockLost(RuntimeError):
    """Games that ended every process that tried to play them."""


@dataclass(frozen=True)
class BlockFailure:
    """A block that could not be played, and why."""

    block: "Block"
    error: Exception
    where: str = ""  # the traceback, which does not travel with the error

    @property
    def message(self) -> str:
        """The reason in a sentence, with the kind of error if it is unexpected."""
        name = type(self.error).__name__
        return str(self.error) if name in _EXPECTED else error_text(self.error)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it without the traceback, which some libraries make picklable."""
        error = self.error.with_traceback(None)
        return BlockFailure, (self.block, error, self.where)

    def raised(self) -> Exception:
        """Return the error to raise, with a note of where another process raised it."""
        if self.error.__traceback__ is None and self.where:
            self.error.add_note(self.where)
        return self.error


def block_failure(block: "Block", error: BaseException) -> BlockFailure:
    """Return an error in a form that can travel between processes.

    Errors of the machine become ``RunFailed``; a library's panic and ``SystemExit``
    become an ``Exception``.
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
    """Return whether an error can be sent to another process."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - made in this line
    except Exception:
        return False
    return True
