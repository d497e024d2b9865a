// A list of moves is narrowed down by what is said of them; what is chosen last is one move.

import assert from "node:assert/strict";
import { test } from "node:test";

import { choicesOf, waysOn } from "../../web/static/narrow_moves.js";

const move = (notation, words, kind = "tile", apart = "") => [notation, words, kind, [], null, apart];
const labels = (ways) => ways.map(({ label }) => label);

test("a few moves are listed as they are", () => {
  const ways = waysOn(choicesOf([move("a", "House on b3"), move("b", "House on b4")]));
  assert.deepEqual(labels(ways), ["House on b3", "House on b4"]);
});

test("many moves of several kinds are chosen by kind, in the page's words", () => {
  const moves = Array.from({ length: 9 }, (_, n) => move(`m${n}`, `Move ${n}`, n < 5 ? "tile" : "march"));
  const ways = waysOn(choicesOf(moves), { tile: "Tile", march: "March" });
  assert.deepEqual(labels(ways), ["Tile", "March"]);
  assert.deepEqual(
    ways.map(({ some }) => some.length),
    [5, 4]
  );
});

test("many moves of a kind are chosen by the word in which they differ", () => {
  const at = (place) =>
    Array.from({ length: 8 }, (_, n) => move(`${place}${n}`, `Knight to the ${place}, ${n + 1} of eight`));
  assert.deepEqual(labels(waysOn(choicesOf([...at("forest"), ...at("lake")]))), ["forest …", "lake …"]);
});

test("moves of which the same is said are told apart", () => {
  const ways = waysOn(
    choicesOf([move("a", "Column moved", "move", "left"), move("b", "Column moved", "move", "right")])
  );
  assert.deepEqual(labels(ways), ["left", "right"]);
  assert.equal(ways[0].some[0].full, "Column moved (left)");
});

test("every way that leads on leads to fewer moves, and each move is reached", () => {
  const moves = Array.from({ length: 400 }, (_, n) => move(`m${n}`, `${n % 20} to ${Math.floor(n / 20)}`));
  const reached = new Set();
  const go = (items) => {
    for (const { some } of waysOn(items)) {
      if (some.length === 1) reached.add(some[0].move[0]);
      else {
        assert.ok(some.length < items.length);
        go(choicesOf(some.map((choice) => choice.move)));
      }
    }
  };
  go(choicesOf(moves));
  assert.equal(reached.size, 400);
});
