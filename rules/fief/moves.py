"""Fief: every kind of move, in the players' own words. Their annotations are their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, TypeAlias

from rules.fief.data import (
    COLOURS,
    DAUPHIN,
    MAX_VILLAGES,
    SPOKEN_COLOURS,
    Colour,
    FiefName,
    LordName,
    VillageName,
)
from rules.fief.votes import Bishop, King, Pope, SomeLords, require_each_once
from rules.forms import Between, Malformed, Most
from rules.records import dataclass

SomePlayers: TypeAlias = Annotated[tuple[Colour, ...], Most(len(COLOURS))]
Sum: TypeAlias = Annotated[int, Between(0, 999)]


# --- phases 1 to 4 -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Marry:
    """A marriage, with the consent of both players (`FI-10`).

    `man`: the husband.
    `woman`: the wife.
    """

    man: LordName
    woman: LordName
    kind: ClassVar[str] = "marry"


# --- phase 5, purchases ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BuyCastle:
    """A castle on a plain village (`FI-51`).

    `village`: the village that gets the castle.
    """

    village: VillageName
    kind: ClassVar[str] = "buy_castle"


@dataclass(frozen=True, slots=True)
class BuyCard:
    """A card drawn unseen (`FI-54`)."""

    kind: ClassVar[str] = "buy_card"


@dataclass(frozen=True, slots=True)
class BuyTitle:
    """A fief's title for a lord (`FI-52`).

    `lord`: the lord who gets the title.
    `at`: the castle that becomes the city, if there are several.
    """

    fief: FiefName
    lord: LordName
    at: VillageName | None = None
    kind: ClassVar[str] = "buy_title"


@dataclass(frozen=True, slots=True)
class BuyCardinal:
    """The cardinal's title that is for sale (`FI-53`).

    `lord`: the lord who becomes a cardinal.
    `consent`: the pope's player, who agrees.
    """

    lord: LordName
    consent: Colour | None = None
    kind: ClassVar[str] = "buy_cardinal"


@dataclass(frozen=True, slots=True)
class PlayLord:
    """A lord's card (`FI-54`): the lord comes into play, perhaps as crown prince.

    `lord`: the lord on the card.
    `village`: the village where the lord comes into play.
    `dauphin`: whether the lord is declared crown prince.
    """

    lord: LordName
    village: VillageName
    dauphin: bool = False
    kind: ClassVar[str] = "lord"

    def __post_init__(self) -> None:
        if self.village.split(" ")[-1] == DAUPHIN:
            raise Malformed("cell", "/village", text=self.village)


@dataclass(frozen=True, slots=True)
class PlayCardinal:
    """A cardinal's card (`FI-53`, `FI-54`).

    `lord`: the lord who becomes a cardinal.
    `consent`: the pope's player, who agrees.
    """

    lord: LordName
    consent: Colour | None = None
    kind: ClassVar[str] = "cardinal"


@dataclass(frozen=True, slots=True)
class PlayArc:
    """D'Arc's card, laid on a woman (`FI-54`).

    `lord`: the woman.
    """

    lord: LordName
    kind: ClassVar[str] = "darc"


@dataclass(frozen=True, slots=True)
class Give:
    """A fief's title granted, given away or passed on (`FI-55`, `FI-56`).

    `lord`: the lord who gets the title.
    `at`: the castle that becomes the city, if there are several.
    """

    fief: FiefName
    lord: LordName
    at: VillageName | None = None
    kind: ClassVar[str] = "give"


@dataclass(frozen=True, slots=True)
class Cede:
    """A village, plain or with its castle, that goes to another player (`FI-57`).

    `village`: the village that changes hands.
    `player`: who gets it.
    """

    village: VillageName
    player: Colour
    kind: ClassVar[str] = "cede"


# --- phases 6 and 7 ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class March:
    """Lords who move together along roads (`FI-60`).

    `lords`: the lords who move.
    `path`: the village that they leave, and each one that they enter.
    `consents`: the players who let them pass (`FI-62`, `FI-63`).
    """

    lords: SomeLords
    path: Annotated[tuple[VillageName, ...], Most(MAX_VILLAGES)]
    consents: SomePlayers = ()
    kind: ClassVar[str] = "move"

    def __post_init__(self) -> None:
        if not self.lords or len(self.path) < 2:
            raise Malformed("march", "/path" if self.lords else "/lords")
        require_each_once(self.lords, "/lords")
        require_each_once(self.consents, "/consents")


@dataclass(frozen=True, slots=True)
class Attack:
    """A battle at a village (`FI-70`): its two camps, and the dice of each.

    `village`: the village where the battle is.
    `attackers`: the players who attack, first the one whose attack it is.
    `enemies`: the players who are attacked.
    `dice`: the sum of each camp's dice, first that of the attackers.
    """

    village: VillageName
    attackers: SomePlayers
    enemies: SomePlayers
    dice: tuple[Sum, Sum]
    kind: ClassVar[str] = "attack"

    def __post_init__(self) -> None:
        for camp, pointer in ((self.attackers, "/attackers"), (self.enemies, "/enemies")):
            if not camp:
                raise Malformed("camp", pointer)
            require_each_once(camp, pointer)


@dataclass(frozen=True, slots=True)
class Siege:
    """A siege laid to a foreign castle or city (`FI-77`).

    `village`: the village that is besieged.
    """

    village: VillageName
    kind: ClassVar[str] = "siege"


@dataclass(frozen=True, slots=True)
class Take:
    """Which lord of the attacker takes the title of a captured city (`FI-75`).

    `fief`: the fief of the city.
    `lord`: the lord who takes the title.
    """

    fief: FiefName
    lord: LordName
    kind: ClassVar[str] = "take"


# --- at any time -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Inherit:
    """Which lord inherits the titles of a dead one (`FI-92`).

    `dead`: the dead lord.
    `heir`: the lord who inherits.
    """

    dead: LordName
    heir: LordName
    kind: ClassVar[str] = "heir"


@dataclass(frozen=True, slots=True)
class Assassin:
    """A murder (`FI-90`), by a lord who is named, or by a player whose lord stays hidden.

    `lord`: the lord who is murdered.
    `by`: the lord behind it, if one is named.
    `player`: the player behind it, if no lord is named.
    """

    lord: LordName
    by: LordName | None = None
    player: Colour | None = None
    kind: ClassVar[str] = "assassin"

    def __post_init__(self) -> None:
        if (self.by is None) == (self.player is None):
            raise Malformed("instigator", "/by")
        if self.by is not None and self.by in SPOKEN_COLOURS:
            raise Malformed("name", "/by", text=self.by)


@dataclass(frozen=True, slots=True)
class Justice:
    """An instigator is put to death (`FI-90`).

    `lord`: the instigator.
    """

    lord: LordName
    kind: ClassVar[str] = "justice"


@dataclass(frozen=True, slots=True)
class Excommunicate:
    """The pope excommunicates a lord (`FI-95`).

    `lord`: the lord who is excommunicated.
    """

    lord: LordName
    kind: ClassVar[str] = "excommunicate"


@dataclass(frozen=True, slots=True)
class Absolve:
    """The pope lifts an excommunication (`FI-95`).

    `lord`: the lord who was excommunicated.
    """

    lord: LordName
    kind: ClassVar[str] = "absolve"


@dataclass(frozen=True, slots=True)
class Annul:
    """The pope annuls a marriage at a spouse's request (`FI-95`).

    `spouses`: the two spouses.
    """

    spouses: tuple[LordName, LordName]
    kind: ClassVar[str] = "annul"

    def __post_init__(self) -> None:
        require_each_once(self.spouses, "/spouses")


@dataclass(frozen=True, slots=True)
class Next:
    """The phase, or the player's part of it, is over (`FI-3`)."""

    kind: ClassVar[str] = "next"


Election: TypeAlias = Bishop | Pope | King
CardinalMove: TypeAlias = BuyCardinal | PlayCardinal
Move: TypeAlias = (
    Marry
    | Election
    | BuyCastle
    | BuyCard
    | BuyTitle
    | CardinalMove
    | PlayLord
    | PlayArc
    | Give
    | Cede
    | March
    | Attack
    | Siege
    | Take
    | Inherit
    | Assassin
    | Justice
    | Excommunicate
    | Absolve
    | Annul
    | Next
)
OF_PHASE: Mapping[str, tuple[type[Move], ...]] = {
    "marriages": (Marry,),
    "bishops": (Bishop,),
    "pope": (Pope,),
    "king": (King,),
    "purchases": (BuyCastle, BuyCard, BuyTitle, BuyCardinal, PlayLord, PlayCardinal, PlayArc, Give),
    "movements": (March,),
    "combats": (Attack, Siege),
}
"""The seven phases that are played, in order, with the kinds of moves that belong to each, besides `Next`."""
AT_ANY_TIME: tuple[type[Move], ...] = (Cede, Assassin, Justice, Excommunicate, Absolve, Annul)
"""What may be entered in every phase, exchanges (`Cede`) by the reading of the table."""
KINDS: Mapping[str, type[Move]] = {
    form.kind: form
    for form in (*(form for forms in OF_PHASE.values() for form in forms), Take, Inherit, *AT_ANY_TIME, Next)
}
