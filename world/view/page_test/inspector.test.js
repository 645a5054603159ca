import test from "node:test";
import assert from "node:assert/strict";
import { avoided, sentence, walks } from "../page/inspector.js";
import { largest } from "../page/velocities.js";

const orca = (most, reach) => ({ components: [{ name: "ORCA", fields: [{ name: "MaxNeighbors", value: most }, { name: "NeighborDist", value: reach }] }] });

for (const { n, x, want } of [
  { n: 10, x: orca("10", "6"), want: "the 10 nearest within 6 m" },
  { n: 7, x: orca("10", "6"), want: "all 7 within 6 m" },
  { n: 30, x: orca("0", "6"), want: "all 30 within 6 m" },
  { n: 0, x: orca("10", "6"), want: "none within 6 m" },
  { n: 3, x: {}, want: "all 3" },
]) {
  test(`avoids ${want}`, () => assert.equal(avoided(n, x, "m"), want));
}

const unit = { length: "m", speed: "m/s" };
for (const [w, want] of [
  [{ speed: 0.5, why: "gap", other: 7, gap: 0.25, density: 2 }, "0.5 m/s: the gap to agent 7 is 0.25 m"],
  [{ speed: 0, why: "gap", other: 7, gap: -0.01, density: 2 }, "0 m/s: the gap to agent 7 is 0 m"],
  [{ speed: 0.5, why: "density", other: 0, gap: "Infinity", density: 2.5 }, "0.5 m/s: 2.5 agents/m² ahead"],
  [{ speed: 1.3, why: "oncoming", other: 9 }, "1.3 m/s: agent 9 comes toward it"],
  [{ speed: 1.2, why: "overtaking left", other: 3 }, "1.2 m/s: it overtakes agent 3 on the left"],
  [{ speed: 1.4, why: "free" }, "1.4 m/s: nothing slows it"],
]) {
  test(`walks at ${want}`, () => assert.equal(walks(w, unit), want));
}

const v = (x, y) => ({ x, y });
const choice = (preferred, chosen, others = [], walking = undefined) => ({ reciprocal: { preferred, chosen, others, walking } });
for (const [x, want] of [
  [{ arrives: true }, "It arrives in the next step."],
  [{}, "No force acts on it."],
  [{ shares: [{ behavior: "seek", force: v(3, 4) }] }, "Only seek steers it."],
  [{ shares: [{ behavior: "flee", force: v(1, 0) }, { behavior: "seek", force: v(0, 3) }] }, "Mostly seek steers it: 75% of all forces."],
  [choice(v(1, 0), v(1, 0)), "It moves at its preferred velocity, 1 m/s."],
  [choice(v(1, 0), v(0.5, 0), [{ id: 7, offset: v(-1, 0), velocity: v(1, 0) }, { id: 9, offset: v(2, 0), velocity: v(-1, 0) }]), "It moves at 0.5 of 1 m/s: agent 9 is coming toward it."],
  [choice(v(1, 0), v(0.5, 0.5), [{ id: 9, offset: v(2, 0), velocity: v(0, 0) }]), "It moves at 0.707 of 1 m/s and turns 45° to the left: agent 9 is in the way."],
  [choice(v(1, 0), v(0, 0)), "It moves at 0 of 1 m/s: there is no room."],
  [choice(v(1, 0), v(0.5, 0), [], { speed: 0.5, free: 1, why: "gap", other: 7, gap: 0.25 }), "It walks at 0.5 m/s: the gap to agent 7 is 0.25 m."],
  [choice(v(1, 0), v(0.7, 0), [], { speed: 0.5, free: 1, why: "gap", other: 7, gap: 0.25 }), "It moves at 0.7 of 1 m/s: there is no room."],
]) {
  test(want, () => assert.equal(sentence(x, unit), want));
}

test("the disc of velocities is small for small bodies", () => {
  assert.deepEqual([0, 2, 5, 20].map(largest), [90, 90, 125, 170]);
});
