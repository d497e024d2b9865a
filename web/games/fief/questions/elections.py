"""Asks for an election vote by vote: the candidates, and the choice of each voter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from rules.fief.data import Colour
from rules.fief.elections import eligibility, vacancies, voting
from rules.fief.moves import Election, Move
from rules.fief.votes import Bishop, King, LordsVote, PlayersVote, Pope
from rules.records import dataclass
from web.board.shapes import Shape
from web.game_pages import Answer, Codes, Draft, Question
from web.games.fief.icons import icon_of_lord
from web.games.fief.pieces import ROMAN
from web.games.fief.questions.asker import Asker, answers_under, put
from web.games.fief.scenery import marks_of

STANDS: Final = "c"
VOTE: Final = "v"
FOR: Final = ">"
NOBODY: Final = "-"
"""The answer that nobody is a candidate."""


def draft(asker: Asker, kind: str) -> Draft[Move] | None:
    """The election that is due, if it is of this kind."""
    state = asker.state
    if kind != state.phase.removesuffix("s") or not vacancies.election_due(state):
        return None
    bishopric = vacancies.bishopric_due(state) if kind == Bishop.kind else None
    return _Poll(asker, kind, bishopric or 0).draft()


@dataclass(frozen=True, slots=True)
class _Poll:
    """An unfinished election."""

    asker: Asker
    kind: str
    bishopric: int

    def draft(self) -> Draft[Move]:
        """The candidates, and the vote of each voter."""
        asker, state = self.asker, self.asker.state
        candidates = tuple(name for name in answers_under(asker.codes, STANDS) if name in state.lords)
        voters = voting.voters(state, self.move(candidates, {}))
        ballots = (answer.partition(FOR) for answer in answers_under(asker.codes, VOTE))
        votes = {voter: choice for voter, _, choice in ballots if voter in voters and choice in candidates}
        move = self.move(candidates, votes)
        voters_to_ask = voters if len(candidates) > 1 or (candidates and self.kind == King.kind) else []
        is_answered = candidates or NOBODY in answers_under(asker.codes, STANDS)
        return Draft(
            questions=(self.who_stands(), *(self.vote(voter, candidates, votes) for voter in voters_to_ask)),
            move=move if is_answered else None,
            lines=() if voters_to_ask else tuple(self.votes()),
        )

    def move(self, candidates: tuple[str, ...], votes: Mapping[str, str]) -> Election:
        """The election with these votes; all other voters abstain."""
        if self.kind == Bishop.kind:
            players = tuple(PlayersVote(cast("Colour", voter), choice) for voter, choice in votes.items())
            return Bishop(self.bishopric, candidates, players)
        lords = tuple(LordsVote(voter, choice) for voter, choice in votes.items())
        return Pope(candidates, lords) if self.kind == Pope.kind else King(candidates, lords)

    def who_stands(self) -> Question:
        """The question for the candidates: lords who may stand first, then the others with the objections."""
        asker, state = self.asker, self.asker.state
        may = eligibility.candidates(state, self.kind)
        lords = sorted(state.lords, key=lambda name: (name not in may, state.land.order[name]))
        seat = state.land.seats.get(self.bishopric, "")
        title = asker.say(f"stands_{self.kind}", number=ROMAN[self.bishopric], seat=seat)
        question = asker.ask_which(STANDS, title, [asker.lord(name, self.move((name,), {})) for name in lords])
        chosen = NOBODY in answers_under(asker.codes, STANDS)
        nobody = Answer(asker.say("nobody_stands"), put(asker.codes, STANDS, NOBODY), is_chosen=chosen)
        return replace(question, answers=(*question.answers, nobody))

    def votes(self) -> Iterator[str]:
        """The votes of each player for a bishop, before a choice."""
        if self.kind == Bishop.kind:
            for voter in voting.voters(self.asker.state, self.move((), {})):
                yield f"{self.weight(voter)} ({self.vote_sources(voter)})"

    def weight(self, voter: str) -> str:
        """A voter, with the number of votes."""
        n = voting.weight(self.asker.state, self.move((), {}), voter)
        return self.asker.say("voter", voter=self.asker.full_name(voter), n=n)

    def vote(self, voter: str, candidates: Sequence[str], votes: Mapping[str, str]) -> Question:
        """A voter's choice among the candidates."""
        asker = self.asker
        chosen = votes.get(voter)
        others = {other: choice for other, choice in votes.items() if other != voter}
        answers = [
            Answer(
                asker.full_name(name),
                self.codes_for(others | {voter: name}),
                self.picture(name),
                is_chosen=name == chosen,
            )
            for name in candidates
        ]
        answers.append(Answer(asker.say("abstains"), self.codes_for(others), is_chosen=chosen is None))
        return Question(self.weight(voter), tuple(answers), "pictures", self.vote_sources(voter))

    def codes_for(self, votes: Mapping[str, str]) -> Codes:
        """The answers with these votes."""
        return put(self.asker.codes, VOTE, *(f"{voter}{FOR}{choice}" for voter, choice in votes.items()))

    def picture(self, name: str) -> tuple[Shape, ...]:
        """A candidate."""
        state = self.asker.state
        return icon_of_lord(state.lords[name].player, name, marks_of(state, name))

    def vote_sources(self, voter: str) -> str:
        """The sources of a player's votes for a bishop; empty in other elections."""
        if self.kind != Bishop.kind:
            return ""
        votes = voting.votes_of(self.asker.state, self.bishopric, voter)
        return ", ".join(
            self.asker.say(f"votes_{vote.code}", name=self.asker.full_name(vote.name), n=vote.n) for vote in votes
        )
