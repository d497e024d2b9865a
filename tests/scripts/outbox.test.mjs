// The moves that wait: their order, whose each is, and what becomes of those that follow one that goes or changes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { piecesOf } from "../../web/static/ghosts.js";
import { ghostOf, Outbox } from "../../web/static/outbox.js";
import { Store } from "../../web/static/store.js";
import { phone } from "./phone.mjs";

// Anne, Bruno and Chloé play in turn; after a move of Anne's that passes the turn on it is Bruno's.
const PASSES = { anne: "bruno", bruno: "chloé", chloé: "anne" };
const entry = (key, more = {}) => ({
  key,
  action: "/t/x/play",
  fields: [["key", key]],
  version: 7,
  what: key,
  cells: [],
  passes: PASSES,
  exact: false,
  ...more
});
const opened = ({ mine = null, due = "anne", storage = phone() } = {}) => {
  const outbox = new Outbox(new Store(storage), "waits", { mine, due: () => due, seats: () => Object.keys(PASSES) });
  const told = [];
  outbox.addEventListener("change", () => told.push(outbox.entries.map(({ key }) => key).join("")));
  return { outbox, told, storage };
};
const seats = (outbox) => outbox.entries.map(({ seat, sure }) => `${seat ?? ""}${sure ? "" : "?"}`);
const troubles = (outbox) => outbox.entries.map(({ trouble }) => trouble ?? "");

test("each move follows the one before it, and each change is told once", () => {
  const { outbox, told } = opened();
  for (const key of ["a", "b", "c"]) outbox.add(entry(key));
  assert.deepEqual(told, ["a", "ab", "abc"]);
  assert.deepEqual(
    outbox.entries.map(({ after }) => after),
    [null, "a", "b"]
  );
});

test("a move is kept once, however often it is added", () => {
  const { outbox, told } = opened();
  outbox.add(entry("a"));
  outbox.add(entry("a"));
  assert.deepEqual(told, ["a"]);
});

test("another page of this phone has the same moves", () => {
  const { outbox, storage } = opened();
  outbox.add(entry("a"));
  assert.equal(opened({ storage }).outbox.entries[0].key, "a");
  outbox.remove("a");
  assert.equal(storage.length, 0);
});

test("the first move is whose turn it is by the server, what follows a legal one is certain, and then it is a guess", () => {
  const { outbox } = opened();
  outbox.add(entry("a", { exact: true }));
  outbox.add(entry("b"));
  outbox.add(entry("c"));
  assert.deepEqual(seats(outbox), ["anne", "bruno", "chloé?"]);
});

test("nobody is guessed after a move of which the server has said nothing", () => {
  const { outbox } = opened();
  outbox.add(entry("a", { exact: true, passes: null }));
  outbox.add(entry("b"));
  assert.deepEqual(seats(outbox), ["anne", ""]);
});

test("a phone of one player keeps moves of that player only", () => {
  const { outbox } = opened({ mine: "chloé" });
  outbox.add(entry("a"));
  outbox.add(entry("b"));
  assert.deepEqual(seats(outbox), ["chloé", "chloé"]);
});

test("a player says whose move it is, in turn and then that nobody knows, and a guess at the next goes by that", () => {
  const { outbox } = opened();
  outbox.add(entry("a"));
  outbox.add(entry("b"));
  const seen = [];
  for (let n = 0; n < 4; n++) {
    outbox.passOn("a");
    seen.push(seats(outbox).join(" "));
  }
  assert.deepEqual(seen, ["bruno chloé?", "chloé anne?", " ?", "anne bruno?"]);
});

test("a move that goes takes its place along: what came after it waits, and follows what it followed", () => {
  const { outbox } = opened();
  outbox.add(entry("a", { version: 7 }));
  outbox.add(entry("b", { version: 7 }));
  outbox.add(entry("c", { version: 7 }));
  outbox.remove("b");
  assert.deepEqual(troubles(outbox), ["", "before"]);
  assert.equal(outbox.entries[1].after, "a");
  outbox.remove("nothing of this");
  assert.equal(outbox.entries.length, 2);
});

test("a move in the log gives the next one the version that it made, and no trouble", () => {
  const { outbox } = opened();
  outbox.add(entry("a"));
  outbox.add(entry("b"));
  outbox.enter("a", 8);
  const [next] = outbox.entries;
  assert.deepEqual([next.key, next.version, next.after, next.trouble], ["b", 8, null, undefined]);
});

test("a move that is sent again is meant for the table of now and whoever plays; what follows waits if that is another", () => {
  const { outbox } = opened();
  outbox.add(entry("a"));
  outbox.add(entry("b"));
  outbox.edit("a", { trouble: "another phone was faster" });
  outbox.retry("a", 9, "bruno");
  const [first] = outbox.entries;
  assert.deepEqual([first.version, first.seat, first.sure, first.trouble], [9, "bruno", true, null]);
  assert.deepEqual(troubles(outbox), ["", "before"]);
  const same = opened().outbox;
  same.add(entry("a"));
  same.add(entry("b"));
  same.retry("a", 7, "anne");
  assert.deepEqual(troubles(same), ["", ""]);
});

test("the trouble that a move has is not written over", () => {
  const { outbox } = opened();
  outbox.add(entry("a"));
  outbox.add(entry("b", { trouble: "turn" }));
  outbox.remove("a");
  assert.deepEqual(troubles(outbox), ["turn"]);
});

test("what is chosen for a move that is changed takes its place, and what follows waits", () => {
  const { outbox } = opened();
  outbox.add(entry("a"));
  outbox.add(entry("b"));
  outbox.edit("a", { changing: true });
  outbox.add(entry("new"));
  assert.deepEqual(
    outbox.entries.map(({ key, after, trouble }) => [key, after, trouble ?? ""]),
    [
      ["new", null, ""],
      ["b", "new", "before"]
    ]
  );
});

// Two moves that look alike, by either player, and one that looks otherwise and covers two cells.
const AHEAD = {
  moves: [
    ["h g6", "", "", [], null, ""],
    ["h e3", "", "", [], null, ""],
    ["r b9c9", "", "", [], null, ""]
  ],
  pictures: { anne: ["<dark-house>", "<dark-wall>"], bruno: ["<light-house>", "<light-wall>"] },
  ghosts: [
    [0, ["g6"]],
    [0, ["e3"]],
    [1, ["b9", "c9"]]
  ]
};

test("a kept move lies on its cells as a ghost, and looks as whoever plays it", () => {
  const { outbox } = opened({ due: "bruno" });
  outbox.add(entry("a", { ghost: ghostOf(AHEAD, "r b9c9"), exact: true }));
  outbox.add(entry("b", { ghost: ghostOf(AHEAD, "h e3") }));
  assert.deepEqual(outbox.entries.map(piecesOf), [
    [
      ["b9", "<light-wall>"],
      ["c9", "<light-wall>"]
    ],
    [["e3", "<dark-house>"]] // Chloé’s, of whom no picture was sent: any is better than none
  ]);
});

test("whose move it is may change, and its ghost with it", () => {
  const { outbox } = opened();
  outbox.add(entry("a", { ghost: ghostOf(AHEAD, "h g6") }));
  outbox.passOn("a");
  assert.deepEqual(outbox.entries.map(piecesOf), [[["g6", "<light-house>"]]]);
});

test("what was typed and was not legal then has no ghost, nor has what an older page kept", () => {
  assert.equal(ghostOf(AHEAD, "h d4"), null);
  assert.equal(ghostOf({ moves: AHEAD.moves }, "h g6"), null);
  assert.deepEqual([entry("a"), entry("b", { ghost: null })].flatMap(piecesOf), []);
});

test("a ghost is kept with its move, also for a page that is loaded again", () => {
  const { outbox, storage } = opened();
  outbox.add(entry("a", { ghost: ghostOf(AHEAD, "h g6") }));
  const [again] = opened({ storage }).outbox.entries;
  assert.deepEqual(again.ghost.cells, ["g6"]);
});
