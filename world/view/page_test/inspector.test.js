import test from "node:test";
import assert from "node:assert/strict";
import { heeded, walks } from "../page/inspector.js";
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

const unit = { length: "m", speed: "m/s" };
for (const [w, want] of [
  [{ speed: 0.5, why: "gap", other: 7, gap: 0.25, density: 2 }, "0.5 m/s: the gap to 7 is 0.25 m"],
  [{ speed: 0, why: "gap", other: 7, gap: -0.01, density: 2 }, "0 m/s: the gap to 7 is 0 m"],
  [{ speed: 0.5, why: "density", other: 0, gap: "Infinity", density: 2.5 }, "0.5 m/s: 2.5 agents/m² ahead"],
  [{ speed: 1.3, why: "oncoming", other: 9 }, "1.3 m/s: 9 comes toward it"],
  [{ speed: 1.2, why: "overtaking left", other: 3 }, "1.2 m/s: it overtakes 3 on the left"],
  [{ speed: 1.4, why: "free" }, "1.4 m/s: nobody slows it"],
]) {
  test(`walks at ${want}`, () => assert.equal(walks(w, unit), want));
}

test("the disc of velocities is small where bodies are", () => {
  assert.deepEqual([0, 2, 5, 20].map(largest), [90, 90, 125, 170]);
});
