// Where four corners of a photo are says where all of it is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { convex, projection } from "../../web/static/projection.js";

const SQUARE = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1]
];

test("each corner goes to its own, and the crossing of the diagonals to that of theirs", () => {
  const to = [
    [0, 0],
    [4, 0],
    [3, 2],
    [1, 2]
  ]; // a trapezium: its diagonals cross at two thirds of its height
  const [a, b, c, d, e, f, g, h] = projection(SQUARE, to);
  const at = ([x, y]) => [(a * x + b * y + c) / (g * x + h * y + 1), (d * x + e * y + f) / (g * x + h * y + 1)];
  const round = (point) => point.map((part) => Math.round(part * 1e9) / 1e9);
  assert.deepEqual(SQUARE.map(at).map(round), to);
  assert.deepEqual(round(at([0.5, 0.5])), round([2, 4 / 3]));
});

test("corners that cross or lie in a line are no picture", () => {
  assert.equal(convex(SQUARE), true);
  assert.equal(
    convex([
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1]
    ]),
    false
  );
  assert.equal(
    convex([
      [0, 0],
      [1, 0],
      [2, 0],
      [0, 1]
    ]),
    false
  );
});
