// What is kept in this phone, by name: in the browser's storage, or in this page where that takes nothing.

export class Store {
  /** @param {Storage} [storage] */
  constructor(storage) {
    this.storage = storage;
    /** Whether what is kept outlives the page. */
    this.lasts = Boolean(storage);
    /** @type {Record<string, unknown>} */
    this.memory = {};
    /** What was read last, and what it says: it is asked for at every answer. @type {Record<string, { text: string | null, value: unknown }>} */
    this.read = {};
  }

  /** The storage of this browser, if it has one. */
  static ofBrowser() {
    try {
      return new Store(localStorage);
    } catch {
      return new Store();
    }
  }

  /** What is kept by a name; null where nothing is. @param {string} name */
  get(name) {
    try {
      if (!this.lasts || !this.storage) return this.memory[name] ?? null;
      const text = this.storage.getItem(name);
      if (this.read[name]?.text !== text) this.read[name] = { text, value: JSON.parse(text ?? "null") };
      return this.read[name].value;
    } catch {
      return this.memory[name] ?? null;
    }
  }

  /** Keep something by a name, or no longer. @param {string} name @param {unknown} value */
  set(name, value) {
    this.memory[name] = value;
    try {
      if (value) this.storage?.setItem(name, JSON.stringify(value));
      else this.storage?.removeItem(name);
    } catch {
      this.lasts = false;
    }
  }

  /** The names by which something is kept. */
  names() {
    return Object.keys(this.storage ?? this.memory);
  }
}
