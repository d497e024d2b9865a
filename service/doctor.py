"""``bastide doctor``: finds the problems of an installation, and says what to do."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from enum import IntEnum
from ipaddress import ip_address
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from service.config import Settings
from service.errors import StoreAway, StoreForbids
from service.guest_games import refuse_games
from service.limits.rate_limits import Kind, Limit, Limiter, Per
from service.redis_url import RedisUrl
from service.startup import BadSetting, CannotServe, NoServer, Unfit, refuse_strangers
from service.storage.backup import check_rights
from service.storage.inventory import NotAllowed
from service.storage.ledger import Ledger
from service.storage.private_redis.supervisor import server_program

SLOW_CLOCK: Final = 5
"""Seconds by which the clocks of this machine and of Redis may differ."""
SPARE: Final = 2**30
"""Bytes that the disk of a private Redis should have free: rewriting its file takes as much again."""
PROBE: Final = Limit(Kind.ASK, Per.ADDRESS, 1_000_000, 1)
"""A limit that nobody reaches."""
INDOORS: Final = (".local", ".lan", ".home", ".internal", ".test")
"""The ends of names that no machine outside can reach."""


class Grade(IntEnum):
    """The severity of a diagnosis, and the exit status of the command."""

    FINE = 0
    ADVICE = 1
    WRONG = 3


class Diagnosis(NamedTuple):
    """One finding of the doctor."""

    grade: Grade
    text: str


def examine(environment: Mapping[str, str]) -> Iterator[Diagnosis]:
    """Check settings, packages, Redis, its users, clocks, disk, and the ways to reach the service."""
    try:
        settings = Settings.of(environment)
    except BadSetting as error:
        yield Diagnosis(Grade.WRONG, str(error))
        return
    yield Diagnosis(Grade.FINE, "All settings can be used.")
    try:
        refuse_strangers()
        refuse_games()
    except CannotServe as error:
        yield Diagnosis(Grade.WRONG, str(error))
    yield from _redis(settings) if settings.redis_url else _private_redis(settings)
    yield from _way_in(settings)


def _redis(settings: Settings) -> Iterator[Diagnosis]:
    """The Redis of ``REDIS_URL``."""
    address = RedisUrl.of(settings.redis_url)
    hosts = [host for host, _ in address.hosts] or [urlsplit(address.url).hostname or ""]
    public = next(filter(_is_public, hosts), None)
    if public is not None and not address.url.startswith("rediss"):
        yield Diagnosis(Grade.ADVICE, f"What goes to Redis at {public} is not encrypted: use rediss:// in REDIS_URL.")
    with closing(Ledger(settings.redis_url, replicas=settings.replicas)) as ledger:
        try:
            *remarks, promise = ledger.check(settings.fsync)
            yield from (Diagnosis(Grade.ADVICE, remark) for remark in remarks)
            yield Diagnosis(Grade.FINE, promise)
            yield from _clock(ledger)
            yield from _rights(settings, ledger)
        except Unfit as error:
            yield Diagnosis(Grade.WRONG, str(error))
        except StoreAway as error:
            yield Diagnosis(Grade.WRONG, f"Redis cannot be used: {error}")


def _clock(ledger: Ledger) -> Iterator[Diagnosis]:
    ahead = time.time() - ledger.time()
    if abs(ahead) > SLOW_CLOCK:
        text = f"The clock of this machine is {abs(ahead):.0f} seconds {'ahead of' if ahead > 0 else 'behind'} Redis's"
        yield Diagnosis(Grade.ADVICE, f"{text}: set both by NTP, for the log has the times of moves.")


def _rights(settings: Settings, ledger: Ledger) -> Iterator[Diagnosis]:
    """The permissions for newer versions that the users of Redis lack. Raises `StoreAway`."""
    try:
        Limiter(ledger, limits=[PROBE]).count("doctor", [PROBE])
    except StoreForbids:
        text = "The user of REDIS_URL may not count requests: each worker counts by itself. Copy deploy/users.acl anew."
        yield Diagnosis(Grade.ADVICE, text)
    try:
        check_rights(settings.admin_url or settings.redis_url)
    except NotAllowed as error:
        yield Diagnosis(Grade.ADVICE, f"`bastide tables` and `bastide backup` cannot run. {error}")


def _private_redis(settings: Settings) -> Iterator[Diagnosis]:
    """The private Redis."""
    try:
        program = server_program()
    except NoServer as error:
        yield Diagnosis(Grade.WRONG, str(error))
        return
    yield Diagnosis(Grade.FINE, f"REDIS_URL is not set: {program} keeps the games in {settings.data}.")
    folder = next(each for each in (settings.data, *settings.data.absolute().parents) if each.exists())
    free = shutil.disk_usage(folder).free
    if free < SPARE:
        yield Diagnosis(
            Grade.ADVICE, f"The disk of {folder} has {free // 2**20} MB free: make room for {SPARE // 2**20} MB."
        )


def _way_in(settings: Settings) -> Iterator[Diagnosis]:
    """Names, proxies, encryption and limits of a service that strangers can reach."""
    public = [host for host in settings.hosts if _is_public(host)]
    if not settings.hosts:
        text = "BASTIDE_HOSTS=* answers to any name, also to those that others point at this machine: name your own."
        yield Diagnosis(Grade.ADVICE, text)
    if public and not settings.proxies:
        yield Diagnosis(
            Grade.ADVICE,
            f"BASTIDE_HOSTS names {public[0]}, and no proxy is trusted. Without one, keys travel unencrypted. Behind "
            "one, all players count as one address. Put a proxy with TLS in front (deploy/): BASTIDE_PROXIES=1.",
        )
    if public and not settings.limits:
        yield Diagnosis(Grade.ADVICE, "BASTIDE_LIMITS=off: whoever reaches this server can use it up. Leave it out.")


def _is_public(host: str) -> bool:
    """Whether a name or an address is public."""
    try:
        return ip_address(host.strip("[]")).is_global
    except ValueError:
        name = host.strip(".")
        return "." in name and not name.endswith(INDOORS)
