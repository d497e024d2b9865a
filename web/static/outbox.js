// The moves that wait for the connection, in their order. A move means what it says only after those before it: what
// follows one that goes or changes waits until somebody has looked at it. Whose move each is, the server has said: of the
// first one, of what follows a move that was legal then, and else a player says so.

/** The trouble of what was kept after something that has changed since. */
export const BEFORE = "before";

export class Outbox extends EventTarget {
  /**
   * An outbox tells by "change" that something else waits than before.
   * @param {import("./store.js").Store} store
   * @param {string} name by which the moves are kept
   * @param {{ mine: Seat | null, due: () => Seat | null | undefined, seats: () => Seat[] }} turns
   *   the seat that this phone plays; whose turn it is and who plays, as the server said last
   */
  constructor(store, name, turns) {
    super();
    this.store = store;
    this.name = name;
    this.turns = turns;
  }

  /** What waits. @returns {Entry[]} */
  get entries() {
    return /** @type {Entry[] | null} */ (this.store.get(this.name)) ?? [];
  }

  /** One more waits; or, where one is being changed, this one takes its place. @param {Entry} entry */
  add(entry) {
    const entries = this.entries;
    const [first] = entries;
    if (first?.changing) {
      const [, ...stopped] = stopAfter(first.key, entries);
      const others = stopped.map((other) => (other.after === first.key ? { ...other, after: entry.key } : other));
      this.keep(this.withSeats([{ ...entry, after: null }, ...others]));
    } else if (entries.every(({ key }) => key !== entry.key)) {
      this.keep(this.withSeats([...entries, { ...entry, after: entries.at(-1)?.key ?? null }]));
    }
  }

  /** One waits no longer. Whoever came after it comes after what it came after. @param {string} key */
  remove(key) {
    const gone = this.entries.find((entry) => entry.key === key);
    if (!gone) return;
    const { after, version } = gone;
    const rest = stopAfter(key, this.entries).filter((entry) => entry.key !== key);
    this.keep(rest.map((entry) => (entry.after === key ? { ...entry, after, version } : entry)));
  }

  /** One is in the log: what came after it was meant for the version that it made. @param {string} key @param {number} version */
  enter(key, version) {
    const rest = this.entries.filter((entry) => entry.key !== key);
    this.keep(rest.map((entry) => (entry.after === key ? { ...entry, after: null, version } : entry)));
  }

  /** One is sent again, for a version and for whoever plays then. @param {string} key @param {number} version @param {Seat | null} due */
  retry(key, version, due) {
    const changed = this.entries.some((entry) => entry.key === key && entry.version !== version);
    if (changed) this.keep(stopAfter(key, this.entries));
    const seat = this.turns.mine ?? due;
    this.edit(key, { trouble: null, changing: false, version, after: null, seat, sure: true });
  }

  /** Something of one is another. @param {string} key @param {Partial<Entry>} change */
  edit(key, change) {
    this.keep(this.entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry)));
  }

  /** A player says whose move one is: the next player's, or that nobody knows. @param {string} key */
  passOn(key) {
    const all = [...this.turns.seats(), null];
    const entries = this.entries.map((entry) => {
      if (entry.key !== key) return entry;
      return { ...entry, seat: all[(all.indexOf(entry.seat ?? null) + 1) % all.length], sure: true };
    });
    this.keep(this.withSeats(entries));
  }

  /** Each with whose it is, where no player has said so. @param {Entry[]} entries */
  withSeats(entries) {
    /** @type {Entry[]} */
    const done = [];
    for (const entry of entries) done.push(entry.sure ? entry : { ...entry, ...this.after(done.at(-1)) });
    return done;
  }

  /** Whose move it is after one that waits, or after none. @param {Entry} [before] @returns {{ seat: Seat | null, sure: boolean }} */
  after(before) {
    const { mine, due } = this.turns;
    if (mine) return { seat: mine, sure: true };
    if (!before) return { seat: due() ?? null, sure: true };
    const seat = (before.seat && before.passes?.[before.seat]) || null;
    return { seat, sure: Boolean(before.sure && before.exact) };
  }

  /** @param {Entry[]} entries */
  keep(entries) {
    this.store.set(this.name, entries.length ? entries : null);
    this.dispatchEvent(new Event("change"));
  }
}

/** What waits, where what follows one of it has to be looked at. @param {string} key @param {Entry[]} entries @returns {Entry[]} */
const stopAfter = (key, entries) => {
  const place = entries.findIndex((entry) => entry.key === key);
  return entries.map((entry, at) =>
    place >= 0 && at > place ? { ...entry, trouble: entry.trouble ?? BEFORE } : entry
  );
};

/**
 * On which cells the piece of a move will lie, and what it looks like, by who plays it; null where nobody has said.
 * @param {Ahead} ahead @param {string} notation
 */
export const ghostOf = ({ moves, ghosts = [], pictures = {} }, notation) => {
  const [number, cells] = ghosts[moves.findIndex(([known]) => known === notation)] ?? [];
  if (number === undefined || !cells) return null;
  return { cells, pictures: Object.fromEntries(Object.entries(pictures).map(([seat, all]) => [seat, all[number]])) };
};
