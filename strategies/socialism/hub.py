"""A dense network."""

from dataclasses import dataclass

from sim.socialism.view import SocialismView
from strategies.by_worth import by_worth
from strategies.socialism import features
from strategies.socialism.features import Numbers
from strategies.socialism.heuristic import Heuristic, Near


@dataclass(frozen=True)
class Hub(Heuristic):
    """Friends bring Friends: it places Users side by side, and lets connectors invite.

    It plays a User whenever it can, where most others lie, and has the Member with most
    Friends outside its network invite personally.
    """

    name = "hub"

    def gains(self, view: SocialismView) -> dict[str, Numbers | float]:
        """A User before all else."""
        return super().gains(view) | {"user": 10.0}

    def near(self, view: SocialismView) -> Near:
        """Beside as many as possible, Members or not."""
        return ((view.layout.everybody, 1.0),)

    def ways(self, view: SocialismView) -> Numbers:
        """Personally, if a Friend may be won by it."""
        worth = super().ways(view)
        worth[2] *= 2
        return worth

    @by_worth
    def inviter(self, view: SocialismView) -> Numbers:
        """The Member with most Friends outside the network."""
        return features.around(view, features.users_to_win(view))
