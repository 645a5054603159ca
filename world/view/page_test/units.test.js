import test from "node:test";
import assert from "node:assert/strict";
import { inUnits, unitsOf } from "../page/units.js";

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
