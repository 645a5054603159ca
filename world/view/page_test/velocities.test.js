import test from "node:test";
import assert from "node:assert/strict";
import { freeOf, obstacleOf, roundScale, topOf } from "../page/velocities.js";

const area = (ring) => Math.abs(ring.reduce((sum, a, i) => {
  const b = ring[(i + 1) % ring.length];
  return sum + a.x * b.y - b.x * a.y;
}, 0)) / 2;
const near = (got, want, by) => assert.ok(Math.abs(got - want) <= by, `got=${got}, want=${want}`);
const right = { normal: { x: 1, y: 0 }, least: 0 }, up = { normal: { x: 0, y: 1 }, least: 0 };

for (const { name, planes, want } of [
  { name: "nothing", planes: [], want: 4 * Math.PI },
  { name: "half", planes: [right], want: 2 * Math.PI },
  { name: "three quarters", planes: [right, up], want: Math.PI },
  { name: "all but a cap", planes: [{ normal: { x: 1, y: 0 }, least: 1 }], want: 4 * Math.PI / 3 - Math.sqrt(3) },
  { name: "everything, by contradiction", planes: [{ normal: { x: 1, y: 0 }, least: 1 }, { normal: { x: -1, y: 0 }, least: 1 }], want: 0 },
  { name: "everything below the top speed", planes: [{ normal: { x: 1, y: 0 }, least: 3 }], want: 0 },
]) {
  test(`half-planes that forbid ${name}`, () => near(area(freeOf(planes, 2)), want, 0.01));
}

// hits reports by simulation whether a velocity leads to a hit within the horizon.
function hits(other, horizon, v) {
  for (let t = 0; t <= horizon; t += horizon / 4000) {
    if (Math.hypot(other.offset.x - (v.x - other.velocity.x) * t, other.offset.y - (v.y - other.velocity.y) * t) < other.radius) return true;
  }
  return false;
}

function within(ring, p) {
  let odd = false;
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length];
    if (a.y > p.y !== b.y > p.y && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)) odd = !odd;
  });
  return odd;
}

test("a velocity obstacle contains the velocities that hit", () => {
  for (const other of [
    { offset: { x: 4, y: 1 }, velocity: { x: -1, y: 0.5 }, radius: 1 },
    { offset: { x: -2, y: -3 }, velocity: { x: 0, y: 0 }, radius: 3.5 },
    { offset: { x: 0, y: 9 }, velocity: { x: 0.3, y: -2 }, radius: 0.4 },
  ]) {
    const shape = obstacleOf(other, 3, 12);
    let wrong = 0;
    for (let i = 0; i < 400; i++) {
      const v = { x: (i % 20) / 4 - 2.4, y: Math.floor(i / 20) / 4 - 2.4 };
      if (within(shape, v) !== hits(other, 3, v)) wrong++;
    }
    assert.ok(wrong <= 2, `velocities on the wrong side: got=${wrong} of 400, want=2 or less`); // at the corners of the tip
  }
});

test("bodies that overlap have no velocity obstacle", () => {
  assert.equal(obstacleOf({ offset: { x: 1, y: 0 }, velocity: { x: 0, y: 0 }, radius: 1 }, 3, 10), null);
});

test("the rim of the disc", () => {
  const slow = { preferred: { x: 1, y: 0 }, chosen: { x: 0, y: 2 }, velocity: { x: 0, y: 0 } }, none = { x: 0, y: 0 };
  assert.equal(topOf({ ...slow, maxSpeed: 1.4 }), 1.4);
  assert.equal(topOf({ ...slow, maxSpeed: Infinity }), 3);
  assert.equal(topOf({ preferred: none, chosen: none, velocity: none, maxSpeed: Infinity }), 1);
});

test("the scale", () => {
  assert.deepEqual([0.99, 1, 1.7, 2, 45, 699, 1e-3].map((x) => Number(roundScale(x).toPrecision(3))), [0.7, 1, 1.5, 2, 30, 500, 0.001]);
});
