import test from "node:test";
import assert from "node:assert/strict";
import { lengthOf, pair } from "../page/trails.js";

const list = (points) => ({ x: points.map((p) => p[0]), y: points.map((p) => p[1]), n: points.length });
const spots = Array.from({ length: 9 }, (_, i) => [10 * i, 5 * i]);
const moved = spots.map(([x, y]) => [x + 1, y - 1]);
const all = spots.map((_, i) => i);

for (const { name, now, want } of [
  { name: "all are there", now: moved, want: all },
  { name: "the first went", now: moved.slice(1), want: all.slice(1) },
  { name: "two in the middle went", now: moved.toSpliced(3, 2), want: all.toSpliced(3, 2) },
  { name: "two came in the middle", now: moved.toSpliced(3, 0, [500, 0], [600, 0]), want: all.toSpliced(3, 0, -1, -1) },
  { name: "one came, and another went", now: [[500, 0], ...moved.slice(0, -1)], want: [-1, ...all.slice(0, -1)] },
  { name: "one leapt", now: moved.with(4, [900, 900]), want: all.with(4, -1) },
  { name: "one more came at the end", now: [...moved, [500, 0]], want: [...all, -1] },
  { name: "all are new", now: moved.map(([x, y]) => [x + 1000, y]), want: all.map(() => -1) },
]) {
  test(name, () => {
    const places = new Int32Array(now.length);
    pair(list(spots), list(now), 2, 2, places);
    assert.deepEqual([...places], want);
  });
}

test("the length of trails is in seconds, or in long steps", () => {
  assert.equal(lengthOf(1 / 30), 4);
  assert.equal(lengthOf(1), 120);
});
