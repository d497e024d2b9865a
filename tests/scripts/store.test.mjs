// What a phone keeps, and what it does where it may keep nothing.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Store } from "../../web/static/store.js";
import { phone } from "./phone.mjs";

test("what one page keeps, another one reads, until it is taken out", () => {
  const storage = phone();
  const [one, other] = [new Store(storage), new Store(storage)];
  one.set("moves", [{ key: "a" }]);
  assert.deepEqual(other.get("moves"), [{ key: "a" }]);
  other.set("moves", null);
  assert.equal(one.get("moves"), null);
  assert.deepEqual([one.lasts, storage.length], [true, 0]);
});

test("a phone that is full keeps for this page alone, and says so", () => {
  const storage = phone();
  storage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  const store = new Store(storage);
  store.set("moves", [1]);
  assert.deepEqual([store.get("moves"), store.lasts], [[1], false]);
});

test("a browser without storage keeps for this page alone", () => {
  const store = new Store();
  store.set("moves", [1]);
  assert.deepEqual(
    [store.get("moves"), store.get("others"), store.lasts, store.names()],
    [[1], null, false, ["moves"]]
  );
});

test("what is no JSON is nothing", () => {
  const storage = phone();
  storage.setItem("moves", "{");
  assert.equal(new Store(storage).get("moves"), null);
});
