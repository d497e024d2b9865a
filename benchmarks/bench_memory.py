"""The memory of tables: a recorded game of each game, in a worker and in Redis."""

from __future__ import annotations

from contextlib import closing

from benchmarks.games import RecordedGame, records_for
from service import schemas
from service.judgements import AttemptedMove
from service.referee.repository import ChangeRequest
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from service.tables.keys import secret
from tests.support.redis_server import RedisServer


def of_one(redis: RedisServer, game_id: str, name: str) -> None:
    """Print the memory of a recorded game, entered move by move with a key each."""
    played = RecordedGame.of(game_id, name)
    with closing(Ledger(redis.url)) as ledger:
        referee = Referee(ledger)
        opened = referee.open(game_id, schemas.load(schemas.of(played.game).setup, played.setup))
        table_id, key = opened.table.id, opened.keys.host
        for version, move in enumerate(played.moves, start=1):
            tried = [AttemptedMove(move, stands=True)]
            table = referee.play(ChangeRequest(table_id, key, version, secret()), tried).table
        keys = [f"{{t:{table_id}}}:{part}" for part in ("log", "idem", "mark")]
        usage = ledger._ask(keys[0], *(("MEMORY", "USAGE", each, "SAMPLES", 0) for each in keys))  # noqa: SLF001  # only here
        log, idem, mark = map(int, usage)
    whole = log + idem + mark
    print(
        f"{game_id} {name}: {table.version} entries of {table.size // table.version} bytes. "
        f"In a worker {table.weight} bytes, {2**30 // table.weight} tables per GB. "
        f"In Redis {whole} bytes ({log} of them the log, {idem} the keys), {whole // table.version} an entry, "
        f"{2**30 // whole} tables per GB."
    )


def main() -> None:
    """Print the figures."""
    redis = RedisServer().start()
    try:
        for game_id, name in records_for("memory").items():
            of_one(redis, game_id, name)
    finally:
        redis.close()


if __name__ == "__main__":
    main()
