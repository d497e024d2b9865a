// The queue of moves that wait for the connection. A move is valid only after those before it: if one is removed or
// changed, those after it wait until a player has checked them. The server knows the player of the first move, and of a
// move after one that was legal at that time; else a player says whose move it is.

/** The trouble of an entry whose predecessor has changed. */
export const BEFORE = "before";

export class Outbox extends EventTarget {
  /**
   * An outbox dispatches "change" when its entries change.
   * @param {import("./store.js").Store} store
   * @param {string} name under which the moves are stored
   * @param {{ mine: Seat | null, due: () => Seat | null | undefined, seats: () => Seat[] }} turns
   *   the seat of this phone; whose turn it is and who plays, from the last response
   */
  constructor(store, name, turns) {
    super();
    this.store = store;
    this.name = name;
    this.turns = turns;
  }

  /** The waiting entries. @returns {Entry[]} */
  get entries() {
    return /** @type {Entry[] | null} */ (this.store.get(this.name)) ?? [];
  }

  /** Append an entry, or replace the one that is being changed. @param {Entry} entry */
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

  /** Remove an entry. The next one then follows its predecessor. @param {string} key */
  remove(key) {
    const gone = this.entries.find((entry) => entry.key === key);
    if (!gone) return;
    const { after, version } = gone;
    const rest = stopAfter(key, this.entries).filter((entry) => entry.key !== key);
    this.keep(rest.map((entry) => (entry.after === key ? { ...entry, after, version } : entry)));
  }

  /** An entry is in the log: the next is for the version that it made. @param {string} key @param {number} version */
  enter(key, version) {
    const rest = this.entries.filter((entry) => entry.key !== key);
    this.keep(rest.map((entry) => (entry.after === key ? { ...entry, after: null, version } : entry)));
  }

  /** Queue an entry again. @param {string} key @param {number} version @param {Seat | null} due */
  retry(key, version, due) {
    const changed = this.entries.some((entry) => entry.key === key && entry.version !== version);
    if (changed) this.keep(stopAfter(key, this.entries));
    const seat = this.turns.mine ?? due;
    this.edit(key, { trouble: null, changing: false, version, after: null, seat, sure: true });
  }

  /** Change fields of an entry. @param {string} key @param {Partial<Entry>} change */
  edit(key, change) {
    this.keep(this.entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry)));
  }

  /** Assign a move to the next player, or to nobody. @param {string} key */
  passOn(key) {
    const all = [...this.turns.seats(), null];
    const entries = this.entries.map((entry) => {
      if (entry.key !== key) return entry;
      return { ...entry, seat: all[(all.indexOf(entry.seat ?? null) + 1) % all.length], sure: true };
    });
    this.keep(this.withSeats(entries));
  }

  /** The entries with their seats, unless a player has set them. @param {Entry[]} entries */
  withSeats(entries) {
    /** @type {Entry[]} */
    const done = [];
    for (const entry of entries) done.push(entry.sure ? entry : { ...entry, ...this.after(done.at(-1)) });
    return done;
  }

  /** Whose move it is after an entry. @param {Entry} [before] @returns {{ seat: Seat | null, sure: boolean }} */
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

/** Stop the entries after one until a check. @param {string} key @param {Entry[]} entries @returns {Entry[]} */
const stopAfter = (key, entries) => {
  const place = entries.findIndex((entry) => entry.key === key);
  return entries.map((entry, at) =>
    place >= 0 && at > place ? { ...entry, trouble: entry.trouble ?? BEFORE } : entry
  );
};

/**
 * The cells of a move's piece, and its picture for each player; null if the server has sent none.
 * @param {Ahead} ahead @param {string} notation
 */
export const ghostOf = ({ moves, ghosts = [], pictures = {} }, notation) => {
  const [number, cells] = ghosts[moves.findIndex(([known]) => known === notation)] ?? [];
  if (number === undefined || !cells) return null;
  return { cells, pictures: Object.fromEntries(Object.entries(pictures).map(([seat, all]) => [seat, all[number]])) };
};
