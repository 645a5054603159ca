import test from "node:test";
import assert from "node:assert/strict";
import { baseName, bytes, count, inUnits, round125, short, unitsOf } from "../page/format.js";

const meters = unitsOf({ unit: "m", time: "s" }), steps = unitsOf({ unit: "px", time: "step" }), seconds = unitsOf({ unit: "px", time: "s" });

test("units", () => {
  assert.deepEqual([meters, steps, seconds].map((u) => [u.length, u.speed, u.force, u.times]), [["m", "m/s", "N", "s"], ["px", "px/step", "", "steps"], ["px", "px/s", "", "s"]]);
  assert.deepEqual(unitsOf(null), meters);
});

test("units in a text", () => {
  const help = "m/s, at most, from 3 m on; mass/dt, some meters";
  assert.equal(inUnits(help, meters), help);
  assert.equal(inUnits(help, steps), "px/step, at most, from 3 px on; mass/dt, some meters");
  assert.equal(inUnits(help, seconds), "px/s, at most, from 3 px on; mass/dt, some meters");
  for (const [text, inSteps, inSeconds] of [
    ["N, the greatest steering force", "the greatest steering force", "the greatest steering force"], ["N", "", ""],
    ["s, length of a step", "steps, length of a step", "s, length of a step"],
    ["kg/s: at most", "kg/step: at most", "kg/s: at most"], ["rad/s; 0 pauses", "rad/step; 0 pauses", "rad/s; 0 pauses"], ["1/s, how", "1/step, how", "1/s, how"],
    ["m/s²", "px/step²", "px/s²"], ["m", "px", "px"], ["", "", ""],
  ]) assert.deepEqual([inUnits(text, steps), inUnits(text, seconds)], [inSteps, inSeconds]);
});

test("numbers", () => {
  assert.deepEqual([0.7, 1, 3, 7, 45].map(round125), [0.5, 1, 2, 5, 20]);
  assert.deepEqual([1.23456, 1234.5, 0, -2, Infinity, 0.00001].map((n) => short(n)), ["1.23", "1,235", "0", "−2", "∞", "1.0e−5"]);
});

test("words", () => {
  assert.deepEqual([0, 200, 1400, 2e6].map(bytes), ["0 B", "200 B", "1 kB", "2.0 MB"]);
  assert.deepEqual([1, 2000].map((n) => count(n, "agent")), ["1 agent", "2,000 agents"]);
  assert.deepEqual(["plaza", "a/b.toml", "C:\\x\\y.toml", "/"].map(baseName), ["plaza", "b.toml", "y.toml", "/"]);
});
