"""The permissions of host, player and watcher on a table's page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

import pytest

from rules.kernel import Due, Ended
from service.tables.keys import Role
from web.pages.permissions import NO_PERMISSIONS, permissions_of
from web.panels.moves.choose import IdlePanel, KindButton
from web.panels.moves.onward import OnwardButton

HOST: Final = Role("host")
BLACK: Final = Role("seat", "black")
WHITE: Final = Role("seat", "white")
WATCH: Final = Role("watch")
BLACKS: Final = Due("black", ("house",), "town")
NOBODYS: Final = Due(None, ("draw",), "drawn")
ENDED: Final = Due(None, (), "", ended=Ended("last"))
PLAYERS: Final = {"take_part", "undo", "roll", "dispute", "amend"}
HOSTS: Final = PLAYERS | {"settle", "amend_alone", "go_back", "set_readings", "enter_position"}
SEATS: Final = PLAYERS | {"agree"}


@pytest.mark.parametrize(
    ("role", "due", "allowed"),
    [
        (HOST, BLACKS, HOSTS | {"play"}),
        (BLACK, BLACKS, SEATS | {"play"}),
        (WHITE, BLACKS, SEATS),
        (WATCH, BLACKS, set()),
        (WHITE, NOBODYS, SEATS | {"play"}),
        (WATCH, NOBODYS, set()),
        (HOST, ENDED, HOSTS | {"play"}),
        (WHITE, ENDED, SEATS),
    ],
)
def test_who_may_do_what(role: Role, due: Due, allowed: set[str]) -> None:
    """The host may do everything, a watcher nothing; a player may play only when due."""
    assert names_allowed(asdict(permissions_of(role, due, None, placing=True))) == allowed


@pytest.mark.parametrize("role", [HOST, BLACK])
def test_where_moves_are_only_asked_about_none_is_placed(role: Role) -> None:
    """A page that only asks about moves allows neither placing nor disputing."""
    there = names_allowed(asdict(permissions_of(role, BLACKS, None, placing=False)))
    assert there == names_allowed(asdict(permissions_of(role, BLACKS, None, placing=True))) - {"play", "dispute"}


def kind(name: str, *, possible: bool = True, at_once: bool = False, out_of_turn: bool = False) -> KindButton:
    return KindButton(name, (), 0, possible, "", is_chosen=False, at_once=at_once, out_of_turn=out_of_turn)


@pytest.mark.parametrize(
    ("role", "groups"),
    [
        (BLACK, ["house object", "wall", ""]),
        (WHITE, ["object", "", "house wall pass"]),
        (WATCH, ["house pass object", "wall", ""]),
    ],
)
def test_which_kinds_are_listed_on_whose_phone(role: Role, groups: list[str]) -> None:
    """Moves of one tap have no second button; a waiting player's phone lists first what it may enter out of turn."""
    kinds = kind("house"), kind("wall", possible=False), kind("pass", at_once=True), kind("object", out_of_turn=True)
    panel = IdlePanel(kinds, onward=(OnwardButton("o", "Go on", "", ("pass",), "", alone=False),))
    may = permissions_of(role, BLACKS, panel, placing=True)
    assert may.go_on is (role == BLACK)
    found = panel.kind_groups(go_on=may.go_on, waits=role == WHITE)
    assert [" ".join(each.name for each in group) for group in found] == groups


@pytest.mark.parametrize(("waits", "groups"), [(True, ["", "give", "house"]), (False, ["house", "give", ""])])
def test_a_phone_that_waits_lists_nothing_impossible_first(waits: bool, groups: list[str]) -> None:
    """What could be entered out of turn but is impossible is folded where the phone waits, as where it is to play."""
    panel = IdlePanel((kind("house"), kind("give", possible=False, out_of_turn=True)))
    found = panel.kind_groups(go_on=False, waits=waits)
    assert [" ".join(each.name for each in group) for group in found] == groups


def test_without_a_table_nothing_is_allowed() -> None:
    """Without a table no permission is given: anybody can ask a question."""
    assert names_allowed(asdict(NO_PERMISSIONS)) == set()


def names_allowed(permissions: Mapping[str, object]) -> set[str]:
    """The names of the granted permissions."""
    return {name for name, value in permissions.items() if value}
