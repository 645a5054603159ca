import test from "node:test";
import assert from "node:assert/strict";
import { areaBetween, History, lineBetween, motionBetween } from "../page/flow.js";

const none = { passed: 0, first: 0, last: 0 };

for (const { name, from, to, want } of [
  { name: "none", from: none, to: none, want: 0 },
  { name: "one alone", from: none, to: { passed: 1, first: 3, last: 3 }, want: null },
  { name: "since the start, as in the report", from: none, to: { passed: 5, first: 2, last: 4 }, want: 2 },
  { name: "less than a second", from: none, to: { passed: 2, first: 2, last: 2.9 }, want: null },
  { name: "later passages", from: { passed: 5, first: 2, last: 4 }, to: { passed: 8, first: 2, last: 6 }, want: 1.5 },
  { name: "none any more", from: { passed: 5, first: 2, last: 4 }, to: { passed: 5, first: 2, last: 4 }, want: 0 },
]) {
  test(`flow of ${name}`, () => assert.deepEqual(lineBetween(from, to), { flow: want, passed: to.passed }));
}

const empty = { steps: 0, time: 0, density: 0, speed: 0 };

for (const { name, from, to, want } of [
  { name: "none", from: empty, to: empty, want: { density: 0, speed: null } },
  { name: "since the start, as in the report", from: empty, to: { steps: 90, time: 3, density: 1.5, speed: 1.2 }, want: { density: 1.5, speed: 1.2 } },
  { name: "the time between", from: { steps: 30, time: 2, density: 1, speed: 1 }, to: { steps: 90, time: 4, density: 2, speed: 3 }, want: { density: 3, speed: 4 } },
  { name: "none any more", from: { steps: 30, time: 2, density: 1, speed: 1 }, to: { steps: 30, time: 2, density: 1, speed: 1 }, want: { density: 0, speed: null } },
]) {
  test(`density and speed of ${name}`, () => assert.deepEqual(areaBetween(from, to), want));
}

const still = { line: 0, wiggle: 0, seconds: 0, reversals: 0, acceleration: 0, turnSeconds: 0, turning: 0 };
const moved = { line: 10, wiggle: 1.5, seconds: 4, reversals: 0.5, acceleration: 1, turnSeconds: 2, turning: 90 };
const further = { line: 30, wiggle: 1.25, seconds: 8, reversals: 0.25, acceleration: 2, turnSeconds: 8, turning: 30 };

for (const { name, from, to, want } of [
  { name: "none", from: still, to: still, want: { wiggle: null, reversals: null, acceleration: null, turning: null } },
  { name: "since the start, as in the report", from: still, to: moved, want: { wiggle: 1.5, reversals: 0.5, acceleration: 1, turning: 90 } },
  { name: "the time between", from: moved, to: further, want: { wiggle: 1.125, reversals: 0, acceleration: 3, turning: 10 } },
  { name: "none any more", from: moved, to: moved, want: { wiggle: null, reversals: null, acceleration: null, turning: null } },
]) {
  test(`motion of ${name}`, () => assert.deepEqual(motionBetween(from, to), want));
}

const at = (time, passed) => ({ time, lines: [{ passed, first: 1, last: time }], areas: [] });
const flows = (h) => h.moments.map((m) => m.lines[0].flow);

test("figures cover the last seconds", () => {
  const h = new History(5, 100);
  for (const [time, passed] of [[1, 1], [3, 5], [6, 11], [8, 13], [20, 19]]) h.add(at(time, passed));
  assert.deepEqual(flows(h), [null, 2, 2, 8 / 5, 0.5]);
  assert.deepEqual(h.moments.map((m) => m.span), [1, 3, 5, 5, 12]);
});

test("a page without the beginning has no figures at first", () => {
  const h = new History(5, 100);
  h.add(at(60, 100));
  h.add(at(61, 104));
  assert.deepEqual(flows(h), [null, 4]);
  assert.deepEqual(h.moments.map((m) => m.span), [null, 1]);
});

test("motion covers the last seconds, if it is measured", () => {
  const h = new History(5, 100), motion = (time, n) => h.add({ time, lines: [], areas: [], motion: n });
  motion(4, moved);
  motion(10, further);
  motion(11, null);
  assert.deepEqual(h.moments.map((m) => m.motion[0]?.acceleration), [1, 3, undefined]);
});

test("history ignores the same moment, restarts at an earlier one, and drops the oldest", () => {
  const h = new History(5, 3);
  assert.equal(h.add(at(1, 2)), true);
  assert.equal(h.add(at(1, 2)), false);
  for (const t of [2, 3, 4]) h.add(at(t, t));
  assert.deepEqual(h.moments.map((m) => m.time), [2, 3, 4]);
  h.add(at(1, 0));
  assert.deepEqual(h.moments.map((m) => m.time), [1]);
});
