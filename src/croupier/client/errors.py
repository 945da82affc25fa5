"""Why something did not come about: it was refused, or nobody could be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.client.wire import Problem


class ClientError(Exception):
    """Something that a client wanted did not come about; the message is one sentence."""


class Refused(ClientError):  # noqa: N818  # the word of the trade
    """The floor said no; ``problem`` has the code, the clause and the sentence."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem

    @property
    def code(self) -> str:
        """Return the code of the refusal."""
        return self.problem.code


class SignedOut(Refused):
    """The session is over, or the login was not accepted."""


class Unavailable(ClientError):  # noqa: N818  # the word of the trade
    """The floor could not be reached, or could not answer, for as long as was waited."""
