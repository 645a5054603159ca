import test from "node:test";
import assert from "node:assert/strict";
import { largest, top } from "../page/curves.js";

for (const { name, sums, before, want } of [
  { name: "by size", sums: [1, 9, 3, 7], before: [], want: [1, 3] },
  { name: "fewer than places", sums: [5], before: [], want: [0] },
  { name: "one that stays keeps its place", sums: [9, 1, 3, 7], before: [1, 3], want: [0, 3] },
  { name: "a slightly larger one takes no place", sums: [9, 8, 8.5], before: [0, 1], want: [0, 1] },
  { name: "a much larger one takes a place", sums: [9, 8, 1335], before: [0, 1], want: [0, 2] },
  { name: "all are zero", sums: [0, 0, 0], before: [], want: [0, 1] },
]) {
  test(`largest: ${name}`, () => assert.deepEqual(largest(sums, 2, before), want));
}

for (const { name, list, want } of [
  { name: "nothing", list: [], want: 0 },
  { name: "no values", list: [null, null], want: 0 },
  { name: "one value", list: [null, 1335, null], want: 1335 },
  { name: "noise", list: [100, 250, 90], want: 250 },
  { name: "a peak", list: [100, 1335, 100], want: 300 },
  { name: "a start", list: [0, 0, 100, 1335, 1300], want: 1335 },
  { name: "a start from nothing", list: [0, 0, 0, 1335], want: 1335 },
]) {
  test(`top of ${name}`, () => assert.equal(top(list), want));
}
