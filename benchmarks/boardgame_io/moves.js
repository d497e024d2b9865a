// Moves of a 9 x 9 game by boardgame.io: node moves.js memory|flatfile FOLDER MATCHES
//
// The server's own part of a move: it finds the match, checks the player's credentials, the turn, the version and the
// move, and stores the state and the log. The cost of its sockets is not included.
const { InitializeGame } = require("boardgame.io/internal");
const { INVALID_MOVE } = require("boardgame.io/core");
const { Master } = require("boardgame.io/master");
const { FlatFile } = require("boardgame.io/server");

const SIDE = 9;
const [storage, folder, matches] = process.argv.slice(2);

// A stone may be placed on a free cell that no stone of the same player touches along a side.
const game = {
  name: "stones",
  setup: () => ({ cells: Array(SIDE * SIDE).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID }, cell) => {
      const row = Math.floor(cell / SIDE);
      const column = cell % SIDE;
      const beside = [
        [row - 1, column],
        [row + 1, column],
        [row, column - 1],
        [row, column + 1],
      ].filter((place) => place.every((at) => at >= 0 && at < SIDE));
      if (G.cells[cell] !== null || beside.some(([r, c]) => G.cells[r * SIDE + c] === playerID)) return INVALID_MOVE;
      G.cells[cell] = playerID;
    },
  },
};

class Memory {
  constructor() {
    this.values = new Map();
  }
  type() {
    return 0; // answers at once
  }
  createMatch(id, { initialState, metadata }) {
    this.values.set(`${id}:metadata`, metadata).set(id, initialState);
  }
  fetch(id) {
    return { state: this.values.get(id), metadata: this.values.get(`${id}:metadata`) };
  }
  setState(id, state, log) {
    this.values.set(id, state).set(`${id}:log`, [...(this.values.get(`${id}:log`) ?? []), ...(log ?? [])]);
  }
  setMetadata(id, metadata) {
    this.values.set(`${id}:metadata`, metadata);
  }
}

const play = async () => {
  const db = storage === "memory" ? new Memory() : new FlatFile({ dir: folder });
  if (storage !== "memory") await db.connect();
  const auth = {
    authenticateCredentials: ({ playerID, credentials, metadata }) =>
      metadata.players[playerID].credentials === credentials,
  };
  const master = new Master(game, db, { sendAll: () => undefined }, auth);
  let moves = 0;
  let spent = 0;
  for (let match = 0; match < Number(matches); match++) {
    const id = `match${match}`;
    const players = { 0: { id: 0, credentials: "black" }, 1: { id: 1, credentials: "white" } };
    const now = Date.now();
    const metadata = { gameName: game.name, players, createdAt: now, updatedAt: now };
    await db.createMatch(id, { initialState: InitializeGame({ game, numPlayers: 2 }), metadata });
    const before = process.cpuUsage();
    for (let cell = 0; cell < SIDE * SIDE; cell++) {
      const player = cell % 2; // cells beside each other along a side get stones of both players
      const payload = { type: "place", args: [cell], playerID: `${player}`, credentials: ["black", "white"][player] };
      const failed = await master.onUpdate({ type: "MAKE_MOVE", payload }, cell, id, `${player}`);
      if (failed) throw new Error(JSON.stringify(failed));
      moves += 1;
    }
    const { user, system } = process.cpuUsage(before);
    spent += user + system;
  }
  const { state } = await db.fetch("match0", { state: true });
  if (state.G.cells.includes(null)) throw new Error("a move was not played");
  console.log(spent / moves);
};

play().catch((e)=>{console.error(e);process.exit(1)});
