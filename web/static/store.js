// Stores values in this phone by name: in the browser's storage, or else in this page.

export class Store {
  /** @param {Storage} [storage] */
  constructor(storage) {
    this.storage = storage;
    /** Whether the values outlive the page. */
    this.lasts = Boolean(storage);
    /** @type {Record<string, unknown>} */
    this.memory = {};
    /** Parsed values, which every response needs. @type {Record<string, { text: string | null, value: unknown }>} */
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

  /** The value of a name; null without one. @param {string} name */
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

  /** Store or delete the value of a name. @param {string} name @param {unknown} value */
  set(name, value) {
    this.memory[name] = value;
    try {
      if (value) this.storage?.setItem(name, JSON.stringify(value));
      else this.storage?.removeItem(name);
    } catch {
      this.lasts = false;
    }
  }

  /** The names of the stored values. */
  names() {
    return Object.keys(this.storage ?? this.memory);
  }
}
