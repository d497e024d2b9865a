"""Asks for a combat: camps, strengths line by line, and dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from rules.fief.combats.camps import can_attack, can_be_attacked
from rules.fief.combats.dice import CAMPS, NOT_THROWN, Dice, battle
from rules.fief.combats.strengths import Part, strength
from rules.fief.data import Colour
from rules.fief.lords import lords_at
from rules.fief.moves import Attack, Move, Siege
from rules.fief.state import State
from rules.records import dataclass
from web.game_pages import SUM, Draft, Question, Roll
from web.games.fief.questions.asker import Asker, CandidateAnswer, first_legal, put

WITH: Final = "with"
AGAINST: Final = "against"
OUT: Final = "out"


def attack(asker: Asker, village: str | None) -> Draft[Move]:
    """An attack at a village, or with a question for the village."""
    state = asker.state
    places = [name for name in state.land.villages if lords_at(state, name, state.turn)]
    candidates = [
        CandidateAnswer(name, name, first_legal(state, _attacks(state, name)), note=_attackable_players(asker, name))
        for name in places
    ]
    place = village or asker.answer("at", candidates)
    if place is not None:
        return _Sheet(asker, place).draft()
    asker.ask("at", asker.say("attack_where"), candidates, None)
    return asker.draft(cells=asker.cells("at", candidates))


def siege(asker: Asker, village: str | None) -> Draft[Move]:
    """A siege of a castle or city."""
    state = asker.state
    places = [name for name in state.land.villages if name == village or lords_at(state, name, state.turn)]
    candidates = [CandidateAnswer(name, name, Siege(name), note=_attackable_players(asker, name)) for name in places]
    place = asker.choose("at", asker.say("siege_where"), candidates, village)
    return asker.draft(Siege(place) if place else None, asker.cells("at", candidates))


def _attacks(state: State, village: str) -> Iterator[Attack]:
    """An attack on each other player at a village, with the least sums; on oneself if there is nobody else."""
    leader = state.turn or state.first
    for other in [player for player in can_be_attacked(state, village) if player != leader] or [leader]:
        least = battle(state, Attack(village, (leader,), (other,), (0, 0))).dice.least
        yield Attack(village, (leader,), (other,), (least, least))


def _attackable_players(asker: Asker, village: str) -> str:
    return ", ".join(map(asker.words.player, can_be_attacked(asker.state, village)))


@dataclass(frozen=True, slots=True)
class _Sheet:
    """An unfinished combat."""

    asker: Asker
    village: str

    def draft(self) -> Draft[Move]:
        """The camps, and once there are two, their strengths and the dice."""
        sides = {player: self.side(player) for player in self.others()}
        questions = [self.ask_side(player, side) for player, side in sides.items()]
        leader = self.asker.state.turn or self.asker.state.first
        attackers = (leader, *(player for player, side in sides.items() if side == WITH))
        enemies = tuple(player for player, side in sides.items() if side == AGAINST)
        if not enemies:
            nobody = self.asker.say("no_enemy", village=self.village)
            return Draft(tuple(questions), lines=(nobody,), at=self.village)
        waiting = Attack(self.village, attackers, enemies, NOT_THROWN)
        fought = battle(self.asker.state, waiting)
        sums = [str(number) for number in range(fought.dice.least, fought.dice.most + 1)]
        dice_sums = {camp: sums[0] if len(sums) == 1 else self.asker.answer_among(camp, sums) for camp in CAMPS}
        lines = {camp: tuple(self.lines(camp, parts)) for camp, parts in zip(CAMPS, fought[:2], strict=True)}
        needs_dice = len(sums) > 1
        if needs_dice:
            asks = (self.ask_sum(camp, sums, dice_sums[camp], lines[camp], fought.dice) for camp in CAMPS)
            rolls = (Roll(waiting, camp, put(self.asker.codes, camp, SUM)) for camp in CAMPS)
            questions += [replace(ask, roll=roll) for ask, roll in zip(asks, rolls, strict=True)]
        one, other = dice_sums["attack"], dice_sums["defence"]
        move = Attack(self.village, attackers, enemies, (int(one), int(other))) if one and other else None
        notes = () if needs_dice else (*lines["attack"], *lines["defence"], self.asker.say("no_dice"))
        return Draft(tuple(questions), move, lines=notes, at=self.village)

    def others(self) -> Sequence[Colour]:
        """The other players who can be in a camp."""
        state = self.asker.state
        present = {*can_attack(state, self.village), *can_be_attacked(state, self.village)}
        return [player for player in state.colours if player in present and player != state.turn]

    def side(self, player: str) -> str:
        """The camp of a player. If there is only one other player, that one is an enemy by default."""
        unsaid = AGAINST if len(self.others()) == 1 else OUT
        return self.asker.answer_among(f"side-{player}", (WITH, AGAINST, OUT)) or unsaid

    def ask_side(self, player: Colour, side: str) -> Question:
        """The question for the camp of a player, or none."""
        asker, state = self.asker, self.asker.state
        may = {
            WITH: player in can_attack(state, self.village),
            AGAINST: player in can_be_attacked(state, self.village),
            OUT: True,
        }
        answers = {camp: asker.say(f"side_{camp}") for camp, possible in may.items() if possible}
        title = asker.words.player(player)
        question = asker.line(f"side-{player}", title, answers, side, self.holdings(player))
        return replace(question, form="choices")

    def holdings(self, player: Colour) -> str:
        """The pieces of a player at the place."""
        asker, state = self.asker, self.asker.state
        parts = [asker.full_name(name) for name in lords_at(state, self.village, player)]
        left = [army for army in state.armies if army.place == self.village and army.player == player]
        parts += [asker.say("army", lord=army.lord) for army in left]
        if state.control.get(self.village) == player:
            parts.append(asker.say(f"holds_{state.buildings.get(self.village, 'village')}"))
        return ", ".join(parts)

    def lines(self, camp: str, parts: Sequence[Part]) -> Iterator[str]:
        """The strength of a camp, part by part, then the total."""
        for part in parts:
            yield self.asker.say(f"part_{part.code}", name=self.asker.full_name(part.name), n=part.n)
        yield self.asker.say(f"strength_{camp}", n=strength(parts))

    def ask_sum(
        self, camp: str, sums: Sequence[str], chosen: str | None, lines: tuple[str, ...], dice: Dice
    ) -> Question:
        """The question for the sum of a camp's dice, from the possible ones, below the camp's strength."""
        kinds: Mapping[str, int] = {"ordinary": dice.ordinary, "battle": dice.battle}
        dice_names = tuple(self.asker.say(f"dice_{kind}", n=number) for kind, number in kinds.items() if number)
        title = self.asker.say(f"thrown_{camp}", dice=dice_names)
        question = self.asker.line(camp, title, dict(zip(sums, sums, strict=True)), chosen)
        return replace(question, form="choices", lines=lines)
