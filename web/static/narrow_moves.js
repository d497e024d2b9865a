// Narrows down a list of moves by their words, step by step. It contains no rule.

/**
 * A move to choose: its `text` among others, with its words; its `full` text; whether the texts of all are `alike`.
 * @typedef {{ move: LegalMove, text: string, alike: boolean, full: string, words: RegExpExecArray[] }} Choice
 */
/** @typedef {{ some: Choice[], label: string }} Way */

export const FEW = 8; // the maximum number of moves that need no narrowing
const MANY = 12; // the maximum number of ways on from a step
const LONG = 40; // letters: a list with a longer text shows only what distinguishes its moves

/** @template Item, Key @param {Item[]} items @param {(item: Item) => Key} key @returns {Item[][]} */
const grouped = (items, key) => {
  /** @type {Map<Key, Item[]>} */
  const found = new Map();
  for (const item of items) found.set(key(item), [...(found.get(key(item)) ?? []), item]);
  return [...found.values()];
};
/** Moves in words; if all are equal, what distinguishes them. @param {LegalMove[]} moves @returns {Choice[]} */
export const choicesOf = (moves) => {
  const alike = moves.length > 1 && moves.every(([, what]) => what === moves[0][1]);
  return moves.map((move) => {
    const text = alike ? move[5] || move[0] : move[1];
    return {
      move,
      text,
      alike,
      full: alike ? `${move[1]} (${text})` : text,
      words: [...text.matchAll(/[\p{L}\p{N}’-]+|\S/gu)]
    };
  });
};
/** The number of common words at the beginning. @param {Choice[]} items */
export const inCommon = (items) => {
  const [{ words }] = items;
  const end = words.findIndex(([word], at) => items.some((other) => other.words[at]?.[0] !== word));
  return end < 0 ? words.length : end;
};
/** @param {Choice[]} items */
const branches = (items) => {
  const from = inCommon(items);
  return grouped(items, ({ words }) => words[from]?.[0]);
};
/** @param {Choice[]} some @param {Choice[]} others */
const larger = (some, others) => (others.length > some.length ? others : some);
/** @param {Choice[]} items */
const byWords = (items) => {
  let found = branches(items);
  for (;;) {
    const largest = found.reduce(larger);
    const parts = branches(largest);
    if (parts.length < 2 || found.length + parts.length > FEW + 1) break;
    found = found.flatMap((some) => (some === largest ? parts : [some]));
  }
  return found;
};
/** For too many ways: rows with the first and the last of each, as in a dictionary. @param {Choice[]} some */
const inRows = (some) => {
  const items = [...some].sort((one, other) => one.text.localeCompare(other.text, undefined, { numeric: true }));
  const size = Math.max(FEW, Math.ceil(items.length / FEW));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, row) => items.slice(row * size, (row + 1) * size));
};
/** The text from one word to another, without signs at its ends. @param {Choice} choice @param {number} from */
export const part = ({ text, words }, from, to = words.length) => {
  const said = (to > from ? text.slice(words[from].index, words[to]?.index) : "").replace(
    /^[\s(,;:–]+|[\s(,;:–]+$/g,
    ""
  );
  return said.includes("(") ? said : said.replace(")", "");
};
/**
 * The ways on from some moves: to fewer of them, or to one.
 * @param {Choice[]} items @param {Record<string, string>} [kinds] @returns {Way[]}
 */
export const waysOn = (items, kinds) => {
  const from = items[0].alike ? 0 : inCommon(items);
  const long = items.some(({ text }) => text.length > LONG);
  /** @param {Choice} item */
  const alone = (item) => ({ some: [item], label: (long && part(item, from)) || item.text });
  /** @param {Choice[]} some @param {() => string} label */
  const each = (some, label) => (some.length > 1 ? { some, label: label() } : alone(some[0]));
  if (items.length <= FEW)
    return grouped(items, ({ text }) => text).map((some) => each(some, () => `${alone(some[0]).label} …`));
  const ofKinds = grouped(items, ({ move }) => move[2]);
  if (ofKinds.length > 1) return ofKinds.map((some) => each(some, () => kinds?.[some[0].move[2]] ?? some[0].move[2]));
  const found = byWords(items);
  if (found.length <= MANY) return found.map((some) => each(some, () => `${part(some[0], from, inCommon(some))} …`));
  return inRows(items).map((some) => each(some, () => `${part(some[0], from)} … ${part(some[some.length - 1], from)}`));
};
