import test from "node:test";
import assert from "node:assert/strict";
import { heeded } from "../page/inspector.js";
import { largest } from "../page/velocities.js";

const orca = (most, reach) => ({ components: [{ name: "ORCA", fields: [{ name: "MaxNeighbors", value: most }, { name: "NeighborDist", value: reach }] }] });

for (const { n, x, want } of [
  { n: 10, x: orca("10", "6"), want: "the 10 nearest within 6 m" },
  { n: 7, x: orca("10", "6"), want: "all 7 within 6 m" },
  { n: 30, x: orca("0", "6"), want: "all 30 within 6 m" },
  { n: 0, x: orca("10", "6"), want: "nobody within 6 m" },
  { n: 3, x: {}, want: "all 3" },
]) {
  test(`heeds ${want}`, () => assert.equal(heeded(n, x, "m"), want));
}

test("the disc of velocities is small where bodies are", () => {
  assert.deepEqual([0, 2, 5, 20].map(largest), [90, 90, 125, 170]);
});
